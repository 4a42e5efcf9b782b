#include "source/testdata/elsewhere.h"

namespace elsewhere {
Meter meter;
}
