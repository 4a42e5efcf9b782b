// The ways on from a global state: one place for the rule, used by the runtime inside the program
// and by ScriptedProgram.
#pragma once

#include "objects/frequent.h"
#include "objects/world.h"

namespace mazurka {

// A thread that waits for others goes on when nobody else can: it may be able to after all. After
// so many rounds without any other operation it counts as blocked.
inline constexpr uint16_t kMaxIdleWaits = 100;

// `bound`: transitions that a thread may make (DESIGN: it stands still then); 0 for no bound.
inline bool stands_at_bound(const ThreadState& thread, uint32_t bound) {
  return bound != 0 && thread.transitions >= bound;
}

// What one thread may do now, not counting the rule for idle waits.
inline Outcomes ways_on(const World& world, ThreadId id, uint32_t bound) {
  const ThreadState& thread = world.thread(id);
  if (thread.status != ThreadStatus::AtOperation || stands_at_bound(thread, bound))
    return Outcomes::none();
  return enabled_soon(world, id, thread.pending);
}

// Calls f(Choice) for each enabled choice, by thread and then by outcome, until f returns false.
// Requires that all threads between the first one and `ended_before` have ended: they are passed
// over.
template <typename F>
void each_choice(const World& world, uint32_t bound, F&& f, uint32_t ended_before = 1) {
  bool any = false;
  for (uint32_t i = 0; i < world.thread_limit; i = i == 0 ? ended_before : i + 1) {
    const Outcomes outcomes = ways_on(world, ThreadId(i), bound);
    if (!outcomes.any()) continue;
    any = true;
    if (!each_outcome(world, outcomes, [&](Outcome o) { return f(Choice{ThreadId(i), o}); }))
      return;
  }
  if (any) return;
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    const ThreadState& thread = world.threads[i];
    if (thread.status != ThreadStatus::AtOperation || thread.pending.kind != OpKind::WaitForOthers)
      continue;
    if (stands_at_bound(thread, bound) || thread.repeated_waits >= kMaxIdleWaits) continue;
    if (!f(Choice{ThreadId(i), kOnlyOutcome})) return;
  }
}

// Requires that no choice is enabled.
enum class Standstill { Finished, Deadlock, Bounded };

inline Standstill standstill(const World& world, uint32_t bound) {
  bool finished = true;
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    const ThreadState& thread = world.threads[i];
    if (thread.status != ThreadStatus::AtOperation) continue;
    if (stands_at_bound(thread, bound)) return Standstill::Bounded;
    finished = false;
  }
  return finished ? Standstill::Finished : Standstill::Deadlock;
}

// Livelock, as VeriSoft has it: a thread without an enabled operation in more than `limit`
// successive global states. To be called in each of them, once. Returns the first such thread, or
// kNoThread.
inline ThreadId note_disabled(World& world, uint32_t limit, uint32_t bound) {
  ThreadId late = kNoThread;
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    ThreadState& thread = world.threads[i];
    if (thread.status != ThreadStatus::AtOperation) continue;
    const bool waits = !stands_at_bound(thread, bound) && !ways_on(world, ThreadId(i), bound).any();
    thread.disabled_for = waits ? thread.disabled_for + 1 : 0;
    if (thread.disabled_for > limit && late == kNoThread) late = ThreadId(i);
  }
  return late;
}

}  // namespace mazurka
