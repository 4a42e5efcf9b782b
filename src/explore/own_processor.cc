#include "explore/own_processor.h"

namespace mazurka {

OwnProcessor::OwnProcessor(size_t number, size_t jobs) {
  if (jobs < 2 || sched_getaffinity(0, sizeof before_, &before_) != 0) return;
  if (static_cast<size_t>(CPU_COUNT(&before_)) != jobs) return;
  size_t left = number;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (!CPU_ISSET(i, &before_) || left-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(i, &one);
    changed_ = sched_setaffinity(0, sizeof one, &one) == 0;
    return;
  }
}

OwnProcessor::~OwnProcessor() {
  if (changed_) sched_setaffinity(0, sizeof before_, &before_);
}

}  // namespace mazurka
