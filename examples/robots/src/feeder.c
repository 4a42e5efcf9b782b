// The third robot: drops what comes down the chute on the table, through one of four mouths, and
// tells the robot on whose side it lies. Through which mouth a thing falls, nobody can foresee.
#include <mazurka/mazurka.h>

#include "processes.h"
#include "semaphores.h"
#include "trace.h"

static const Cell kMouths[] = {{2, 0}, {3, 0}, {2, 2}, {3, 2}};
enum { MOUTHS = sizeof kMouths / sizeof kMouths[0] };

// Below the mouth, or if something lies there, below the next one that is free.
static bool find_room(const Table* table, int mouth, Cell* room) {
  for (int i = 0; i < MOUTHS; ++i) {
    Cell below = kMouths[(mouth + i) % MOUTHS];
    if (!table_is_free(table, below)) continue;
    *room = below;
    return true;
  }
  return false;
}

// Elsewhere, when all mouths are blocked: the first free cell that is not in the way of an arm that
// comes in.
static Cell find_any_room(const Table* table) {
  for (int row = ROWS - 1; row >= 0; --row) {
    for (int column = 1; column < COLUMNS - 1; ++column) {
      if (table_is_free(table, cell(column, row))) return cell(column, row);
    }
  }
  mz_assert(!"the table is full");
  return cell(0, 0);
}

static void drop(Plant* plant, Object object) {
  int mouth = mz_toss(MOUTHS - 1);
  semaphore_wait(SEM_TABLE);
  Cell room;
  if (!find_room(&plant->table, mouth, &room)) room = find_any_room(&plant->table);
  table_put(&plant->table, room, object);
  trace("drops %d at %d,%d", object, room.column, room.row);
  semaphore_post(SEM_TABLE);
  mailbox_send(&plant->mailbox[side_of(room)], MESSAGE_OBJECT);
  ledger_write(&plant->feeder_ledger, object);
}

static void end_shift(Plant* plant) {
  trace("has nothing left to drop");
  for (int side = 0; side < SIDES; ++side) {
    mailbox_send(&plant->mailbox[side], MESSAGE_SHIFT_IS_OVER);
  }
}

void run_feeder(Plant* plant) {
  Object object;
  while (chute_receive(&plant->chute, &object)) drop(plant, object);
  end_shift(plant);
}
