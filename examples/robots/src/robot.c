// A collecting robot. For each object on its side: decide which one to fetch, wait until the
// airspace is free, fetch it, put it on the tray.
#include <mazurka/mazurka.h>

#include "arm.h"
#include "path.h"
#include "processes.h"
#include "semaphores.h"
#include "trace.h"

typedef struct {
  Plant* plant;
  Side side;
  Arm arm;
} Robot;

// Something lies on this side. What is nearest now is this robot's from here on.
static Object choose(Robot* robot) {
  Table* table = &robot->plant->table;
  semaphore_wait(SEM_TABLE);
  Object chosen = table_nearest(table, robot->side);
  mz_assert(chosen != NO_OBJECT);
  table_reserve(table, chosen);
  trace("will fetch %d", chosen);
  semaphore_post(SEM_TABLE);
  return chosen;
}

// Requires that the arm may be above the table.
static void fetch(Robot* robot, Object object) {
  Table* table = &robot->plant->table;
  Cell entry = entry_of(robot->side);
  Cell where = entry;
  Path path;
  arm_enter(&robot->arm);
  semaphore_wait(SEM_TABLE);
  mz_assert(table_find(table, object, &where));
  plan_path(table, entry, where, &path);
  mz_assert(path_is_sound(table, &path, entry, where));
  arm_follow(&robot->arm, &path);
  arm_grip(&robot->arm, object);
  table_take(table, object);
  trace("takes %d at %d,%d after %d steps", object, where.column, where.row, path.length - 1);
  semaphore_post(SEM_TABLE);
  arm_leave(&robot->arm, &path);
}

// The carrier gets the tray, and brings another one if it is not the last.
static void hand_over_tray(Robot* robot, bool is_last) {
  Tray* tray = &robot->plant->tray[robot->side];
  tray->is_last = is_last;
  trace("hands over a tray with %d", tray->count);
  semaphore_post(tray_ready_semaphore(robot->side));
  if (!is_last) semaphore_wait(tray_empty_semaphore(robot->side));
}

static void put_on_tray(Robot* robot) {
  Tray* tray = &robot->plant->tray[robot->side];
  Object object = arm_release(&robot->arm);
  tray_put(tray, object);
  ledger_write(&robot->plant->ledger[robot->side], object);
  if (tray_is_full(tray)) hand_over_tray(robot, false);
}

void run_robot(Plant* plant, Side side) {
  Robot robot = {.plant = plant, .side = side, .arm = arm_parked(side)};
  semaphore_wait(tray_empty_semaphore(side));
  while (mailbox_receive(&plant->mailbox[side]) == MESSAGE_OBJECT) {
    Object object = choose(&robot);
    semaphore_wait(SEM_AIRSPACE);
    fetch(&robot, object);
    semaphore_post(SEM_AIRSPACE);
    put_on_tray(&robot);
  }
  hand_over_tray(&robot, true);
  trace("ends its shift; the arm has travelled %d cells", robot.arm.travelled);
}
