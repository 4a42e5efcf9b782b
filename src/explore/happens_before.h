// Happens-before of one finished execution: the smallest transitive order that has the order of
// each thread and of dependent transitions (Lamport; Mazurkiewicz; hb of POPL'05 and JACM'17). The
// searches with reduction ask it which transitions are ordered, and work with its closed sets.
//
// An event is a transition's place in the schedule. A thread is known here by its slot, a number
// below thread_count().
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "program/execution.h"

namespace mazurka {

// A set of events that is closed under happens-before: how many of its first events it takes of
// each slot's thread. Executing it in the order of the schedule is always possible, and does what
// it did there.
using Configuration = std::vector<uint32_t>;

class HappensBefore {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  // `execution` must stay as it is until the next call. Memory is reused. `all_dependent`: as if
  // any two transitions were dependent.
  void read(const Execution& execution, bool all_dependent = false);

  const Execution& execution() const { return *execution_; }
  uint32_t size() const { return static_cast<uint32_t>(slots_.size()); }
  uint32_t thread_count() const { return static_cast<uint32_t>(threads_.size()); }

  // --- threads, by slot
  uint32_t slot_of(ThreadId id) const { return slot_of_[index(id)]; }
  ThreadId thread(uint32_t slot) const { return threads_[slot].id; }
  uint32_t length(uint32_t slot) const {
    return static_cast<uint32_t>(threads_[slot].events.size());
  }
  uint32_t event(uint32_t slot, uint32_t ordinal) const { return threads_[slot].events[ordinal]; }
  // The event that created it; kNone if it was there from the start.
  uint32_t creator(uint32_t slot) const { return threads_[slot].creator; }
  // How it ended; null if the log does not say.
  const ThreadAtEnd* at_end(uint32_t slot) const { return threads_[slot].at_end; }

  // --- events
  uint32_t slot(uint32_t event) const { return slots_[event]; }
  uint32_t ordinal(uint32_t event) const { return ordinals_[event]; }
  const Transition& transition(uint32_t event) const { return execution_->transitions[event]; }
  // Dependent with everything: it has more accesses than fit, or it ended the execution for all.
  bool touches_everything(uint32_t event) const { return touches_everything_[event]; }

  // i is j, or happens before it.
  bool is_before(uint32_t i, uint32_t j) const { return history(j)[slots_[i]] > ordinals_[i]; }
  // What happens before the event, with itself: a configuration, by slot.
  const uint32_t* history(uint32_t event) const { return clocks_.data() + size_t{event} * stride_; }

  // Whether transitions of two threads with these accesses are dependent.
  bool conflicts(uint32_t event, const Access* accesses, uint32_t count) const;

  // --- configurations
  bool contains(const Configuration& set, uint32_t event) const {
    return set[slots_[event]] > ordinals_[event];
  }
  void add_history(Configuration& set, uint32_t event) const;
  // The first `count` events of the schedule.
  void prefix(uint32_t count, Configuration& out) const;
  // All events that the event does not happen before.
  void without_future(uint32_t event, Configuration& out) const;

 private:
  struct Thread {
    ThreadId id = kNoThread;
    uint32_t creator = kNone;
    const ThreadAtEnd* at_end = nullptr;
    std::vector<uint32_t> events;
  };
  // The joins of the clocks of the last write to a resource, and of the reads and additions since.
  enum { kWrites, kReads, kAdds, kClocksOfResource };

  uint32_t add_thread(ThreadId id);
  void read_threads();
  void read_event(uint32_t event);
  void order_by_accesses(const Transition& transition, uint32_t* clock);
  void leave_in_resources(const Transition& transition, const uint32_t* clock);
  uint32_t* clock_of(const Resource& resource, int which);
  void join(uint32_t* clock, const uint32_t* other) const;

  const Execution* execution_ = nullptr;
  std::vector<uint32_t> slot_of_;  // by thread
  std::vector<Thread> threads_;
  std::vector<uint32_t> slots_;     // by event
  std::vector<uint32_t> ordinals_;  // by event
  std::vector<bool> touches_everything_;
  uint32_t stride_ = 0;
  std::vector<uint32_t> clocks_;    // by event and slot
  std::vector<uint32_t> everyone_;  // the clock of the last event that touches everything

  std::unordered_map<uint64_t, uint32_t> numbers_;  // of the resources of this execution
  std::vector<uint32_t> resource_clocks_;           // by number, kClocksOfResource each
};

}  // namespace mazurka
