// The memory that all processes share, and how it is set up. Each part has one owner at a time,
// which the semaphores see to; nobody looks at a part that is not its own.
#ifndef ROBOTS_PLANT_H
#define ROBOTS_PLANT_H

#include "chute.h"
#include "ledger.h"
#include "mailbox.h"
#include "options.h"
#include "table.h"
#include "tray.h"

enum { MAX_OBJECTS = 8, MAX_BUMPS = 4 };

typedef struct {
  Options options;         // nobody changes them
  Chute chute;             // SEM_CHUTE_FREE and SEM_CHUTE_FULL pass it on
  Table table;             // SEM_TABLE
  Mailbox mailbox[SIDES];  // SEM_WORK_... passes on each message
  Tray tray[SIDES];        // the robot's; SEM_TRAY_... and SEM_EMPTY_... pass it on
  Ledger ledger[SIDES];    // the robot's, and the plant's own once that has ended
  Ledger feeder_ledger;    // the feeder's, likewise
} Plant;

// In memory that children share.
Plant* plant_create(const Options* options);
void plant_remove(Plant* plant);

#endif
