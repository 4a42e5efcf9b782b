// An arm on the rail: where it is, and what it holds. It belongs to one robot.
#ifndef ROBOTS_ARM_H
#define ROBOTS_ARM_H

#include <stdbool.h>

#include "geometry.h"
#include "object.h"
#include "path.h"

typedef enum { ARM_PARKED, ARM_ABOVE_TABLE } ArmPlace;

typedef struct {
  Side side;
  ArmPlace place;
  Cell at;  // while it is above the table
  Object held;
  int travelled;  // cells, for maintenance
} Arm;

Arm arm_parked(Side side);

// Comes above the table. Whoever calls it holds SEM_AIRSPACE until the arm is parked again.
void arm_enter(Arm* arm);
// Moves along a path that begins where the arm is.
void arm_follow(Arm* arm, const Path* path);
// Goes back the way it came and leaves the table.
void arm_leave(Arm* arm, const Path* path);

// Requires an empty gripper.
void arm_grip(Arm* arm, Object object);
// Opens the gripper above the tray. Requires that the arm is parked and holds something.
Object arm_release(Arm* arm);

#endif
