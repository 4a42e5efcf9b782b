// The planner: the shortest way around everything that lies on the table, by breadth-first search
// from the goal.
#include "../../robots/src/path.h"

enum { UNKNOWN = -1 };

static const Cell kNeighbours[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
enum { NEIGHBOURS = sizeof kNeighbours / sizeof kNeighbours[0] };

static Cell neighbour(Cell at, int number) {
  return cell(at.column + kNeighbours[number].column, at.row + kNeighbours[number].row);
}

static void add(Path* path, Cell next) {
  if (path->length < MAX_WAYPOINTS) path->cells[path->length++] = next;
}

static bool is_passable(const Table* table, Cell next, Cell goal) {
  return same_cell(next, goal) || table_is_free(table, next);
}

// How many steps each cell is away from the goal, where nothing is in the way.
static void measure(const Table* table, Cell goal, int steps[CELLS]) {
  Cell queue[CELLS];
  int first = 0, last = 0;
  for (int i = 0; i < CELLS; ++i) steps[i] = UNKNOWN;
  steps[cell_index(goal)] = 0;
  queue[last++] = goal;
  while (first < last) {
    Cell at = queue[first++];
    for (int i = 0; i < NEIGHBOURS; ++i) {
      Cell next = neighbour(at, i);
      if (!on_table(next) || !is_passable(table, next, goal)) continue;
      if (steps[cell_index(next)] != UNKNOWN) continue;
      steps[cell_index(next)] = steps[cell_index(at)] + 1;
      queue[last++] = next;
    }
  }
}

// Each step is one nearer to the goal, so there are never more than there are cells.
void plan_path(const Table* table, Cell from, Cell goal, Path* path) {
  int steps[CELLS];
  measure(table, goal, steps);
  path->length = 0;
  if (steps[cell_index(from)] == UNKNOWN) return;
  Cell at = from;
  add(path, at);
  while (!same_cell(at, goal)) {
    int left = steps[cell_index(at)];
    for (int i = 0; i < NEIGHBOURS; ++i) {
      Cell next = neighbour(at, i);
      if (on_table(next) && steps[cell_index(next)] == left - 1) {
        at = next;
        break;
      }
    }
    add(path, at);
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
