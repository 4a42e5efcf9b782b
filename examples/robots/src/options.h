// What the plant is asked to do.
#ifndef ROBOTS_OPTIONS_H
#define ROBOTS_OPTIONS_H

#include <stdbool.h>

typedef struct {
  int objects;   // that come down the chute, at most
  int bumps;     // how often somebody may bump against the table
  bool verbose;  // each process tells what it does
} Options;

// Ends the program with a sentence and status 2 if the arguments make no sense.
Options read_options(int argc, char** argv);

#endif
