// A robot's tray. The robot fills it; when it is full, or the shift is over, the carrier takes it
// away and brings an empty one.
#ifndef ROBOTS_TRAY_H
#define ROBOTS_TRAY_H

#include <stdbool.h>

#include "geometry.h"
#include "object.h"
#include "semaphores.h"

enum { TRAY_PLACES = 4 };

typedef struct {
  Object objects[TRAY_PLACES];
  int count;
  bool is_last;  // of the shift
} Tray;

void tray_clear(Tray* tray);
bool tray_is_full(const Tray* tray);
// Requires that it is not full.
void tray_put(Tray* tray, Object object);

// It stands ready to be carried away.
Semaphore tray_ready_semaphore(Side side);
// An empty one is there.
Semaphore tray_empty_semaphore(Side side);

#endif
