#include "arm.h"

#include <mazurka/mazurka.h>

Arm arm_parked(Side side) {
  return (Arm){
      .side = side, .place = ARM_PARKED, .at = entry_of(side), .held = NO_OBJECT, .travelled = 0};
}

void arm_enter(Arm* arm) {
  mz_assert(arm->place == ARM_PARKED);
  arm->place = ARM_ABOVE_TABLE;
  arm->at = entry_of(arm->side);
}

static void move_to(Arm* arm, Cell next) {
  mz_assert(arm->place == ARM_ABOVE_TABLE);
  mz_assert(distance(arm->at, next) == 1);
  arm->at = next;
  ++arm->travelled;
}

void arm_follow(Arm* arm, const Path* path) {
  mz_assert(path->length > 0 && same_cell(arm->at, path->cells[0]));
  for (int i = 1; i < path->length; ++i) move_to(arm, path->cells[i]);
}

void arm_leave(Arm* arm, const Path* path) {
  mz_assert(path->length > 0 && same_cell(arm->at, path->cells[path->length - 1]));
  for (int i = path->length - 1; i-- > 0;) move_to(arm, path->cells[i]);
  mz_assert(same_cell(arm->at, entry_of(arm->side)));
  arm->place = ARM_PARKED;
}

void arm_grip(Arm* arm, Object object) {
  mz_assert(arm->held == NO_OBJECT && object != NO_OBJECT);
  arm->held = object;
}

Object arm_release(Arm* arm) {
  mz_assert(arm->place == ARM_PARKED && arm->held != NO_OBJECT);
  Object released = arm->held;
  arm->held = NO_OBJECT;
  return released;
}
