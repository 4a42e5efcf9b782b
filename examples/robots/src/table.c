#include "table.h"

#include <mazurka/mazurka.h>
#include <string.h>

static Cell cell_at(int index) { return cell(index % COLUMNS, index / COLUMNS); }

static int find_index(const Table* table, Object object) {
  for (int i = 0; i < CELLS; ++i) {
    if (table->spots[i].object == object) return i;
  }
  return -1;
}

void table_clear(Table* table) { memset(table, 0, sizeof *table); }

bool table_is_free(const Table* table, Cell at) {
  return on_table(at) && table->spots[cell_index(at)].object == NO_OBJECT;
}

void table_put(Table* table, Cell at, Object object) {
  mz_assert(table_is_free(table, at));
  table->spots[cell_index(at)] = (Spot){.object = object, .is_reserved = false};
  ++table->count;
}

void table_take(Table* table, Object object) {
  int index = find_index(table, object);
  mz_assert(index >= 0);
  table->spots[index] = (Spot){.object = NO_OBJECT, .is_reserved = false};
  --table->count;
}

bool table_find(const Table* table, Object object, Cell* where) {
  int index = find_index(table, object);
  if (index < 0) return false;
  *where = cell_at(index);
  return true;
}

Object table_nearest(const Table* table, Side side) {
  Object nearest = NO_OBJECT;
  int least = COLUMNS + ROWS;
  for (int i = 0; i < CELLS; ++i) {
    const Spot* spot = &table->spots[i];
    Cell at = cell_at(i);
    if (spot->object == NO_OBJECT || spot->is_reserved || side_of(at) != side) continue;
    int away = distance(entry_of(side), at);
    if (away >= least) continue;
    least = away;
    nearest = spot->object;
  }
  return nearest;
}

void table_reserve(Table* table, Object object) {
  int index = find_index(table, object);
  mz_assert(index >= 0 && !table->spots[index].is_reserved);
  table->spots[index].is_reserved = true;
}

bool table_jolt(Table* table, Object object) {
  int index = find_index(table, object);
  if (index < 0) return false;
  Cell from = cell_at(index);
  Cell to = cell(from.column, from.row == 1 ? 2 : 1);
  if (!table_is_free(table, to)) return false;
  table->spots[cell_index(to)] = table->spots[index];
  table->spots[index] = (Spot){.object = NO_OBJECT, .is_reserved = false};
  return true;
}

Object table_object(const Table* table, int number) {
  for (int i = 0; i < CELLS; ++i) {
    if (table->spots[i].object != NO_OBJECT && number-- == 0) return table->spots[i].object;
  }
  return NO_OBJECT;
}

bool table_is_sound(const Table* table) {
  int count = 0;
  for (int i = 0; i < CELLS; ++i) {
    const Spot* spot = &table->spots[i];
    if (spot->object != NO_OBJECT) ++count;
    if (spot->object == NO_OBJECT && spot->is_reserved) return false;
  }
  return count == table->count;
}
