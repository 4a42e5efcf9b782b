// Cells of the table and directions on it. The columns run along the rail on which both arms
// travel; the rows away from it.
//
//            column 0   1   2 | 3   4   5
//   rail     ===L==============================R===
//   row 0          .   .   c | c   .   .          c: below a mouth of the chute
//   row 1          .   .   . | .   .   .
//   row 2          .   .   c | c   .   .
//                 left's half | right's half
#ifndef ROBOTS_GEOMETRY_H
#define ROBOTS_GEOMETRY_H

#include <stdbool.h>

enum { COLUMNS = 6, ROWS = 3, CELLS = COLUMNS * ROWS };

typedef enum { LEFT, RIGHT, SIDES } Side;

typedef struct {
  int column;
  int row;
} Cell;

Cell cell(int column, int row);
bool same_cell(Cell a, Cell b);
bool on_table(Cell a);
int cell_index(Cell a);
// Steps from one to the other along columns and rows.
int distance(Cell a, Cell b);
// Which robot can reach it.
Side side_of(Cell a);
// Where the arm of that side comes above the table.
Cell entry_of(Side side);
const char* name_of_side(Side side);

#endif
