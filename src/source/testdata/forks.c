#include "source/testdata/forks.h"

struct table table = {.seats = 5};
