#include "report/words/finding_text.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "objects/bad_memory.h"
#include "objects/op_table.h"
#include "report/words/conflict_text.h"
#include "report/words/marked_text.h"
#include "report/words/reason.h"

namespace mazurka {
namespace {

std::string signal_text(int signal) {
  const char* name = sigabbrev_np(signal);
  if (name == nullptr) return fmt::format("signal {}", signal);
  return fmt::format("signal {}, SIG{} ({})", signal, name, sigdescr_np(signal));
}

std::string status_text(int wait_status) {
  if (WIFSIGNALED(wait_status)) return "was killed by " + signal_text(WTERMSIG(wait_status));
  return fmt::format("ended with status {}", WEXITSTATUS(wait_status));
}

std::string culprit_text(const Culprit& culprit, const Describer& describer) {
  return describer.thread(culprit.thread) + " at " +
         describer.operation(*culprit.op, *culprit.parts);
}

std::string subject(const std::vector<Culprit>& culprits, const Describer& describer) {
  return culprits.empty() ? "the program" : describer.thread(culprits[0].thread);
}

std::string deadlock_text(const Finding& finding, const std::vector<Culprit>& culprits,
                          const Describer& describer) {
  std::string text = who_is_stuck(finding);
  const char* separator = ": ";
  for (const Culprit& culprit : culprits) {
    text += separator + culprit_text(culprit, describer);
    separator = ", ";
  }
  return text;
}

// The failing transition, if the finding is one.
const Transition* failing(const Finding& finding) {
  const uint32_t length = finding.sighting.length;
  if (length == 0 || length > finding.execution.transitions.size()) return nullptr;
  return &finding.execution.transitions[length - 1];
}

// Of the blocked threads the one that the reason is about, or else the one that moved last. If it
// has ended, one that waits for more than another's end.
const Culprit& closing_the_deadlock(const std::vector<Culprit>& blocked, ThreadId blamed,
                                    const Transition* last) {
  for (const Culprit& culprit : blocked) {
    if (culprit.thread == blamed) return culprit;
  }
  for (const Culprit& culprit : blocked) {
    if (last != nullptr && culprit.thread == last->choice.thread) return culprit;
  }
  for (const Culprit& culprit : blocked) {
    if (!awaits_end(culprit.op->kind)) return culprit;
  }
  return blocked[0];
}

std::string crash_text(const Finding& finding, const std::string& who) {
  const Transition* last = failing(finding);
  const bool ends_itself = last != nullptr && last->op.kind == OpKind::SignalSend &&
                           ended_by_signal(last->op, last->choice.outcome, last->effect);
  if (ends_itself || (last != nullptr && last->op.kind == OpKind::Crash)) {
    return who + " crashed: " + signal_text(static_cast<int>(last->op.value));
  }
  const Execution& execution = finding.execution;
  if (!execution.text.empty()) return execution.text;
  const std::string what = status_text(execution.wait_status);
  if (execution.end == End::Lost) return "a process ended without a word: it " + what;
  return "the first process " + what;
}

// The failing transition if it is one that the program's allocator saw.
const Transition* bad_memory(const Finding& finding) {
  const Transition* last = failing(finding);
  return finding.kind() == FindingKind::Memory && last != nullptr && is_bad_memory(last->op)
             ? last
             : nullptr;
}

std::string memory_text(const Finding& finding, const std::string& who,
                        const Describer& describer) {
  const Transition* last = bad_memory(finding);
  if (last == nullptr) return "the program overwrote Mazurka's shared segment";
  return who + ": " + expand_marks(last->text, describer);
}

std::string misuse_text(const Finding& finding, const std::string& who,
                        const Describer& describer) {
  const Transition* last = failing(finding);
  if (last == nullptr) return who + " misused an object";
  const Misuse misuse = last->effect.misuse != Misuse::None ? last->effect.misuse
                                                            : static_cast<Misuse>(last->op.value);
  std::string text = who + ": " + describe(misuse);
  const std::string object = describer.object(last->op.object);
  if (!object.empty()) text += ": " + object;
  if (!last->text.empty()) text += fmt::format(" ({})", last->text);
  return text;
}

std::string divergence_text(const Execution& execution, const std::string& who) {
  if (execution.end == End::Hung) {
    return who + " is blocked in a call that no model covers" +
           (execution.text.empty() ? "" : ": " + execution.text);
  }
  return who + " ran for too long without a visible operation (--divergence)";
}

std::string nondeterminism_text(const Finding& finding, const std::string& who,
                                const Describer& describer) {
  const Execution& execution = finding.execution;
  if (finding.unconfirmed) {
    return fmt::format("{} was found once and did not show again when its schedule was replayed",
                       name_of(*finding.unconfirmed));
  }
  std::string text =
      fmt::format("step {} of a replayed schedule was something else", execution.position + 1);
  if (finding.schedule.size() == execution.position + size_t{1}) {
    const PlannedStep& step = finding.schedule.back();
    if (step.kind != OpKind::None) {
      text += fmt::format(": {} was to do {}", who, name_of(step.kind));
      const std::string object = describer.object(step.object);
      if (!object.empty()) text += " " + object;
    }
  }
  if (execution.got.kind != OpKind::None) {
    text += ", but came to " + describer.operation(execution.got, {});
  }
  if (!execution.text.empty()) text += " (" + execution.text + ")";
  return text;
}

// The last ones, if they are many: the schedule shows all.
std::string events_text(const std::vector<std::string>& events) {
  constexpr size_t kMost = 8;
  if (events.empty()) return "before any event";
  const size_t first = events.size() > kMost ? events.size() - kMost : 0;
  std::string text =
      first > 0 ? fmt::format("after {} events, the last ", events.size()) : "after ";
  for (size_t i = first; i < events.size(); ++i) text += (i > first ? ", " : "") + events[i];
  return text;
}

std::string tester_text(const TesterSighting& seen, const std::vector<Culprit>& who) {
  const std::string when = events_text(seen.events);
  const char* kind = lts::name_of(seen.kind);
  if (seen.kind == lts::ViolationKind::IllegalFiniteTrace) {
    return fmt::format("{}: {}: the tester is in the reject state {} {}", seen.tester, kind,
                       seen.state, when);
  }
  const bool offers = std::any_of(who.begin(), who.end(), [](const Culprit& culprit) {
    return culprit.op->kind == OpKind::Event;
  });
  const char* stops = who.empty() ? "the program has ended"
                      : offers    ? "the program can only go on by events that it does not follow"
                                  : "no thread can go on";
  return fmt::format("{}: {}: the tester is in the deadlock state {} {}, and {}", seen.tester, kind,
                     seen.state, when, stops);
}

// Of the event that the tester did not follow or that made it reject; where none is at hand, of the
// last one before.
std::string tester_location(const Finding& finding, const Describer& describer) {
  for (const Culprit& culprit : culprits(finding)) {
    if (culprit.op->kind == OpKind::Event) return describer.location(*culprit.place);
  }
  const std::vector<Transition>& transitions = finding.execution.transitions;
  for (size_t i = std::min<size_t>(finding.sighting.length, transitions.size()); i-- > 0;) {
    if (transitions[i].op.kind == OpKind::Event) return describer.location(transitions[i].place);
  }
  return "";
}

}  // namespace

std::string who_is_stuck(const Finding& finding) {
  if (!finding.sighting.is_deadlock_of_some()) return "no thread can go on";
  const size_t count = culprits(finding).size();
  if (count == 1) return "a thread waits for itself";
  return fmt::format("{} threads wait for each other", count);
}

std::string message(const Finding& finding, const Describer& describer) {
  const std::vector<Culprit> who = culprits(finding);
  const std::string thread = subject(who, describer);
  const Execution& execution = finding.execution;
  switch (finding.kind()) {
    case FindingKind::Deadlock:
      return deadlock_text(finding, who, describer);
    case FindingKind::Assertion: {
      const Transition* last = failing(finding);
      const std::string what = last != nullptr ? last->text : "";
      return thread + ": assertion failed" + (what.empty() ? "" : ": " + what);
    }
    case FindingKind::Crash:
      return crash_text(finding, thread);
    case FindingKind::Exit:
      return "the program " + status_text(execution.wait_status);
    case FindingKind::Misuse:
      return misuse_text(finding, thread, describer);
    case FindingKind::Memory:
      return memory_text(finding, thread, describer);
    case FindingKind::Livelock:
      return thread + " could not go on for too long while others did (--livelock)";
    case FindingKind::Divergence:
      return divergence_text(execution, thread);
    case FindingKind::Nondeterminism:
      return nondeterminism_text(finding, thread, describer);
    case FindingKind::Race:
    case FindingKind::LockingDiscipline:
      return conflict_text(finding, describer);
    case FindingKind::Tester:
      return tester_text(*finding.sighting.tester, who);
  }
  return "";
}

std::string location(const Finding& finding, const Describer& describer) {
  if (finding.kind() == FindingKind::Tester) return tester_location(finding, describer);
  if (const MemoryConflict* conflict = conflict_of(finding)) {
    return describer.location(conflict->second.place);
  }
  const std::vector<Culprit> who = culprits(finding);
  if (who.empty()) return "";
  // What shows at the end of a process only has no place of its own but that of the block.
  const Transition* last = bad_memory(finding);
  if (last != nullptr && last->place.pc == 0) return last_location(last->text, describer);
  if (finding.kind() != FindingKind::Deadlock) return describer.location(*who[0].place);
  const ThreadId blamed = reason_for(finding, describer).blamed;
  return describer.location(*closing_the_deadlock(who, blamed, failing(finding)).place);
}

std::string sentence(const UnmodelledCall& call, const Describer& describer) {
  CodePlace place;
  place.pc = call.pc;
  const std::string where = describer.place(place);
  if (is_loop(call)) {
    return fmt::format(
        "{}{}: whether it has come round without effect may depend on when they write", call.name,
        where.empty() ? "" : " (" + where + ")");
  }
  if (is_unseen_code(call)) {
    return fmt::format("{}{}: in code that was not built with mazurka-c++", call.name,
                       where.empty() ? "" : ", seen at " + where);
  }
  if (call.name.rfind("rdrand ", 0) == 0) {
    return fmt::format("{}{}: the processor's random numbers are others in each run", call.name,
                       where.empty() ? "" : " (" + where + ")");
  }
  if (call.name == "a file of the kernel's") {
    return fmt::format("{}{}: it may have another text in each run", call.name,
                       where.empty() ? "" : " (opened at " + where + ")");
  }
  const std::string times = call.count == 1 ? "once" : fmt::format("{} times", call.count);
  if (call.name.starts_with("what ") && call.name.ends_with(" does to memory")) {
    return fmt::format("{} is not known ({}{}{})", call.name, times, where.empty() ? "" : ", at ",
                       where);
  }
  return fmt::format("{}: no model covers this{} ({}{}{})", call.name,
                     call.costs_complete ? ", and it may block or communicate" : "", times,
                     where.empty() ? "" : ", at ", where);
}

}  // namespace mazurka
