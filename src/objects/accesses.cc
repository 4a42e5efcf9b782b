#include "objects/accesses.h"

#include "objects/asked.h"
#include "objects/misuse.h"
#include "objects/op_table.h"

namespace mazurka {

// From behind: what all transitions have, and what mostly does not conflict, comes first.
bool conflict(const Access* a, uint32_t a_count, const Access* b, uint32_t b_count) {
  for (uint32_t i = a_count; i-- > 0;) {
    for (uint32_t j = b_count; j-- > 0;) {
      if (a[i].resource == b[j].resource && conflict(a[i].mode, b[j].mode)) return true;
    }
  }
  return false;
}

namespace {

// Whether it is a misuse for good: then there is no object to look into.
bool is_permanent(Misuse misuse) {
  return misuse != Misuse::DestroyBusy && misuse != Misuse::TwoMutexes;
}

// It looks at what it names; a destroy leaves its time there, too.
void misuse_accesses(const Asked& asked, Misuse misuse, AccessList& out) {
  const Mode mode = misuse == Misuse::DestroyBusy ? Mode::Write : Mode::Read;
  row_of(asked.op.kind).misuse_accesses(asked, mode, out);
  ends_process(asked.world, asked.thread, out);
}

// Where a thread may take a signal, each of its outcomes accesses what any of them might: whatever
// depends on one of them must depend on what the thread does instead (D1 in dependency_checker.h).
// False: there is nothing to take.
bool add_with_deliveries(const Asked& asked, AccessList& out) {
  if (asked.world.signal_count == 0 && asked.op.kind != OpKind::SignalSend) return false;
  const Outcomes outcomes = enabled(asked.world, asked.thread, asked.op);
  if ((outcomes.first | outcomes.then) == 0) return false;
  const Asked all{asked.world, asked.thread, asked.op, kOnlyOutcome, true};
  const Misuse misuse = foretell_misuse(asked.world, asked.thread, asked.op);
  if (misuse != Misuse::None) misuse_accesses(all, misuse, out);
  if (misuse == Misuse::None || !is_permanent(misuse)) {
    row_of(asked.op.kind).accesses(all, out);
  }
  delivery_accesses(all, outcomes.first | outcomes.then, out);
  return true;
}

// Requires an empty list.
void all_accesses(const Asked& asked, AccessList& out) {
  // It waits for the others' moves, and is one.
  const bool waits = asked.op.kind == OpKind::WaitForOthers;
  add_common_accesses(asked.world, asked.thread, waits ? Mode::Write : Mode::Add, out);
  if (add_with_deliveries(asked, out)) return;
  const Misuse misuse = foretell_misuse(asked.world, asked.thread, asked.op);
  if (misuse != Misuse::None) misuse_accesses(asked, misuse, out);
  if (misuse != Misuse::None && (!asked.possible || is_permanent(misuse))) return;
  row_of(asked.op.kind).accesses(asked, out);
}

}  // namespace

void accesses(const World& before, ThreadId thread, const Operation& op, Outcome outcome,
              AccessList& out) {
  all_accesses({before, thread, op, outcome, false}, out);
}

void possible_accesses(const World& world, ThreadId thread, const Operation& op, AccessList& out) {
  all_accesses({world, thread, op, kOnlyOutcome, true}, out);
}

void creation_accesses(const World& after, ThreadId created, AccessList& out) {
  const ThreadState& state = after.thread(created);
  out.add(thread_resource(created), Mode::Write);
  if (state.process != created || state.creator == kNoThread) return;
  fork_accesses(after.thread(state.creator).process, out);
}

}  // namespace mazurka
