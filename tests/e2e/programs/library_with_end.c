// For module_ends_of_library.c.
#include <assert.h>

int ends_before_library;

__attribute__((destructor)) static void end(void) { assert(ends_before_library != 1); }
