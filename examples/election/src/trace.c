#include "trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int is_verbose;

void say(int node, const char* format, ...) {
  if (!is_verbose) return;
  va_list arguments;
  va_start(arguments, format);
  printf("node %d: ", node);
  vprintf(format, arguments);
  putchar('\n');
  fflush(stdout);
  va_end(arguments);
}

void die(const char* call) {
  perror(call);
  exit(2);
}
