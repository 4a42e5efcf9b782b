#include "schedule/free_run.h"

#include "base/check.h"
#include "objects/choices.h"

namespace mazurka {
namespace {

bool depends(const AccessList& a, const Access* b, uint32_t b_count) {
  return a.overflow || conflict(a.items, a.count, b, b_count);
}

// Whether the last step left a thread before a wait for others. That waits for whatever moves next,
// so the step depends on all that sleeps (add_waits_for_moves in execution/execution.h says the
// same to the searches).
bool begins_to_wait_for_others(const World& world) {
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    const ThreadState& thread = world.threads[i];
    if (thread.status == ThreadStatus::AtOperation &&
        thread.pending.kind == OpKind::WaitForOthers && thread.waiting_since == world.moves) {
      return true;
    }
  }
  return false;
}

// Whether the second one pauses, and the first one does not or has done so for longer.
bool goes_before(const World& world, ThreadId one, ThreadId other) {
  const ThreadState& found = world.thread(other);
  if (!lets_others_go_first(found.pending.kind)) return false;
  const ThreadState& thread = world.thread(one);
  return !lets_others_go_first(thread.pending.kind) || thread.waiting_since < found.waiting_since;
}

}  // namespace

void FreeRun::begin() {
  open.begin();
  composing = kNoThread;
  ended_before = 1;
  last = kMainThread;
  if (draws()) sampler.begin(sampling, policy, random);
}

void FreeRun::note(const World& before, uint32_t position, Choice choice,
                   const AccessList& accesses, bool after_prefix) {
  last = choice.thread;
  if (draws() && after_prefix) sampler.note(sampling, before, choice, accesses, room);
  if (composed) {
    if (after_prefix) compose(before, choice, accesses);
    return;
  }
  if (open.count > 0 || open.next < block_count)
    open.note(planned_blocks(), position, choice.thread, accesses);
  if (!after_prefix) return;
  for (uint32_t i = 0; i < sleep_count;) {
    const Choice sleeping = sleep[i];
    const Operation& op = before.thread(sleeping.thread).pending;
    AccessList its{room, kMaxStepAccesses};
    mazurka::accesses(before, sleeping.thread, op, sleeping.outcome, its);
    bool wakes =
        sleeping.thread == choice.thread || its.overflow || depends(accesses, its.items, its.count);
    if (wakes && conditional && sleeping.thread != choice.thread) {
      wakes = !commute_here(before, choice.thread, before.thread(choice.thread).pending,
                            choice.outcome, sleeping.thread, op, sleeping.outcome);
    }
    if (wakes) {
      forget_sleeping(i);
    } else {
      ++i;
    }
  }
}

void FreeRun::forget_sleeping(uint32_t i) {
  sleep[i] = sleep[--sleep_count];
  if (composed) blocks[i] = blocks[sleep_count];
}

// --- composed transitions

void FreeRun::compose(const World& before, Choice choice, const AccessList& accesses) {
  const Operation& op = before.thread(choice.thread).pending;
  if (is_hurried(before, choice.thread)) {
    transition.note(op);
  } else {
    const bool takes = op.kind == OpKind::MutexLock && !before.object(op.object).destroyed &&
                       !before.object(op.object).mutex.locked() &&
                       !before.object(op.object).mutex.robust;
    transition.begin(op, takes);
    composing = choice.thread;
  }
  // Its own at once: what follows in the same transition must not be taken for it.
  for (uint32_t i = 0; i < sleep_count;) {
    if (sleep[i].thread == choice.thread) {
      forget_sleeping(i);
    } else {
      ++i;
    }
  }
  for (uint32_t i = 0; i < accesses.count; ++i)
    transition.add(accesses.items[i].resource, accesses.items[i].mode);
  transition.overflow = transition.overflow || accesses.overflow;
}

void FreeRun::end_transition() {
  if (composing == kNoThread) return;
  transition.end();
  for (uint32_t i = 0; i < sleep_count;) {
    const PlanBlock& its = blocks[i];
    const bool wakes =
        transition.overflow || conflict(transition.accesses, transition.count,
                                        block_accesses + its.access_begin, its.access_count);
    if (wakes) {
      forget_sleeping(i);
    } else {
      ++i;
    }
  }
  composing = kNoThread;
}

ThreadId FreeRun::hurried(const World& world, uint32_t bound) {
  const ThreadId found = invisible_first ? first_invisible(world, visible_locks, bound) : kNoThread;
  if (composed && found == kNoThread) end_transition();
  return found;
}

bool FreeRun::is_asleep(const World& world, Choice choice) {
  for (uint32_t i = 0; i < sleep_count; ++i) {
    if (sleep[i] == choice) return true;
  }
  if (!open.may_hold_back(planned_blocks(), choice.thread)) return false;
  AccessList its{room, kMaxStepAccesses};
  accesses(world, choice.thread, world.thread(choice.thread).pending, choice.outcome, its);
  return open.hold_back(planned_blocks(), choice.thread, its);
}

void FreeRun::wake_if_waiting_for_others(const World& world, bool first) {
  if (!first && sleep_count > 0 && begins_to_wait_for_others(world)) sleep_count = 0;
}

bool FreeRun::consider(const World& world, Choice choice, bool first, Choice& found) {
  if (draws()) {
    if (!is_asleep(world, choice)) sampler.offer(sampling, world, choice);
    return true;
  }
  const bool wants = policy == Policy::Stay || (first && forced != kNoThread);
  const bool wanted = wants && choice.thread == (policy == Policy::Stay ? last : forced);
  if (found.thread != kNoThread && !wanted && !goes_before(world, choice.thread, found.thread))
    return true;
  if (is_asleep(world, choice)) return true;
  found = choice;
  return !wanted && (wants || lets_others_go_first(world.thread(choice.thread).pending.kind));
}

Choice FreeRun::choose(const World& world, const Choice* enabled, uint32_t count, bool first) {
  MAZURKA_DEBUG_CHECK(count > 0);
  wake_if_waiting_for_others(world, first);
  if (draws()) sampler.look(sampling, world);
  Choice found;
  for (uint32_t i = 0; i < count && consider(world, enabled[i], first, found); ++i) {
  }
  return draws() ? sampler.take() : found;
}

// Who has ended never moves again in this execution.
void FreeRun::pass_over_ended(const World& world) {
  while (ended_before < world.thread_limit &&
         world.threads[ended_before].status == ThreadStatus::AtExit)
    ++ended_before;
}

Choice FreeRun::choose_of_all(const World& world, uint32_t bound, bool first, bool& any) {
  wake_if_waiting_for_others(world, first);
  pass_over_ended(world);
  if (draws()) sampler.look(sampling, world);
  any = false;
  Choice found;
  each_choice(
      world, bound,
      [&](Choice choice) {
        any = true;
        return consider(world, choice, first, found);
      },
      ended_before);
  return draws() ? sampler.take() : found;
}

}  // namespace mazurka
