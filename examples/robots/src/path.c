// The planner: along the rail first, then across; what is in the way is passed on the side.
#include "path.h"

#include <stdlib.h>

static void add(Path* path, Cell next) {
  if (path->length < MAX_WAYPOINTS) path->cells[path->length++] = next;
}

static int sign(int number) { return (number > 0) - (number < 0); }

// The next cell on the straight way: in the row until the column is right.
static Cell step_towards(Cell at, Cell goal) {
  if (at.column != goal.column) return cell(at.column + sign(goal.column - at.column), at.row);
  return cell(at.column, at.row + sign(goal.row - at.row));
}

static bool is_passable(const Table* table, Cell next, Cell goal) {
  return same_cell(next, goal) || table_is_free(table, next);
}

// Something lies in `blocked`: the cell beside `at` from which it can be passed.
static Cell sidestep(const Table* table, Cell at, Cell blocked, Cell goal) {
  bool along_row = blocked.row == at.row;
  Cell one = along_row ? cell(at.column, at.row + 1) : cell(at.column - 1, at.row);
  Cell other = along_row ? cell(at.column, at.row - 1) : cell(at.column + 1, at.row);
  if (is_passable(table, one, goal)) return one;
  if (is_passable(table, other, goal)) return other;
  return at;
}

void plan_path(const Table* table, Cell from, Cell goal, Path* path) {
  Cell at = from;
  path->length = 0;
  add(path, at);
  while (!same_cell(at, goal)) {
    Cell next = step_towards(at, goal);
    if (!is_passable(table, next, goal)) next = sidestep(table, at, next, goal);
    add(path, next);
    at = next;
  }
}

bool path_is_sound(const Table* table, const Path* path, Cell from, Cell goal) {
  if (path->length == 0 || !same_cell(path->cells[0], from)) return false;
  for (int i = 1; i < path->length; ++i) {
    Cell next = path->cells[i];
    if (distance(path->cells[i - 1], next) != 1 || !is_passable(table, next, goal)) return false;
  }
  return same_cell(path->cells[path->length - 1], goal);
}
