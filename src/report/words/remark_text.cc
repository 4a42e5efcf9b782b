#include "report/words/remark_text.h"

#include <fmt/format.h>

#include "base/counted.h"
#include "execution/channel_options.h"

namespace mazurka {
namespace {

// What the remark is about. A checkpoint may have been made by somebody else: nothing is there.
template <typename Kind>
std::string name_in(const Remark<Kind>& remark) {
  return remark.names.empty() ? "" : remark.names.front();
}

std::string depth_text(uint64_t depth) {
  return fmt::format("an execution was cut at depth {} (--depth)", depth);
}

// The first ones, if they are many.
std::string unseen_calls_text(const std::vector<std::string>& names) {
  constexpr size_t kMost = 8;
  const size_t more = names.size() > kMost ? names.size() - kMost : 0;
  const auto end = names.end() - static_cast<std::ptrdiff_t>(more);
  return fmt::format("accesses to memory by {}{} of the C and C++ libraries were not seen",
                     fmt::join(names.begin(), end, ", "),
                     more == 0 ? "" : fmt::format(" and {} more", more));
}

std::string not_covered(bool atomics, const std::string& whose) {
  return fmt::format("not covered: {}plain memory accesses{} (rebuild with mazurka-c++)",
                     atomics ? "atomics and " : "", whose);
}

std::string releases_text(const char* because) {
  return fmt::format("all releases of locks were visible, because the program {}", because);
}

std::string options_text(uint64_t unasked) {
  std::vector<std::string> texts;
  const bool wakes = (unasked & kUnaskedSpurious) != 0;
  const bool fails = (unasked & kUnaskedWeak) != 0;
  const char* const both = wakes && fails ? ", failures of weak compare-exchanges" : "";
  if (wakes) texts.push_back(fmt::format("spurious wake-ups{} (--spurious)", both));
  if (fails && !wakes) texts.push_back("failures of weak compare-exchanges (--spurious)");
  if ((unasked & kUnaskedPartialIo) != 0)
    texts.push_back("reads and writes of a part (--partial-io)");
  if ((unasked & kUnaskedLossy) != 0) texts.push_back("lost and overtaken datagrams (--udp=lossy)");
  if ((unasked & kUnaskedHandlers) != 0)
    texts.push_back("handlers of signals between two accesses to memory (--memory=visible)");
  if ((unasked & kUnaskedReuse) != 0)
    texts.push_back(
        "addresses of freed blocks or pthread_t values that come back to another thread (--reuse)");
  return fmt::format("not explored without options: {}", fmt::join(texts, ", "));
}

std::string schedule_text(const std::vector<Choice>& schedule, const Describer& describer) {
  std::string text;
  for (const Choice& choice : schedule) {
    if (!text.empty()) text += ' ';
    text += describer.thread(choice.thread);
    if (choice.outcome != kOnlyOutcome) text += fmt::format("/{}", choice.outcome);
  }
  return text;
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a flat switch
std::string sentence(const Remark<WhyIncomplete>& remark) {
  switch (remark.kind) {
    case WhyIncomplete::NotReplayed:
      return "a schedule could not be replayed, so what follows it was not explored";
    case WhyIncomplete::ScheduleTooLong:
      return "a schedule was too long to be followed";
    case WhyIncomplete::TesterNotAsked:
      return "an execution did not do what the models of its objects say, so the tester could not "
             "be asked everywhere";
    case WhyIncomplete::ModelsNotFollowed:
      return "an execution did not do what the models of its objects say, so what can be reordered "
             "in it is not known";
    case WhyIncomplete::CutInCall:
      return "an execution was cut in a call that no model covers";
    case WhyIncomplete::ProcessLost:
      return "an execution was cut when a process ended without a word";
    case WhyIncomplete::SegmentOverwritten:
      return "an execution was cut when the program overwrote Mazurka's shared segment";
    case WhyIncomplete::NoModel:
      if (name_in(remark).starts_with("what ") && name_in(remark).ends_with(" does to memory"))
        return name_in(remark) + " is not known";
      if (name_in(remark).rfind("rdrand ", 0) == 0)
        return name_in(remark) + " takes random numbers from the processor, others in each run";
      if (name_in(remark) == "a file of the kernel's")
        return "a file of the kernel's that was read may have another text in each run";
      return "no model covers " + name_in(remark) + ", which may block or communicate";
    case WhyIncomplete::LoopNotUnderstood:
      return name_in(remark) + " is not understood well enough";
    case WhyIncomplete::CodeNotSeen:
      return name_in(remark) + " were not interleaved (build that code with mazurka-c++)";
    case WhyIncomplete::LimitReached:
      return "executions were cut at a limit of Mazurka's: " + name_in(remark);
    case WhyIncomplete::Trouble:
      return "the search could not go on: " + name_in(remark);
    case WhyIncomplete::MaxExecutions:
      return fmt::format("the search stopped after {} executions (--max-executions)",
                         remark.number);
    case WhyIncomplete::FirstFinding:
      return "the search stopped at the first finding (--keep-going looks for all)";
    case WhyIncomplete::Interrupted:
      return "the search was interrupted";
    case WhyIncomplete::StartsAnew:
      return "the search was to start anew";
    case WhyIncomplete::Timeout:
      return "the time was over (--timeout)";
    case WhyIncomplete::Bound:
      return fmt::format("a thread stood still after {} transitions (--bound)", remark.number);
    case WhyIncomplete::GrownBound:
      return fmt::format(
          "the program does not end: every behaviour with at most {} transitions of a thread was "
          "explored, and of longer ones not all (--bound)",
          remark.number);
    case WhyIncomplete::Preemptions:
      return fmt::format("schedules with more than {} were left out (--preemptions)",
                         counted(remark.number, "preemption"));
    case WhyIncomplete::Deepening:
      return fmt::format("of schedules with more than {} not all were executed (--deepen)",
                         counted(remark.number, "preemption"));
    case WhyIncomplete::Livelock:
      return "an execution was cut at a livelock (--livelock)";
    case WhyIncomplete::Depth:
      return depth_text(remark.number);
    case WhyIncomplete::DepthUnderReduction:
      return depth_text(remark.number) +
             ", and because of the reduction that may have hidden more than what lies deeper; "
             "--bound does not";
    case WhyIncomplete::NotStartedAnew:
      return "the search stopped where it should have started anew";
    case WhyIncomplete::DisciplineViolated:
      return "the locking discipline was violated, and without it composed transitions may hide "
             "behaviour";
    case WhyIncomplete::ComposedBlindly:
      return "composed transitions need to see all accesses to memory, and " + name_in(remark) +
             " was not built with mazurka-c++";
    case WhyIncomplete::WronglyUnshared:
      return "memory that is annotated as unshared is shared, and what may come of that was not "
             "explored";
    case WhyIncomplete::AnnotatedCallsTorn:
      return "calls that are annotated as one operation are not, and what may come of that was not "
             "explored";
  }
  return "";
}

std::string sentence(const Remark<Assumption>& remark) {
  switch (remark.kind) {
    case Assumption::BlindModules:
      return not_covered(remark.number != 0, " of " + name_in(remark));
    case Assumption::WeakOrders:
      return "the program asks for weaker memory orders; only sequentially consistent behaviours "
             "were explored";
    case Assumption::SuppressedRaces:
      return fmt::format(
          "{} {} found and suppressed: what comes of unordered accesses there was not explored",
          remark.number, remark.number == 1 ? "race was" : "races were");
    case Assumption::MemoryNotSeen:
      return not_covered(true, "");
    case Assumption::PlainCodeNotSeen:
      return not_covered(false, "");
    case Assumption::Composed:
      return "transitions were composed: races are known of the executions that were run";
    case Assumption::CommutingCalls:
      return fmt::format(
          "calls of {} commute with each other, as the annotations say: that was not checked",
          fmt::join(remark.names, ", "));
    case Assumption::UnseenCalls:
      return unseen_calls_text(remark.names);
    case Assumption::UnseenCode:
      return fmt::format("not covered: memory accesses that are not told: {}{}",
                         fmt::join(remark.names, ", "),
                         remark.number != 0 ? fmt::format(", and {} more", remark.number) : "");
  }
  return "";
}

std::string sentence(const Remark<Note>& remark) {
  switch (remark.kind) {
    case Note::ForkServer:
      return "each execution is a new process, because a reset in place cannot undo: " +
             name_in(remark);
    case Note::OptionsOff:
      return options_text(remark.number);
    case Note::WorkerMissing:
      return "a worker could not begin: " + name_in(remark);
    case Note::CheckpointNotWritten:
      return "no checkpoint was written: " + name_in(remark);
    case Note::NotReplayed:
      return fmt::format("time was over before {} replayed",
                         remark.number == 1 ? "the finding was" : "some findings were");
    case Note::NothingSaved:
      return "nothing was saved after the program was not deterministic (--checkpoint)";
    case Note::HasProcesses:
      return releases_text("has several processes");
    case Note::WaitsForOthers:
      return releases_text("waits for other threads to move");
    case Note::UsesSignals:
      return releases_text("uses signals");
    case Note::LocksLookedAt: {
      const bool one = remark.number == 1;
      return fmt::format(
          "the releases of {} {} were visible, because the program tries, times or destroys {}",
          remark.number, one ? "lock" : "locks", one ? "it" : "them");
    }
    case Note::EventsNeverMade:
      return fmt::format("the tester names {}, which the program never made",
                         fmt::join(remark.names, ", "));
    case Note::SuppressionsUnused:
      return fmt::format("nothing that was found is covered by {} (--suppressions)",
                         fmt::join(remark.names, ", "));
    case Note::WaitsUnguarded:
      return fmt::format(
          "no loop guards the wait at {}: there a spurious wake-up passes for a signal "
          "(--spurious)",
          fmt::join(remark.names, ", "));
  }
  return "";
}

std::string sentence(const Difference& difference, const Describer& describer) {
  if (difference.finding) {
    return fmt::format("{} did not find this {}, {} did, in {} steps", difference.missed_by,
                       name_of(*difference.finding), difference.reached_by, difference.count);
  }
  return fmt::format("{} did not reach {} end states that {} reached, such as that of {}",
                     difference.missed_by, difference.count, difference.reached_by,
                     schedule_text(difference.schedule, describer));
}

}  // namespace mazurka
