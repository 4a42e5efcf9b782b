#include "base/processors.h"

#include <sched.h>

#include <vector>

namespace mazurka {
namespace {

std::vector<int> read_processors() {
  std::vector<int> allowed;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return allowed;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) allowed.push_back(i);
  }
  return allowed;
}

// Before any of these functions has changed it.
const std::vector<int>& processors() {
  static const std::vector<int> allowed = read_processors();
  return allowed;
}

void stay_on(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  sched_setaffinity(0, sizeof set, &set);
}

}  // namespace

size_t processor_count() { return processors().empty() ? 1 : processors().size(); }

void stay_on_this_processor() { move_to_processor(0); }

void move_to_processor(size_t number) {
  const std::vector<int>& allowed = processors();
  const int here = sched_getcpu();
  for (size_t i = 0; i < allowed.size(); ++i) {
    if (allowed[i] == here) return stay_on(allowed[(i + number) % allowed.size()]);
  }
}

}  // namespace mazurka
