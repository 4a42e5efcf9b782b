// The environment behind the robots: carries trays away, and brings empty ones.
#include <mazurka/mazurka.h>

#include "processes.h"
#include "semaphores.h"
#include "trace.h"

// Returns whether it was the last one on that side.
static bool carry(Plant* plant, Side side) {
  semaphore_wait(tray_ready_semaphore(side));
  Tray* tray = &plant->tray[side];
  bool is_last = tray->is_last;
  trace("carries %d away from the %s robot", tray->count, name_of_side(side));
  mz_assert(is_last || tray_is_full(tray));
  tray_clear(tray);
  if (!is_last) semaphore_post(tray_empty_semaphore(side));
  return is_last;
}

void run_carrier(Plant* plant) {
  for (int side = 0; side < SIDES; ++side) {
    while (!carry(plant, (Side)side)) {
    }
  }
}
