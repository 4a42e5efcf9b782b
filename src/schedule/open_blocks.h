// The blocks of a plan that are open in a free run (free_run.h): while the thread whose step a
// block of our reverse search (explore/optimal/optimal_search.h) reversed has not moved, no thread
// before the block's head may take a transition that would have been a better head. Plain data, as
// FreeRun is.
//
// What has happened since a block began says what would have been better. That is found out late:
// most blocks are closed by the very step that they reversed before anybody asks.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "objects/access_mask.h"
#include "objects/accesses.h"

namespace mazurka {

inline constexpr uint32_t kMaxOpenBlocks = 64;
inline constexpr uint32_t kMaxTaint = 256;
inline constexpr uint32_t kMaxStepAccesses = 256;

// Steps [begin, end) of the plan were put before a step of `reversed` that they depend on; the last
// of them is the head.
struct PlanBlock {
  uint32_t begin = 0;
  uint32_t end = 0;
  ThreadId reversed = kNoThread;  // kNoThread: the head is another outcome of that same step
  ThreadId head = kNoThread;
  uint32_t access_begin = 0;  // of the step that was reversed, in PlanBlocks::accesses
  uint32_t access_count = 0;
};

// Whether whatever conflicts with `b` conflicts with `a`, too.
bool covers(const Access* a, uint32_t a_count, const Access* b, uint32_t b_count);

// All of a plan's, by `begin`.
struct PlanBlocks {
  const PlanBlock* blocks;
  uint32_t count;
  const Access* accesses;
};

struct OpenBlock {
  uint32_t block = 0;
  uint32_t first_recent = 0;  // of the recent steps that it does not know of
  bool knows_any = false;     // or else its Taint has not been set up
  uint8_t padding[3] = {};
};

// What has happened since an open block began that depends on the step it reversed (or is its
// thread's). The block closes when that has all the accesses of the step: whatever would have been
// a better head depends on it then.
struct Taint {
  uint32_t access_count = 0;
  uint32_t padding = 0;
  AccessMask mask;      // of the accesses
  AccessMask reversed;  // of the step that was reversed
  Access accesses[kMaxTaint];
  uint64_t threads[kMaxThreads / 64] = {};

  // Only what is in use, which is little.
  void take_over(const Taint& other);
  void set_up(const PlanBlock& plan, const Access* all);

  void add(ThreadId id) { threads[index(id) / 64] |= uint64_t{1} << (index(id) % 64); }
  bool holds(ThreadId id) const { return (threads[index(id) / 64] >> (index(id) % 64) & 1) != 0; }
};

struct OpenBlocks {
  static constexpr uint32_t kMaxRecent = 256;
  static constexpr uint32_t kMaxRecentAccesses = kMaxRecent * 4 + kMaxStepAccesses;

  // A step, or the creation of a thread, that not all open blocks know of.
  struct Recent {
    ThreadId thread = kNoThread;
    ThreadId created = kNoThread;
    uint32_t access_begin = 0;
    uint32_t access_count = 0;
  };

  uint32_t count = 0;
  uint32_t next = 0;  // block of the plan
  uint32_t recent_count = 0;
  uint32_t recent_access_count = 0;
  Recent recent[kMaxRecent];
  Access recent_accesses[kMaxRecentAccesses];
  OpenBlock open[kMaxOpenBlocks];
  Taint taints[kMaxOpenBlocks];  // of those, at the same place

  // Before the first step.
  void begin() { count = next = recent_count = recent_access_count = 0; }

  // To be called for each step, before it is applied.
  void note(const PlanBlocks& plan, uint32_t position, ThreadId thread, const AccessList& accesses);
  // To be called after the step, for each thread that its invisible code created, in their order.
  // Creation orders the creator's step before all that the new thread does.
  void note_creation(const PlanBlocks& plan, ThreadId creator, ThreadId created);

  // Whether any transition of the thread may be asleep. Otherwise none is.
  bool may_hold_back(const PlanBlocks& plan, ThreadId thread) const;
  // Whether a transition with these accesses is asleep.
  bool hold_back(const PlanBlocks& plan, ThreadId thread, const AccessList& accesses);

 private:
  void open_those_at(const PlanBlocks& plan, uint32_t position);
  void add_recent(const PlanBlocks& plan, ThreadId thread, ThreadId created, const Access* accesses,
                  uint32_t access_count);
  void learn_recent(const PlanBlocks& plan);
  void learn(const PlanBlocks& plan, uint32_t number);
  void close(uint32_t i);
  bool knows_of(uint32_t i, ThreadId thread) const {
    return open[i].knows_any && taints[i].holds(thread);
  }
};

}  // namespace mazurka
