#include "objects/free_run.h"

#include "objects/choices.h"

namespace mazurka {
namespace {

bool depends(const AccessList& a, const Access* b, uint32_t b_count) {
  return a.overflow || conflict(a.items, a.count, b, b_count);
}

// Whether the last step left a thread before a yield. That waits for whatever moves next, so the step
// depends on all that sleeps (add_waits_for_moves in program/execution.h says the same to the searches).
bool begins_to_yield(const World& world) {
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    const ThreadState& thread = world.threads[i];
    if (thread.status == ThreadStatus::AtOperation && thread.pending.kind == OpKind::Yield &&
        thread.waiting_since == world.moves) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool covers(const Access* a, uint32_t a_count, const Access* b, uint32_t b_count) {
  for (uint32_t j = 0; j < b_count; ++j) {
    bool found = false;
    for (uint32_t i = 0; i < a_count && !found; ++i) {
      found = a[i].resource == b[j].resource && (a[i].mode == b[j].mode || a[i].mode == Mode::Write);
    }
    if (!found) return false;
  }
  return true;
}

void FreeRun::begin() {
  open_count = 0;
  next_block = 0;
  composing = kNoThread;
  ended_before = 1;
}

void FreeRun::open_blocks(uint32_t position) {
  for (; next_block < block_count && blocks[next_block].begin <= position; ++next_block) {
    if (blocks[next_block].reversed == kNoThread) continue;
    if (open_count == kMaxOpenBlocks) continue;  // then it lets nothing sleep: a duplicate at worst, never a loss
    const PlanBlock& block = blocks[next_block];
    open[open_count++].begin(next_block, AccessMask::of(block_accesses + block.access_begin, block.access_count));
  }
}

// `mask` is that of the accesses.
void FreeRun::taint(OpenBlock& block, ThreadId thread, const AccessList& accesses, const AccessMask& mask) const {
  const PlanBlock& plan = blocks[block.block];
  const bool hit = thread == plan.reversed || block.holds(thread) || accesses.overflow ||
                   (mask.may_conflict(block.reversed) &&
                    depends(accesses, block_accesses + plan.access_begin, plan.access_count)) ||
                   (mask.may_conflict(block.mask) && depends(accesses, block.accesses, block.access_count));
  if (!hit) return;
  block.add(thread);
  AccessList all{block.accesses, kMaxTaint, block.access_count};
  const uint64_t known = block.mask.changes | block.mask.looks;
  for (uint32_t i = 0; i < accesses.count; ++i) {
    const Access& access = accesses.items[i];
    if ((known & AccessMask::bit_of(access.resource)) == 0) {  // nor is it listed twice by one operation
      all.add_new(access.resource, access.mode);
    } else {
      all.add(access.resource, access.mode);
    }
  }
  block.mask.add(mask);
  block.access_count = all.overflow ? kMaxTaint : all.count;
}

// Whether nothing can be asleep in it any more; or there is no room, then a trace is repeated at worst.
bool FreeRun::is_over(const OpenBlock& block) const {
  const PlanBlock& plan = blocks[block.block];
  if (block.access_count == kMaxTaint) return true;
  const bool may_cover = (block.reversed.changes & ~block.mask.changes) == 0 && (block.reversed.looks & ~block.mask.looks) == 0;
  return may_cover && covers(block.accesses, block.access_count, block_accesses + plan.access_begin, plan.access_count);
}

void FreeRun::note(const World& before, uint32_t position, Choice choice, const AccessList& accesses,
                   bool after_prefix) {
  if (composed) {
    if (after_prefix) compose(before, choice, accesses);
    return;
  }
  open_blocks(position);
  const AccessMask mask = open_count > 0 ? AccessMask::of(accesses.items, accesses.count) : AccessMask();
  for (uint32_t i = 0; i < open_count;) {
    taint(open[i], choice.thread, accesses, mask);
    if (accesses.overflow || is_over(open[i])) {
      open[i].take_over(open[--open_count]);
    } else {
      ++i;
    }
  }
  if (!after_prefix) return;
  for (uint32_t i = 0; i < sleep_count;) {
    const Choice sleeping = sleep[i];
    const Operation& op = before.thread(sleeping.thread).pending;
    AccessList its{room, kMaxStepAccesses};
    mazurka::accesses(before, sleeping.thread, op, sleeping.outcome, its);
    bool wakes = sleeping.thread == choice.thread || its.overflow || depends(accesses, its.items, its.count);
    if (wakes && conditional && sleeping.thread != choice.thread) {
      wakes = !commute_here(before, choice.thread, before.thread(choice.thread).pending, choice.outcome,
                            sleeping.thread, op, sleeping.outcome);
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
                       !before.object(op.object).mutex.locked() && !before.object(op.object).mutex.robust;
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
  for (uint32_t i = 0; i < accesses.count; ++i) transition.add(accesses.items[i].resource, accesses.items[i].mode);
  transition.overflow = transition.overflow || accesses.overflow;
}

void FreeRun::end_transition() {
  if (composing == kNoThread) return;
  transition.end();
  for (uint32_t i = 0; i < sleep_count;) {
    const PlanBlock& its = blocks[i];
    const bool wakes = transition.overflow ||
                       conflict(transition.accesses, transition.count, block_accesses + its.access_begin, its.access_count);
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

// Creation orders the creator's step before all that the new thread does.
void FreeRun::note_creation(ThreadId creator, ThreadId created) {
  if (creator == kNoThread) return;
  for (uint32_t i = 0; i < open_count; ++i) {
    if (open[i].holds(creator)) open[i].add(created);
  }
}

bool FreeRun::sleeps_in(const OpenBlock& block, ThreadId thread, const AccessList& accesses) const {
  const PlanBlock& plan = blocks[block.block];
  if (index(thread) >= index(plan.head) || thread == plan.reversed || block.holds(thread)) return false;
  return depends(accesses, block_accesses + plan.access_begin, plan.access_count) &&
         !depends(accesses, block.accesses, block.access_count);
}

bool FreeRun::is_asleep(const World& world, Choice choice) const {
  for (uint32_t i = 0; i < sleep_count; ++i) {
    if (sleep[i] == choice) return true;
  }
  if (open_count == 0) return false;
  AccessList its{room, kMaxStepAccesses};
  accesses(world, choice.thread, world.thread(choice.thread).pending, choice.outcome, its);
  if (its.overflow) return false;
  for (uint32_t i = 0; i < open_count; ++i) {
    if (sleeps_in(open[i], choice.thread, its)) return true;
  }
  return false;
}

void FreeRun::wake_if_yielding(const World& world, bool first) {
  if (!first && sleep_count > 0 && begins_to_yield(world)) sleep_count = 0;
}

// Xorshift.
uint64_t FreeRun::next_random() {
  random ^= random << 13;
  random ^= random >> 7;
  random ^= random << 17;
  return random;
}

bool FreeRun::consider(const World& world, Choice choice, bool first, uint32_t& seen, Choice& found) {
  if (random != 0) {  // the last of n replaces the others with probability 1/n: so each is as likely
    if (!is_asleep(world, choice) && (next_random() >> 11) % ++seen == 0) found = choice;
    return true;
  }
  const bool wanted = first && choice.thread == forced;
  if ((found.thread != kNoThread && !wanted) || is_asleep(world, choice)) return true;
  found = choice;
  return !wanted && first && forced != kNoThread;
}

Choice FreeRun::choose(const World& world, const Choice* enabled, uint32_t count, bool first) {
  wake_if_yielding(world, first);
  Choice found;
  uint32_t seen = 0;
  for (uint32_t i = 0; i < count && consider(world, enabled[i], first, seen, found); ++i) {
  }
  return found;
}

// Who has ended never moves again in this execution.
void FreeRun::pass_over_ended(const World& world) {
  while (ended_before < world.thread_limit && world.threads[ended_before].status == ThreadStatus::AtExit) ++ended_before;
}

Choice FreeRun::choose_of_all(const World& world, uint32_t bound, bool first, bool& any) {
  wake_if_yielding(world, first);
  pass_over_ended(world);
  any = false;
  Choice found;
  uint32_t seen = 0;
  each_choice(world, bound, [&](Choice choice) {
    any = true;
    return consider(world, choice, first, seen, found);
  }, ended_before);
  return found;
}

}  // namespace mazurka
