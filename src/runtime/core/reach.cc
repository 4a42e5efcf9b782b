#include "runtime/core/reach.h"

#include "runtime/accesses/annotated_calls.h"
#include "runtime/accesses/race_clocks.h"
#include "runtime/accesses/seen_memory.h"
#include "runtime/accesses/spin_trail.h"
#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/baton.h"
#include "runtime/core/places.h"
#include "runtime/core/scheduler.h"
#include "runtime/core/state.h"
#include "runtime/core/stop.h"
#include "runtime/patches/access_watch.h"
#include "runtime/patches/patches.h"
#include "runtime/patches/unseen_stores.h"
#include "runtime/reset/server.h"
#include "runtime/signals/signal_actions.h"

namespace mazurka {
namespace {

// Until it was chosen once.
Effect stand_before(const Operation& op, const Call& call) {
  World& w = world();
  const ThreadId me = state.current;
  if (!state.scheduling) {
    const bool can = enabled(w, me, op).any();
    if (can) return happen_at_once(op, call);
    begin_executions();
  }
  ThreadState& thread = w.thread(me);
  thread.pending = op;
  thread.status = ThreadStatus::AtOperation;
  const bool seen = variables_are_seen();
  settle_store();
  if (modules_may_be_new) patch_modules();
  if (seen) arm_watches();
  if (seen && !is_on_variable(op.kind) && op.kind != OpKind::Pause) leave_spin_trail();
  if (calls_are_annotated) check_operation_in_call(op, call);
  record_place(me, call);
  ++segment().control.progress;
  const ThreadId next = goes_on_after(me);
  if (next != me) {
    hand_over(me, next);
  } else if (seen) {
    show_clock(me);  // otherwise hand_over did
  }
  if (op.kind == OpKind::Assertion || op.kind == OpKind::Misuse) stop_here();
  if (thread.effect.misuse != Misuse::None) {
    stop_here();
    happen_at_once({.kind = OpKind::Misuse, .value = static_cast<int64_t>(thread.effect.misuse)},
                   call);
    vanish();
  }
  return thread.effect;
}

// Not where it waited for just that signal.
bool interrupts(const Operation& op, const Effect& effect) {
  return effect.signal != 0 && (op.kind != OpKind::SignalWait || effect.error != 0);
}

}  // namespace

Effect reach(const Operation& op, const Call& call) {
  if (watched_word_count != 0) make_unseen_stores_visible(call);
  for (;;) {
    const Effect effect = stand_before(op, call);
    if (!interrupts(op, effect)) return effect;
    if (variables_are_seen()) leave_spin_trail();
    run_handler(effect.signal, call);
    if (effect.error != kOnceMore) return effect;
  }
}

Effect happen_at_once(const Operation& op, const Call& call) {
  World& w = world();
  const ThreadId me = state.current;
  ThreadState& thread = w.thread(me);
  const uint32_t transitions = thread.transitions;
  const uint64_t moves = w.moves;
  Outcome outcome = kOnlyOutcome;
  each_outcome(w, enabled(w, me, op), [&](Outcome o) {
    outcome = o;
    return false;
  });
  if (state.scheduling && memory_is_seen()) order_before_step(me, op, outcome);
  const Effect effect = apply(w, me, op, outcome);
  if (state.scheduling && memory_is_seen()) {
    order_step(me, op, effect);
    show_clock(me);
  }
  thread.transitions = transitions;
  w.moves = moves;
  if (op.object != kNoObject) w.touch(op.object);
  if (op.second != kNoObject) w.touch(op.second);
  for (uint32_t i = 0; i < op.part_count; ++i) w.touch(w.parts[op.part_begin + i].object);
  if (effect.misuse != Misuse::None && op.kind != OpKind::Misuse)
    misuse(effect.misuse, call, op.object);
  return effect;
}

void misuse(Misuse what, Call call, ObjectId object) {
  if (!state.scheduling) begin_executions();
  reach({.kind = OpKind::Misuse, .object = object, .value = static_cast<int64_t>(what)}, call);
  vanish();
}

void run_until_first_operation(ThreadId creator, ThreadId created) {
  if (watched_word_count != 0) name_unseen_stores({});
  arm_watches();
  if (memory_is_seen()) order_creation(creator, created);
  place(created).starting = 1;
  hand_over(creator, created);
}

ThreadId goes_on_after(ThreadId id) {
  if (!place(id).starting) return pick();
  place(id).starting = 0;
  return world().thread(id).creator;
}

void leave_for_good(ThreadId id) {
  settle_store();
  if (watched_word_count != 0) name_unseen_stores({});
  hand_over(id, goes_on_after(id));
  __builtin_unreachable();
}

}  // namespace mazurka
