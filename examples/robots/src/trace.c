#define _GNU_SOURCE  // for pthread_setname_np
#include "trace.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 160 };

static const char* speaker = "plant";
static bool is_verbose = false;

void trace_begin(const char* name, bool verbose) {
  speaker = name;
  is_verbose = verbose;
  pthread_setname_np(pthread_self(), name);
}

void trace(const char* format, ...) {
  if (!is_verbose) return;
  char line[LINE];
  int length = snprintf(line, sizeof line, "%-8s ", speaker);
  va_list arguments;
  va_start(arguments, format);
  length += vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
  va_end(arguments);
  if (length > LINE - 2) length = LINE - 2;
  line[length] = '\n';
  // One write, so that the lines of two processes do not mix.
  if (write(STDOUT_FILENO, line, (size_t)length + 1) < 0) fail("write");
}

void fail(const char* call) {
  fprintf(stderr, "%s: ", speaker);
  perror(call);
  exit(1);
}
