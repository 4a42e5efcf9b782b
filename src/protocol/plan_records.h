// The plans of a batch in the shared segment. The tool writes them (program/plan_writer.h), batch.h
// unpacks the next one for the runtime.
//
// The i-th plan is Segment::plans[i], 72 bytes, and its parts:
//   prefix_length steps from Segment::prefix[prefix_begin] on, 12 bytes each (PlannedStep);
//   sleep_count choices from Segment::planned_sleep[sleep_begin] on, 4 bytes each (Choice);
//   block_count blocks from Segment::planned_blocks[block_begin] on, 20 bytes each (PlanBlock);
//   block_access_count accesses, 12 bytes each (Access), from
//     Segment::planned_block_accesses[block_access_begin] on. A block's access_begin counts from
//     the first of them.
// The parts of one plan follow those of the plan before it.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "protocol/layout.h"
#include "schedule/sampling.h"

namespace mazurka {

inline constexpr uint32_t kMaxBatch = 64;  // plans that are handed over at a time

struct PlanHeader {
  uint32_t prefix_begin;  // the steps to follow
  uint32_t prefix_length;
  uint32_t depth;     // transitions of an execution at most
  uint32_t bound;     // transitions of a thread at most; 0: no bound
  uint32_t livelock;  // successive global states in which a thread may be disabled; 0: do not look
  uint8_t stacks;     // 1: log call stacks, too (slow)
  uint8_t show_output;  // 1: the program's own output goes through; 2: see look.h
  // What goes into FreeRun.
  uint8_t conditional;
  uint8_t lists_enabled;  // 1: what was enabled before each step after the prefix is logged, too
  ThreadId forced;
  uint8_t invisible_first;
  uint8_t composed;
  uint32_t sleep_begin, sleep_count;  // what sleeps at the end of the prefix
  uint32_t block_begin, block_count;  // blocks that are open there
  uint32_t block_access_begin, block_access_count;
  Policy policy;  // after the prefix; not First: choices are drawn from the seed `random`, by what
                  // is in Segment::free_run.sampling for all plans of a batch
  uint8_t padding[3];
  uint64_t random;
  uint64_t watched;  // with stacks: accesses to the word at this address are remembered with
                     // theirs; 0: none
};
static_assert(is_laid_out<PlanHeader, 72>);

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
  int64_t start_ns;        // of the kernel's monotonic clock
  uint32_t next_look;      // at the clock: when so many executions are over
  uint32_t padding;
};
static_assert(is_laid_out<Batch, 40>);

}  // namespace mazurka
