// Waits for conditions that no loop guards: who wakes up without a signal goes on there as if it
// had got one. Looked for where --spurious was not asked for, and said in a note.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "cli/target.h"

namespace mazurka {

class UnguardedWaits {
 public:
  // Of any worker. Only so many executions are looked at.
  void note(const Execution& execution);

  // "queue.cc:12 in take": each once. Runs executions again, to see who calls functions of the C++
  // library that wait.
  std::vector<std::string> find(Target& target, const Limits& limits) const;

 private:
  std::atomic<int> looked_at_ = 0;
  mutable std::mutex mutex_;
  std::map<uint64_t, std::vector<PlannedStep>> schedules_;  // by the place of the wait
};

}  // namespace mazurka
