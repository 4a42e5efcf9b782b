// The six processes of the plant. Each function is the whole life of one.
#ifndef ROBOTS_PROCESSES_H
#define ROBOTS_PROCESSES_H

#include "geometry.h"
#include "plant.h"

// The plant proper.
void run_feeder(Plant* plant);
void run_robot(Plant* plant, Side side);

// What surrounds it: what they do is up to them, so they toss.
void run_store(Plant* plant);
void run_visitor(Plant* plant);
void run_carrier(Plant* plant);

#endif
