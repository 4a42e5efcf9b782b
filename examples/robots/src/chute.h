// The chute between the store and the feeder: one thing at a time. SEM_CHUTE_FREE and
// SEM_CHUTE_FULL say whose it is.
#ifndef ROBOTS_CHUTE_H
#define ROBOTS_CHUTE_H

#include <stdbool.h>

#include "object.h"

typedef struct {
  Object object;  // NO_OBJECT: there will be no more
} Chute;

// Waits until there is room.
void chute_send(Chute* chute, Object object);
void chute_close(Chute* chute);
// Waits until something comes. False if nothing will.
bool chute_receive(Chute* chute, Object* object);

#endif
