// Happens-before of one finished execution: the smallest transitive order that has the order of
// each thread and of dependent transitions (Lamport; Mazurkiewicz; hb of POPL'05 and JACM'17). The
// searches with reduction ask it which transitions are ordered, and work with its closed sets.
//
// An event is a transition's place in the schedule. A thread is known here by its slot, a number
// below thread_count().
//
// Every execution of a search is read once, so this is all flat arrays that are used again.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "base/ids.h"
#include "execution/execution.h"
#include "explore/trace/digest.h"
#include "explore/trace/last_accesses.h"

namespace mazurka {

// A set of events that is closed under happens-before: how many of its first events it takes of
// each slot's thread. Executing it in the order of the schedule is always possible, and does what
// it did there. All have the same size, which is at least thread_count(); what is behind is 0.
using Configuration = std::vector<uint32_t>;

// Whether the execution ended in the middle of its last transition: then nobody else could go on,
// and that transition is dependent with all.
bool is_cut_by_last(End end);

class HappensBefore {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  HappensBefore() = default;
  HappensBefore(const HappensBefore&) = delete;  // events point to its own digests
  HappensBefore& operator=(const HappensBefore&) = delete;

  // `execution` must stay as it is until the next call. Memory is reused. `all_dependent`: as if
  // any two transitions were dependent. `common`: that many transitions, and the threads, are those
  // of the execution read before (common_prefix.h).
  void read(const Execution& execution, bool all_dependent = false, uint32_t common = 0);

  // So many events were not read anew.
  uint32_t kept() const { return kept_; }

  const Execution& execution() const { return *execution_; }
  // Whether there is any event like that.
  bool uses_signals() const { return bringing_signals_ > 0; }
  bool has_parts() const { return with_parts_ > 0; }
  bool has_invisible_events() const { return with_invisible_ > 0; }
  // Whether any thread stands before an operation in the end.
  bool has_pending() const { return has_pending_; }
  uint32_t size() const { return static_cast<uint32_t>(events_.size()); }
  uint32_t thread_count() const { return static_cast<uint32_t>(threads_.size()); }

  // --- threads, by slot
  uint32_t slot_of(ThreadId id) const { return slot_of_[index(id)]; }
  ThreadId thread(uint32_t slot) const { return threads_[slot].id; }
  uint32_t length(uint32_t slot) const { return threads_[slot].length; }
  uint32_t event(uint32_t slot, uint32_t ordinal) const {
    return by_thread_[threads_[slot].begin + ordinal];
  }
  // The event that created it; kNone if it was there from the start.
  uint32_t creator(uint32_t slot) const { return threads_[slot].creator; }
  // How it ended; null if the log does not say.
  const ThreadAtEnd* at_end(uint32_t slot) const { return threads_[slot].at_end; }
  // Numbers what the threads stand before, after so many events each: dense, below size() +
  // thread_count().
  uint32_t place(uint32_t slot, uint32_t count) const {
    return threads_[slot].begin + slot + count;
  }

  // --- events
  uint32_t slot(uint32_t event) const { return events_[event].slot; }
  uint32_t ordinal(uint32_t event) const { return events_[event].ordinal; }
  const Transition& transition(uint32_t event) const { return execution_->transitions[event]; }
  const Digest& digest(uint32_t event) const { return *events_[event].digest; }
  // Dependent with everything: it has more accesses than fit, or it ended the execution for all.
  bool touches_everything(uint32_t event) const { return events_[event].touches_everything; }

  // Whether invisible code after it did anything.
  bool has_invisible(uint32_t event) const { return events_[event].has_invisible; }
  // Whether each_successor would call f.
  bool has_successors(uint32_t event) const { return events_[event].first_edge != kNone; }

  // i is j, or happens before it.
  bool is_before(uint32_t i, uint32_t j) const {
    return history(j)[events_[i].slot] > events_[i].ordinal;
  }
  // The thread's last event before the event's own; its creator if there is none; kNone without
  // either.
  uint32_t previous(uint32_t slot, uint32_t count) const {
    return count > 0 ? event(slot, count - 1) : creator(slot);
  }
  // What happens before the event, with itself: a configuration, by slot.
  const uint32_t* history(uint32_t event) const { return clocks_.data() + size_t{event} * stride_; }

  // Calls f(j) for events j of other threads that the event happens before, the latest first: for
  // all those, at least, with nothing between (is_immediate).
  template <typename F>
  void each_successor(uint32_t event, F&& f) const {
    for (uint32_t i = events_[event].first_edge; i != kNone; i = edges_[i].next_of_source) {
      f(edges_[i].target);
    }
  }
  // Whether i happens before j, and nothing that i happens before does. Requires that they belong
  // to different threads.
  bool is_immediate(uint32_t i, uint32_t j) const;

  // Whether transitions of two threads with these accesses are dependent.
  bool conflicts(uint32_t event, const Access* accesses, uint32_t count) const;

  // --- configurations
  uint32_t stride() const { return stride_; }
  bool contains(const Configuration& set, uint32_t event) const {
    return set[events_[event].slot] > events_[event].ordinal;
  }
  void add_history(Configuration& set, uint32_t event) const;
  // The first `count` events of the schedule.
  void prefix(uint32_t count, Configuration& out) const;
  // All events that the event does not happen before.
  void without_future(uint32_t event, Configuration& out) const;
  // How many of the thread's events it does not happen before.
  uint32_t not_after(uint32_t event, uint32_t slot) const;

 private:
  struct Thread {
    ThreadId id = kNoThread;
    uint32_t creator = kNone;
    const ThreadAtEnd* at_end = nullptr;
    uint32_t begin = 0;  // in by_thread_
    uint32_t length = 0;
    uint32_t last = kNone;  // of its events
    uint32_t join = kNone;  // the event that wrote its life when nobody else had looked at it
    ProcessId process = kNoProcess;
  };
  struct Event {
    uint32_t slot = 0;
    uint32_t ordinal = 0;
    uint32_t first_edge = kNone;   // of those that lead away
    uint32_t edges_begin = 0;      // of those that lead here; they end where the next event's begin
    uint32_t everyone = kNone;     // the last event before it that touches everything
    uint32_t accesses_before = 0;  // that had been taken
    const Digest* digest = nullptr;
    bool touches_everything = false;
    bool has_invisible = false;
  };
  // Between events of different threads. All of happens-before follows from these and the threads.
  struct Edge {
    uint32_t source = 0;
    uint32_t target = 0;
    uint32_t next_of_source = kNone;
  };

  void start();
  bool has_same_threads() const;
  void take_back(uint32_t count);
  uint32_t add_thread(ThreadId id);
  void add_unlisted_threads();
  bool note_creations(uint32_t event);
  bool read_events();
  void sort_by_thread();
  const Digest& digest_of(const Transition& made, uint32_t slot, uint32_t ordinal);
  void read_event(uint32_t event);
  bool read_plain_join(uint32_t event, uint32_t* clock);
  bool order_by_accesses(uint32_t event, uint32_t* clock);
  void order_by_own_lives(uint32_t event, uint32_t* clock);
  bool order_by_life(const Access& access, uint32_t event, uint32_t* clock);
  bool order_by_process(const Access& access, uint32_t event, uint32_t* clock);
  void order_after_all(uint32_t event, uint32_t* clock);
  void order_after(uint32_t source, uint32_t event, uint32_t* clock);
  void add_edge(uint32_t source, uint32_t event);
  void join(uint32_t* clock, const uint32_t* other) const { join_both(clock, clock, other); }
  void join_both(uint32_t* clock, const uint32_t* one, const uint32_t* other) const;

  const Execution* execution_ = nullptr;
  bool all_dependent_ = false;
  uint32_t kept_ = 0;
  uint32_t bringing_signals_ = 0;  // events
  uint32_t with_parts_ = 0;
  uint32_t with_invisible_ = 0;
  bool has_pending_ = false;
  std::vector<uint32_t> slot_of_;  // by thread
  std::vector<Thread> threads_;
  std::vector<Event> events_;
  std::vector<uint32_t> by_thread_;  // events, thread by thread
  std::vector<Edge> edges_;          // by target
  uint32_t stride_ = 0;
  std::vector<uint32_t> clocks_;  // by event and slot
  uint32_t everyone_ = kNone;     // the last event that touches everything
  LastAccesses last_;
  std::deque<Digest> digests_;
  std::vector<std::vector<Digest*>> digest_of_;  // by slot and ordinal, also of earlier executions
};

}  // namespace mazurka
