#include "report/words/reason.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "explore/findings/explanation.h"
#include "objects/op_table.h"
#include "report/words/conflict_text.h"

namespace mazurka {
namespace {

std::string at(const std::string& location) { return location.empty() ? "" : " at " + location; }
std::string in_brackets(const std::string& location) {
  return location.empty() ? "" : " (" + location + ")";
}

const Culprit* find(const std::vector<Culprit>& all, ThreadId id) {
  const auto it = std::find_if(all.begin(), all.end(),
                               [&](const Culprit& culprit) { return culprit.thread == id; });
  return it == all.end() ? nullptr : &*it;
}

size_t length_of(const Finding& finding) {
  return std::min(finding.schedule.size(), finding.execution.transitions.size());
}

// Who of these made the last step; the first of them if none has made one.
ThreadId last_mover(const Finding& finding, const std::vector<ThreadId>& threads) {
  for (size_t i = length_of(finding); i-- > 0;) {
    const ThreadId id = finding.execution.transitions[i].choice.thread;
    if (std::find(threads.begin(), threads.end(), id) != threads.end()) return id;
  }
  return threads[0];
}

// --- a cycle

// A thread that is woken waits for its mutex.
ObjectId wanted(const Operation& op) {
  return op.kind == OpKind::CondReacquire ? op.second : op.object;
}

// Where the thread got it.
const Transition* acquisition(const Finding& finding, ThreadId thread, ObjectId object) {
  for (size_t i = length_of(finding); i-- > 0;) {
    const Transition& made = finding.execution.transitions[i];
    const OpKind kind = made.op.kind;
    const bool acquires = kind == OpKind::MutexLock || kind == OpKind::ReadLock ||
                          kind == OpKind::WriteLock || kind == OpKind::OnceBegin ||
                          kind == OpKind::CondReacquire;
    if (acquires && made.choice.thread == thread && wanted(made.op) == object) return &made;
  }
  return nullptr;
}

std::string link_text(const Finding& finding, const Culprit& culprit, const Culprit& waiter,
                      const Describer& describer) {
  const Operation& op = *culprit.op;
  std::string text = describer.thread_title(culprit.thread, finding.execution);
  const bool holds = !awaits_end(waiter.op->kind) && wanted(*waiter.op) != kNoObject;
  if (holds) {
    const ObjectId held = wanted(*waiter.op);
    const Transition* taken = acquisition(finding, culprit.thread, held);
    const std::string where = taken != nullptr ? describer.short_location(taken->place) : "";
    text += " holds " + describer.object(held) + in_brackets(where) + " and";
  }
  if (awaits_end(op.kind)) {
    text += " waits for the end of " + describer.thread(op.target);
  } else {
    text += " waits for " + describer.object(wanted(op));
  }
  return text + in_brackets(describer.short_location(*culprit.place));
}

Reason own_lock(const Finding& finding, const Culprit& culprit, const Describer& describer) {
  const ObjectId object = wanted(*culprit.op);
  const Transition* taken = acquisition(finding, culprit.thread, object);
  const std::string before = taken != nullptr ? at(describer.short_location(taken->place)) : "";
  return {
      fmt::format("{} waits for {}{}, which it has itself held since it locked it{}",
                  describer.thread_title(culprit.thread, finding.execution),
                  describer.object(object), at(describer.short_location(*culprit.place)), before),
      culprit.thread};
}

Reason cycle_reason(const Finding& finding, const std::vector<ThreadId>& cycle,
                    const std::vector<Culprit>& all, const Describer& describer) {
  Reason reason;
  for (size_t i = 0; i < cycle.size(); ++i) {
    const Culprit* culprit = find(all, cycle[i]);
    const Culprit* waiter = find(all, cycle[(i + cycle.size() - 1) % cycle.size()]);
    if (culprit == nullptr || waiter == nullptr) return {};
    if (cycle.size() == 1) return own_lock(finding, *culprit, describer);
    reason.sentence += (i > 0 ? "; " : "") + link_text(finding, *culprit, *waiter, describer);
  }
  reason.blamed = last_mover(finding, cycle);
  return reason;
}

// --- a lost wake-up

bool is_signal(OpKind kind) { return kind == OpKind::CondSignal || kind == OpKind::CondBroadcast; }

// As the source has it: "notify_one", "pthread_cond_signal".
std::string call_text(const Transition& made, const Describer& describer) {
  const std::string source = describer.source_text(made.place);
  for (const char* name : {"notify_one", "notify_all", "pthread_cond_signal",
                           "pthread_cond_broadcast", "cnd_signal", "cnd_broadcast"}) {
    if (source.find(name) != std::string::npos) return name;
  }
  return made.op.kind == OpKind::CondSignal ? "the signal" : "the broadcast";
}

enum class Loss { Other, Early, Never };  // went to another, came before the wait, or never came

struct LostWakeUp {
  Loss loss;
  const Culprit* waiter;
  const Transition* signal;  // null: Never
};

std::optional<size_t> wait_of(const Finding& finding, const Culprit& waiter) {
  for (size_t i = length_of(finding); i-- > 0;) {
    const Transition& made = finding.execution.transitions[i];
    if (made.choice.thread != waiter.thread) continue;
    return made.op.kind == OpKind::CondWait ? std::optional(i) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<LostWakeUp> lost_wake_up(const Finding& finding, const Culprit& waiter) {
  if (waiter.op->kind != OpKind::CondReacquire && waiter.op->kind != OpKind::CondWake)
    return std::nullopt;
  const auto wait = wait_of(finding, waiter);
  if (!wait) return std::nullopt;
  const std::vector<Transition>& made = finding.execution.transitions;
  const Transition* before = nullptr;
  for (size_t i = length_of(finding); i-- > 0;) {
    const bool counts = is_signal(made[i].op.kind) && made[i].op.object == waiter.op->object &&
                        made[i].effect.misuse == Misuse::None;
    if (!counts) continue;
    if (i > *wait) return LostWakeUp{Loss::Other, &waiter, &made[i]};
    if (before == nullptr) before = &made[i];
  }
  return LostWakeUp{before != nullptr ? Loss::Early : Loss::Never, &waiter, before};
}

std::string lost_text(const Finding& finding, const LostWakeUp& lost, const Describer& describer) {
  const Culprit& waiter = *lost.waiter;
  const std::string who = describer.thread_title(waiter.thread, finding.execution);
  const std::string here = at(describer.short_location(*waiter.place));
  const std::string object = describer.object(waiter.op->object);
  if (lost.loss == Loss::Never)
    return fmt::format("{} waits on {}{}, and nobody notifies it", who, object, here);
  const std::string call =
      call_text(*lost.signal, describer) + at(describer.short_location(lost.signal->place));
  if (lost.loss == Loss::Other) {
    const auto woken = ThreadId(lost.signal->choice.outcome);
    return fmt::format("{} woke {}; {}, which waits on {}{}, was never notified", call,
                       describer.thread_title(woken, finding.execution), who, object, here);
  }
  return fmt::format("{} by {} came before {} began to wait on {}{}, and nothing notifies it again",
                     call, describer.thread(lost.signal->choice.thread), who, object, here);
}

// Whose wake-up went to another is worse off than who came too late.
Reason wake_up_reason(const Finding& finding, const std::vector<Culprit>& all,
                      const Describer& describer) {
  std::optional<LostWakeUp> worst;
  for (const Culprit& culprit : all) {
    const auto lost = lost_wake_up(finding, culprit);
    if (lost && (!worst || lost->loss < worst->loss)) worst = lost;
  }
  if (!worst) return {};
  return {lost_text(finding, *worst, describer), worst->waiter->thread};
}

// --- others

// All that could help is stuck as well, or has ended.
const char* nobody_helps(OpKind kind) {
  switch (kind) {
    case OpKind::SemWait:
      return "and nobody who could post it can go on";
    case OpKind::BarrierArrive:
    case OpKind::BarrierLeave:
      return "and nobody who is still to arrive there can go on";
    case OpKind::ChannelRead:
      return "and nobody who could write to it can go on";
    case OpKind::ChannelWrite:
      return "and nobody who could read from it can go on";
    case OpKind::FutexBlocked:
      return "and nobody who could wake it can go on";
    default:
      return nullptr;
  }
}

Reason deadlock_reason(const Finding& finding, const Describer& describer) {
  const std::vector<Culprit> all = culprits(finding);
  const Explanation explanation = waits_of(finding);
  if (!explanation.cycle.empty()) {
    Reason reason = cycle_reason(finding, explanation.cycle, all, describer);
    if (!reason.sentence.empty()) return reason;
  }
  if (Reason reason = wake_up_reason(finding, all, describer); !reason.sentence.empty())
    return reason;
  for (const Wait& wait : explanation.waits) {
    const Culprit* culprit = find(all, wait.thread);
    if (culprit == nullptr || awaits_end(culprit->op->kind) || wait.holders.size() != 1) continue;
    const std::string who = describer.thread_title(wait.thread, finding.execution);
    return {fmt::format("{} waits for {}{}, and {} never gives it back", who,
                        describer.object(wanted(*culprit->op)),
                        at(describer.short_location(*culprit->place)),
                        describer.thread(wait.holders[0])),
            wait.thread};
  }
  for (const Culprit& culprit : all) {
    const char* nobody = nobody_helps(culprit.op->kind);
    if (nobody == nullptr || culprit.is_running) continue;
    return {fmt::format("{} waits for {}{}, {}",
                        describer.thread_title(culprit.thread, finding.execution),
                        describer.object(culprit.op->object),
                        at(describer.short_location(*culprit.place)), nobody),
            culprit.thread};
  }
  return {};
}

std::string access_text(const AccessLine& access) {
  const std::string locks =
      access.locks.empty() ? "no lock" : fmt::format("{}", fmt::join(access.locks, ", "));
  return fmt::format("{} holds {}", access.thread, locks);
}

std::string race_reason(const MemoryConflict& conflict, const Describer& describer) {
  if (conflict.kind != ConflictKind::Race) return "";
  const std::vector<AccessLine> lines = access_lines(conflict, describer);
  if (lines[0].locks.empty() && lines[1].locks.empty())
    return "neither thread holds a lock there, and no other synchronisation orders the accesses";
  return fmt::format("{} there, {}: they have no lock in common, and nothing else orders them",
                     access_text(lines[0]), access_text(lines[1]));
}

std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const size_t begin = text.find(before);
  if (begin == std::string::npos) return "";
  const size_t from = begin + before.size();
  const size_t end = text.find(after, from);
  return text.substr(from, end == std::string::npos ? end : end - from);
}

}  // namespace

std::string uncaught_exception(const Finding& finding) {
  if (finding.kind() != FindingKind::Crash) return "";
  std::string output = finding.execution.output_before;
  for (const Transition& made : finding.execution.transitions) output += made.output;
  const std::string type =
      between(output, "terminate called after throwing an instance of '", "'\n");
  if (type.empty()) return "";
  const std::string what = between(output, "\n  what():  ", "\n");
  return what.empty() ? type : type + ": " + what;
}

Reason reason_for(const Finding& finding, const Describer& describer) {
  if (finding.unconfirmed) return {};
  if (finding.kind() == FindingKind::Deadlock) return deadlock_reason(finding, describer);
  if (const MemoryConflict* conflict = conflict_of(finding))
    return {race_reason(*conflict, describer)};
  const std::string exception = uncaught_exception(finding);
  if (!exception.empty()) return {"nothing caught the exception " + exception};
  return {};
}

}  // namespace mazurka
