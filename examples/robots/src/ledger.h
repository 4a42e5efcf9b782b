// The books: what each process has done. They are compared when all have ended.
#ifndef ROBOTS_LEDGER_H
#define ROBOTS_LEDGER_H

#include <stdbool.h>

#include "object.h"

enum { LEDGER_LINES = 16 };

typedef struct {
  Object objects[LEDGER_LINES];
  int count;
} Ledger;

void ledger_write(Ledger* ledger, Object object);
bool ledger_has(const Ledger* ledger, Object object);

#endif
