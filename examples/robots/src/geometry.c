#include "geometry.h"

#include <stdlib.h>

Cell cell(int column, int row) { return (Cell){.column = column, .row = row}; }

bool same_cell(Cell a, Cell b) { return a.column == b.column && a.row == b.row; }

bool on_table(Cell a) { return a.column >= 0 && a.column < COLUMNS && a.row >= 0 && a.row < ROWS; }

int cell_index(Cell a) { return a.row * COLUMNS + a.column; }

int distance(Cell a, Cell b) { return abs(a.column - b.column) + abs(a.row - b.row); }

Side side_of(Cell a) { return a.column < COLUMNS / 2 ? LEFT : RIGHT; }

Cell entry_of(Side side) { return side == LEFT ? cell(0, 0) : cell(COLUMNS - 1, 0); }

const char* name_of_side(Side side) { return side == LEFT ? "left" : "right"; }
