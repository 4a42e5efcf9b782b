// The table: what lies where, and what is spoken for. Whoever calls any of this holds SEM_TABLE.
#ifndef ROBOTS_TABLE_H
#define ROBOTS_TABLE_H

#include <stdbool.h>

#include "geometry.h"
#include "object.h"

typedef struct {
  Object object;     // NO_OBJECT: nothing
  bool is_reserved;  // its robot has decided to fetch it
} Spot;

typedef struct {
  Spot spots[CELLS];
  int count;  // objects on it
} Table;

void table_clear(Table* table);
bool table_is_free(const Table* table, Cell at);

// Requires that the cell is free.
void table_put(Table* table, Cell at, Object object);
// Requires that the object is there.
void table_take(Table* table, Object object);

// Where the object lies. False if it is not on the table.
bool table_find(const Table* table, Object object, Cell* where);

// The object on that side that is nearest to where its arm comes in, of those that nobody has
// reserved. NO_OBJECT if there is none.
Object table_nearest(const Table* table, Side side);
void table_reserve(Table* table, Object object);

// Something jolts the object: it moves by one row, to the middle one or away from it, if there is
// room. Returns whether it moved.
bool table_jolt(Table* table, Object object);
// The number-th object, counted along the rows. Requires that there are so many.
Object table_object(const Table* table, int number);

// Whether the counts and reservations fit the spots.
bool table_is_sound(const Table* table);

#endif
