// How an execution goes on after the plan's prefix: freely, but never with a sleeping transition.
// One place for the rule, used by the runtime inside the program and by ScriptedProgram. Plain
// data: it lives in the shared segment, because each step may be taken by another process.
//
// Two kinds of sleep. The set of VeriSoft's algorithm 2: a transition sleeps until a dependent one
// has happened. And the open blocks of our reverse search (open_blocks.h).
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/accesses.h"
#include "objects/world.h"
#include "schedule/composed.h"
#include "schedule/invisible_first.h"
#include "schedule/open_blocks.h"
#include "schedule/sampling.h"

namespace mazurka {

inline constexpr uint32_t kMaxSleep = 1024;
inline constexpr uint32_t kMaxBlocks = 4096;
inline constexpr uint32_t kMaxBlockAccesses = 1u << 16;

struct FreeRun {
  // The plan's.
  uint64_t random = 0;          // the seed of a sample
  ThreadId forced = kNoThread;  // moves first after the prefix, once, if it can
  bool conditional = false;     // the sleep set takes the state into account: commute_here
  bool invisible_first =
      false;  // whoever stands before an invisible operation is the only one enabled
  // What sleeps is woken by composed transitions, when they are over. What the i-th that sleeps
  // accesses is not known from its operation: it is at the accesses of blocks[i], which are no
  // blocks then.
  bool composed = false;
  Policy policy = Policy::First;
  ThreadId last = kMainThread;  // the execution's: who moved last; in the beginning, the first
  uint32_t sleep_count = 0;
  uint32_t block_count = 0;
  uint32_t block_access_count = 0;
  // The execution's.
  ThreadId composing = kNoThread;  // whose transition after the prefix is not over yet
  uint16_t ended_before = 1;       // all threads between the first one and this have ended
  Choice sleep[kMaxSleep];
  PlanBlock blocks[kMaxBlocks];  // by `begin`
  Access block_accesses[kMaxBlockAccesses];
  OpenBlocks open;
  // Room for the accesses of one operation. Not on the stack, where it would be a page more for
  // each thread that a reset must copy back.
  mutable Access room[kMaxStepAccesses];
  // With `invisible_first`: locks whose releases are visible. The same for many plans, so not the
  // plan's own.
  LockMarks visible_locks;
  // What samples go by. The same for many plans, too.
  SamplingRule sampling;
  Sampler sampler;
  ComposedTransition transition;  // of `composing`

  // Before the first step.
  void begin();

  // To be called for each step, before it is applied, also for those of the prefix. `after_prefix`:
  // the sleep set is that of the state at the prefix's end, so steps of the prefix do not touch it.
  void note(const World& before, uint32_t position, Choice choice, const AccessList& accesses,
            bool after_prefix);

  // With `composed`: the invisible code after the step that was noted last does this, too.
  void note_late(Resource resource, Mode mode) {
    if (composing != kNoThread) transition.add(resource, mode);
  }

  // To be called after the step, for each thread that its invisible code created, in their order.
  void note_creation(ThreadId creator, ThreadId created) {
    if (open.count > 0) open.note_creation(planned_blocks(), creator, created);
  }

  // The first of the enabled choices that is awake; the forced thread's first; or the last mover's;
  // or what a policy draws of them. Of the first ones, a thread that pauses comes last, and of
  // several the one that has paused longest: a program whose loops let others go on comes to its
  // end. kNoThread: all of them sleep. Requires at least one, and that the prefix is over. `first`:
  // this is the first step after it.
  Choice choose(const World& world, const Choice* enabled, uint32_t count, bool first);
  // The same of all that is enabled, without a list of it: mostly the first one is it. `any`:
  // whether something is enabled.
  Choice choose_of_all(const World& world, uint32_t bound, bool first, bool& any);

  bool is_asleep(const World& world, Choice choice);

  // With `invisible_first`: the one thread that may move now, because what it does next is
  // invisible; kNoThread: any. To be called before each free choice.
  ThreadId hurried(const World& world, uint32_t bound);
  // Whether what the thread does next belongs to its transition before.
  bool is_hurried(const World& world, ThreadId thread) const {
    return invisible_first && is_invisible(world, visible_locks, thread);
  }

 private:
  bool draws() const { return policy > Policy::Stay; }
  PlanBlocks planned_blocks() const { return {blocks, block_count, block_accesses}; }
  // False when the choice that `found` is now is final.
  bool consider(const World& world, Choice choice, bool first, Choice& found);
  void wake_if_waiting_for_others(const World& world, bool first);
  void pass_over_ended(const World& world);
  void compose(const World& before, Choice choice, const AccessList& accesses);
  void end_transition();
  void forget_sleeping(uint32_t i);
};
static_assert(std::is_trivially_copyable_v<FreeRun> &&
              std::has_unique_object_representations_v<FreeRun>);  // no hidden padding

}  // namespace mazurka
