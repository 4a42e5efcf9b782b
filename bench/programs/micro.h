// Shared by the benchmark programs: a toss at the start makes one program into many executions of
// the same length.
#pragma once

#include <stdlib.h>

#include "mazurka/mazurka.h"

static inline void repeat(const char* times) { mz_toss(atoi(times) - 1); }
