#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plant.h"

static void usage(const char* program, FILE* out) {
  fprintf(out,
          "usage: %s [-v] [OBJECTS [BUMPS]]\n"
          "\n"
          "Two robots collect what a third one drops on a table.\n"
          "\n"
          "  OBJECTS  come down the chute, at most (2; up to %d)\n"
          "  BUMPS    against the table, at most (1; up to %d)\n"
          "  -v       each process tells what it does\n",
          program, MAX_OBJECTS, MAX_BUMPS);
}

static int read_number(const char* program, const char* text, const char* name, int most) {
  char* end = NULL;
  errno = 0;
  long number = strtol(text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || number < 0 || number > most) {
    fprintf(stderr, "%s: %s is a number from 0 to %d, not '%s'\n", program, name, most, text);
    exit(2);
  }
  return (int)number;
}

Options read_options(int argc, char** argv) {
  Options options = {.objects = 2, .bumps = 1, .verbose = false};
  int place = 0;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "-v") == 0) {
      options.verbose = true;
    } else if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0) {
      usage(argv[0], stdout);
      exit(0);
    } else if (place == 0) {
      options.objects = read_number(argv[0], argv[i], "OBJECTS", MAX_OBJECTS);
      ++place;
    } else if (place == 1) {
      options.bumps = read_number(argv[0], argv[i], "BUMPS", MAX_BUMPS);
      ++place;
    } else {
      usage(argv[0], stderr);
      exit(2);
    }
  }
  return options;
}
