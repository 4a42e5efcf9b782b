// The environment around the table: somebody walks by, and may bump against it. Then something on
// it moves a little. It can only happen while no arm is being steered: the plant notices a bump and
// waits until all is still, which SEM_TABLE stands for.
#include <mazurka/mazurka.h>

#include "processes.h"
#include "semaphores.h"
#include "trace.h"

// One of the objects on the table moves, or none.
static void bump(Table* table) {
  int number = mz_toss(table->count);
  if (number == table->count) return;
  Object object = table_object(table, number);
  if (table_jolt(table, object)) trace("bumps against the table: %d moves", object);
}

void run_visitor(Plant* plant) {
  for (int i = 0; i < plant->options.bumps; ++i) {
    semaphore_wait(SEM_TABLE);
    bump(&plant->table);
    mz_assert(table_is_sound(&plant->table));
    semaphore_post(SEM_TABLE);
  }
}
