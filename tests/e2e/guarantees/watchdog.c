// check: verdict=incomplete
#include <unistd.h>

int main(void) { alarm(10); }
