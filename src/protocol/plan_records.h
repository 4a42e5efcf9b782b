// The plans of a batch in the shared segment. The tool writes them (program/plan_writer.h), batch.h
// unpacks the next one for the runtime.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace mazurka {

inline constexpr uint32_t kMaxBatch = 64;  // plans that are handed over at a time

struct PlanHeader {
  uint32_t prefix_begin;
  uint32_t prefix_length;
  uint32_t depth;     // transitions of an execution at most
  uint32_t bound;     // transitions of a thread at most; 0: no bound
  uint32_t livelock;  // successive global states in which a thread may be disabled; 0: do not look
  uint8_t stacks;     // log call stacks, too (slow)
  uint8_t show_output;  // the program's own output goes through
  // What goes into FreeRun.
  uint8_t conditional;
  uint8_t lists_enabled;  // what was enabled before each step after the prefix is logged, too
  ThreadId forced;
  uint8_t invisible_first;
  uint8_t composed;
  uint32_t sleep_begin, sleep_count;
  uint32_t block_begin, block_count;
  uint32_t block_access_begin, block_access_count;
  uint64_t random;  // after the prefix, choices are made at random from this seed; 0: the first one
                    // always
  uint64_t watched;  // with stacks: accesses to the word at this address are remembered with
                     // theirs; 0: none
};

// Several plans at a time, so that a hand-over between tool and program costs little. Their parts
// lie one after another; the logs of their executions, too.
struct Batch {
  uint32_t plan_count;
  uint32_t run_count;     // executions that are over, and whose logs are in Segment::logs
  uint32_t is_over;       // the tool should look at the last one before the next is run
  uint32_t thread_names;  // known when the batch began
  uint32_t object_names;
  uint32_t is_unverified;  // 1: whether memory was reset has still to be asked; until then only the
                           // first log counts
  uint64_t start;          // in cycles
};

}  // namespace mazurka
