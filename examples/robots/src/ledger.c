#include "ledger.h"

#include <mazurka/mazurka.h>

void ledger_write(Ledger* ledger, Object object) {
  mz_assert(ledger->count < LEDGER_LINES);
  mz_assert(!ledger_has(ledger, object));
  ledger->objects[ledger->count++] = object;
}

bool ledger_has(const Ledger* ledger, Object object) {
  for (int i = 0; i < ledger->count; ++i) {
    if (ledger->objects[i] == object) return true;
  }
  return false;
}
