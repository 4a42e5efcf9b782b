// The environment above the plant: a store sends objects down the chute, as many as it likes up to
// a limit.
#include <mazurka/mazurka.h>

#include "processes.h"
#include "trace.h"

void run_store(Plant* plant) {
  int sent = 0;
  while (sent < plant->options.objects && mz_toss(1) == 0) {
    trace("sends %d", sent + 1);
    chute_send(&plant->chute, ++sent);
  }
  trace("closes the chute after %d", sent);
  chute_close(&plant->chute);
}
