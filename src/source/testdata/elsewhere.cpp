#include "source/testdata/elsewhere.h"

namespace elsewhere {

Meter::Meter() : reading_(0) {}

const void* lock_of(const Meter& meter) {
  (void)meter.reading_;
  return &meter.lock;
}

}  // namespace elsewhere
