// One step of an execution: the plan or a free run chooses who moves, the choice is logged, and the
// models apply it. The one scheduler: the runtime takes every step of a program by it
// (runtime/core/scheduler.cc), ScriptedProgram every step of a script.
//
// Only the log differs between the two, so it is a template parameter: this is the runtime's
// hottest code, and a virtual call would show.
#pragma once

#include <concepts>
#include <cstdint>

#include "base/check.h"
#include "objects/accesses.h"
#include "objects/choices.h"
#include "objects/frequent.h"
#include "objects/world.h"
#include "schedule/free_run.h"
#include "schedule/planned_step.h"

namespace mazurka {

// What a plan says of each step; how an execution goes on after the prefix is in FreeRun.
struct StepRules {
  const PlannedStep* prefix = nullptr;
  uint32_t prefix_length = 0;
  uint32_t depth = 0;          // transitions of an execution at most
  uint32_t bound = 0;          // transitions of a thread at most; 0: no bound
  uint32_t livelock = 0;       // global states in which a thread may be disabled; 0: do not look
  bool lists_enabled = false;  // log what was enabled, after the prefix
};

// Why an execution ends where a step was wanted.
enum class StepEnd : uint8_t {
  None,  // it does not: the step was taken
  Finished,
  Deadlock,
  Bounded,
  DepthReached,
  Blocked,         // only sleeping transitions are enabled
  Livelock,        // TakenStep::thread was disabled for too long
  Nondeterminism,  // TakenStep::thread cannot do what the plan says
};

struct TakenStep {
  StepEnd end = StepEnd::None;
  ThreadId thread = kNoThread;  // who moved
};

// Where a step is logged. Called in this order; the list of enabled choices only where the plan
// wants it.
template <typename Log>
concept StepLog = requires(Log& log, Choice choice, AccessList& accesses, Effect effect) {
  log.begin_enabled();
  log.add_enabled(choice);
  { log.enabled() } -> std::convertible_to<const Choice*>;
  { log.enabled_count() } -> std::convertible_to<uint32_t>;
  // The choice, with the operation that its thread stands before; that, as it was logged, is
  // returned. `true`: it belongs to the thread's transition before (FreeRun::is_hurried).
  { log.add_choice(choice, true) } -> std::same_as<const Operation&>;
  // An empty list with room for kMaxStepAccesses. What add_accesses leaves in it counts.
  { log.accesses() } -> std::same_as<AccessList>;
  log.add_accesses(accesses);
  // The last look at the state before a step that is not frequent (objects/frequent.h).
  log.before_effect(choice);
  // By value, and nobody may take its address: in registers it is two stores, in memory it would be
  // read back in one piece that waits for the stores of its parts.
  log.add_effect(choice, effect);
};

// Whether the thread stands before the same operation as when the plan was made, and that can
// happen.
inline bool can_follow(const World& world, const PlannedStep& planned, uint32_t bound) {
  const ThreadId id = planned.choice.thread;
  if (index(id) >= world.thread_limit) return false;
  const Operation& pending = world.thread(id).pending;
  if (planned.kind != OpKind::None && planned.kind != pending.kind) return false;
  if (planned.object != kNoObject && planned.object != pending.object) return false;
  if (pending.kind != OpKind::WaitForOthers)
    return has_outcome(world, ways_on(world, id, bound), planned.choice.outcome);
  bool found = false;  // which of them go on depends on what the others can do
  each_choice(world, bound, [&](Choice choice) {
    found = choice == planned.choice;
    return !found;
  });
  return found;
}

// What came instead of the step that could not be followed.
inline Operation came_instead(const World& world, ThreadId id) {
  return index(id) < world.thread_limit ? world.thread(id).pending : Operation{};
}

inline StepEnd end_of(Standstill standstill) {
  switch (standstill) {
    case Standstill::Finished:
      return StepEnd::Finished;
    case Standstill::Deadlock:
      return StepEnd::Deadlock;
    case Standstill::Bounded:
      return StepEnd::Bounded;
  }
  __builtin_unreachable();
}

// After the prefix. `any`: whether something is enabled; kNoThread, although it is: all of it
// sleeps.
template <StepLog Log>
Choice choose_freely(const World& world, FreeRun& free_run, const StepRules& rules,
                     uint32_t position, Log& log, bool& any) {
  const bool first = position == rules.prefix_length;
  if (!rules.lists_enabled) return free_run.choose_of_all(world, rules.bound, first, any);
  log.begin_enabled();
  const ThreadId hurried = free_run.hurried(world, rules.bound);
  each_choice(world, rules.bound, [&](Choice choice) {
    if (hurried == kNoThread || choice.thread == hurried) log.add_enabled(choice);
    return true;
  });
  any = log.enabled_count() > 0;
  if (!any) return {};
  return free_run.choose(world, log.enabled(), log.enabled_count(), first);
}

// Logs the choice and applies it. What programs do most goes a short way (objects/frequent.h), to
// the same end.
template <StepLog Log>
void carry_out(World& world, FreeRun& free_run, uint32_t position, Choice choice, bool after_prefix,
               Log& log) {
  const ThreadId id = choice.thread;
  const Operation& op = log.add_choice(choice, free_run.is_hurried(world, id));
  const Frequent frequent = frequent_step(world, id, op);
  AccessList list = log.accesses();
  if (frequent != Frequent::No) {
    frequent_accesses(world, frequent, id, op, list);
  } else {
    accesses(world, id, op, choice.outcome, list);
  }
  log.add_accesses(list);
  free_run.note(world, position, choice, list, after_prefix);
  if (frequent == Frequent::No) log.before_effect(choice);
  const Effect effect = frequent != Frequent::No ? frequent_apply(world, frequent, id, op)
                                                 : apply(world, id, op, choice.outcome);
  world.thread(id).effect = effect;
  log.add_effect(choice, effect);
}

// Takes the step after the first `position` ones, or says why there is none. Requires that every
// thread stands before an operation or at exit, and that take_invisible has been called.
template <StepLog Log>
TakenStep take_step(World& world, FreeRun& free_run, const StepRules& rules, uint32_t position,
                    Log& log) {
  MAZURKA_DEBUG_CHECK(world.touched_count == 0 && world.created_count == 0);
  if (rules.livelock != 0) {
    const ThreadId late = note_disabled(world, rules.livelock, rules.bound);
    if (late != kNoThread) return {StepEnd::Livelock, late};
  }
  const bool after_prefix = position >= rules.prefix_length;
  Choice choice;
  if (!after_prefix) {
    const PlannedStep& planned = rules.prefix[position];
    choice = planned.choice;
    if (!can_follow(world, planned, rules.bound)) return {StepEnd::Nondeterminism, choice.thread};
  } else {
    bool any = false;
    choice = choose_freely(world, free_run, rules, position, log, any);
    if (!any) return {end_of(standstill(world, rules.bound))};
    if (position >= rules.depth) return {StepEnd::DepthReached};
    if (choice.thread == kNoThread) return {StepEnd::Blocked};
  }
  carry_out(world, free_run, position, choice, after_prefix, log);
  return {StepEnd::None, choice.thread};
}

// Where what invisible code did is logged.
template <typename Log>
concept InvisibleLog = requires(Log& log, ObjectId id, const Object& object, ThreadId created,
                                const ThreadState& thread) {
  log.add_setting(id, object);
  // `true`: it has ended already, and nobody may wait for it.
  log.add_creation(created, thread, true);
};

// Logs what invisible code did since the last step: the objects that it set up, the threads that it
// created. To be called before the next step.
template <InvisibleLog Log>
void take_invisible(World& world, FreeRun& free_run, Log& log) {
  for (uint32_t i = 0; i < world.touched_count; ++i)
    log.add_setting(world.touched[i], world.object(world.touched[i]));
  for (uint32_t i = 0; i < world.created_count; ++i) {
    const ThreadId id = world.created[i];
    const ThreadState& thread = world.thread(id);
    log.add_creation(id, thread, thread.process == id && world.process(id).reaped);
    free_run.note_creation(thread.creator, id);
  }
  world.touched_count = 0;
  world.created_count = 0;
}

}  // namespace mazurka
