// Deadlocks in a part of the program: threads that wait in a cycle, each for a lock that the next
// one owns or for its end, while others go on, or until their process ends. What nobody can break
// lasts, so the end of an execution tells: whoever is in a cycle still stands there, or did when
// its process ended.
//
// Which lock a thread holds follows from its own past alone, so a cycle is a property of the trace:
// it exists after what happened before its threads came to their waits (and before they were woken,
// where they wait for a mutex after a condition). So every search sees the same ones. If nobody can
// go on, the end of the execution says so already, and nothing is looked for here.
//
// What somebody else could break is none: waits with a timeout, robust mutexes of another process
// (which may be killed), threads in which a handler of a signal may run, children (anybody may kill
// them), locks of files (another thread may close the descriptor).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "explore/findings/findings.h"
#include "explore/trace/happens_before.h"
#include "explore/trace/replica.h"

namespace mazurka {

class WaitCycles {
 public:
  // As in Limits.
  explicit WaitCycles(uint32_t bound) : bound_(bound) {}

  // Each with its steps: Sighting::steps.
  std::vector<Sighting> sightings(const Execution& execution);

 private:
  using Group = std::vector<const ThreadAtEnd*>;

  void look_at(const Group& group, std::vector<Sighting>& out);
  void go_to(const Group& group);
  void add_wake_up(const ThreadAtEnd& thread);
  bool complete_transitions();
  bool is_stuck(const ThreadAtEnd& thread);
  Sighting sighting_of(const Group& cycle) const;

  uint32_t bound_;
  const Execution* execution_ = nullptr;
  HappensBefore order_;
  std::unique_ptr<Replica> replica_;  // made when it is needed: it is large
  Configuration there_;
};

}  // namespace mazurka
