#include "tray.h"

#include <mazurka/mazurka.h>
#include <string.h>

void tray_clear(Tray* tray) { memset(tray, 0, sizeof *tray); }

bool tray_is_full(const Tray* tray) { return tray->count == TRAY_PLACES; }

void tray_put(Tray* tray, Object object) {
  mz_assert(!tray_is_full(tray));
  tray->objects[tray->count++] = object;
}

Semaphore tray_ready_semaphore(Side side) { return side == LEFT ? SEM_TRAY_LEFT : SEM_TRAY_RIGHT; }

Semaphore tray_empty_semaphore(Side side) {
  return side == LEFT ? SEM_EMPTY_LEFT : SEM_EMPTY_RIGHT;
}
