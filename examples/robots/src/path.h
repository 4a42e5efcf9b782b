// Where an arm goes on its way to an object: from cell to cell, around everything else that lies
// there.
#ifndef ROBOTS_PATH_H
#define ROBOTS_PATH_H

#include "geometry.h"
#include "table.h"

enum { MAX_WAYPOINTS = 4 * CELLS };

typedef struct {
  Cell cells[MAX_WAYPOINTS];
  int length;
} Path;

// Plans a way from one free cell to the one where the arm will grip. Whoever calls it holds
// SEM_TABLE.
void plan_path(const Table* table, Cell from, Cell goal, Path* path);

// Whether it leads from one to the other in steps of one cell, and touches nothing but the goal.
bool path_is_sound(const Table* table, const Path* path, Cell from, Cell goal);

#endif
