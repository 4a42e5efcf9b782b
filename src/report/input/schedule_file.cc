#include "report/input/schedule_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/whole_file.h"
#include "report/input/annotations.h"
#include "report/words/quoting.h"

namespace mazurka {
namespace {

void set_outcome(const Operation& op, Outcome outcome, const Program& program,
                 ScheduledStep& step) {
  if (!outcome_is_thread(op) || is_delivery(op, outcome)) {
    step.form = outcome == kOnlyOutcome ? ScheduledStep::Form::Only : ScheduledStep::Form::Number;
    step.number = outcome;
  } else if (outcome == kNobody) {
    step.form = ScheduledStep::Form::Nobody;
  } else {
    step.form = ScheduledStep::Form::Thread;
    step.outcome_thread = program.thread_path(ThreadId(outcome));
  }
}

std::string comment_on(const Transition& transition, const Describer& describer) {
  std::string comment = describer.transition(transition);
  const std::string place = describer.place(transition.place);
  return place.empty() ? comment : comment + "  " + place;
}

ScheduledStep step_of(const Operation& op, const std::vector<OpPart>& parts, Choice choice,
                      const Program& program, const Describer& describer) {
  ScheduledStep step;
  step.thread = program.thread_path(choice.thread);
  if (op.kind != OpKind::None) step.operation = operation_word(op.kind);
  step.object = describer.plain_object(op, parts);
  set_outcome(op, choice.outcome, program, step);
  return step;
}

std::string path_text(const ThreadPath& path) {
  std::string text = "T0";
  for (const uint32_t number : path) text += fmt::format(".{}", number);
  return text;
}

std::string outcome_text(const ScheduledStep& step) {
  switch (step.form) {
    case ScheduledStep::Form::Only:
      return "";
    case ScheduledStep::Form::Number:
      return fmt::format(" = {}", step.number);
    case ScheduledStep::Form::Thread:
      return " -> " + path_text(step.outcome_thread);
    case ScheduledStep::Form::Nobody:
      return " -> nobody";
  }
  return "";
}

// On one line whatever the source's names are.
std::string comment_text(const std::string& comment) {
  std::string text = comment;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c >= 0 && c < ' '; }, ' ');
  return text.empty() ? "" : "  # " + text;
}

std::string step_text(size_t number, const ScheduledStep& step) {
  std::string text = fmt::format("{} {} ", number, path_text(step.thread));
  text += step.operation.empty() ? kUnknownOperation : step.operation;
  if (!step.object.empty()) text += ' ' + quoted_word(step.object);
  return text + outcome_text(step) + comment_text(step.comment) + '\n';
}

std::string steps_text(const char* title, const std::vector<ScheduledStep>& steps) {
  std::string text = fmt::format("{} {}\n", title, steps.size());
  for (size_t i = 0; i < steps.size(); ++i) text += step_text(i + 1, steps[i]);
  return text;
}

}  // namespace

std::string operation_word(OpKind kind) {
  std::string word = name_of(kind);
  std::replace(word.begin(), word.end(), ' ', '-');
  return word;
}

OpKind kind_of_word(const std::string& word) {
  for (int i = 1; i < static_cast<int>(OpKind::kCount); ++i) {
    const auto kind = static_cast<OpKind>(i);
    if (word == operation_word(kind)) return kind;
  }
  return OpKind::None;
}

std::vector<ScheduledStep> scheduled_steps(const std::vector<PlannedStep>& schedule,
                                           const Execution& execution, const Program& program,
                                           const Describer& describer) {
  const std::vector<Transition>& transitions = execution.transitions;
  std::vector<ScheduledStep> steps;
  for (size_t i = 0; i < schedule.size(); ++i) {
    const PlannedStep& planned = schedule[i];
    if (i < transitions.size()) {
      const Transition& done = transitions[i];
      steps.push_back(step_of(done.op, done.parts, planned.choice, program, describer));
      steps.back().comment = comment_on(done, describer);
    } else {  // planned, and the program did something else
      Operation op;
      op.kind = planned.kind;
      op.object = planned.object;
      steps.push_back(step_of(op, {}, planned.choice, program, describer));
    }
  }
  return steps;
}

const char* name_of(PrivateFiles files) {
  return files == PrivateFiles::Plain ? "private" : "private-with-addresses";
}

std::string to_text(const ScheduleFile& file) {
  std::string text = fmt::format("mazurka schedule {}\nprogram", kScheduleVersion);
  for (const std::string& word : file.argv) text += ' ' + quoted_word(word);
  text += fmt::format("\ndirectory {}\n", quoted_word(file.directory));
  if (!file.stdin_file.empty()) text += fmt::format("stdin {}\n", quoted_word(file.stdin_file));
  if (file.memory == MemoryMode::Visible) text += "memory visible\n";
  if (file.discipline != Discipline::Unchecked)
    text += fmt::format("discipline {}\n", name_of(file.discipline));
  if (file.atomics == Atomics::Seen) text += "atomics on\n";
  if (file.channels.lossy_udp) text += "udp lossy\n";
  if (file.channels.partial_io) text += "io partial\n";
  if (file.channels.spurious != 0) text += fmt::format("spurious {}\n", file.channels.spurious);
  if (file.channels.reuse != 0) text += fmt::format("reuse {}\n", file.channels.reuse);
  if (file.needs.files != PrivateFiles::None)
    text += fmt::format("files {}\n", name_of(file.needs.files));
  if (file.needs.stream_locks) text += "streams locked\n";
  for (const SeenAccess& access : file.accesses) {
    text += fmt::format("access {} {} {:#x}\n", access.is_in_loop ? "loop" : "load",
                        quoted_word(access.path), access.address);
  }
  text += fmt::format("depth {}\nbound {}\nlivelock {}\ndivergence {}\n", file.limits.depth,
                      file.limits.bound, file.limits.livelock, file.limits.divergence_s);
  if (!file.tester_file.empty()) text += fmt::format("tester {}\n", quoted_word(file.tester_file));
  for (const auto& [word, name] : file.annotations) {
    text += fmt::format("annotation {} {}\n", word, quoted_word(name));
  }
  text += fmt::format("finding {} {}\n", name_of(file.kind), quoted_word(file.message));
  text += steps_text("steps", file.steps);
  for (const std::vector<ScheduledStep>& steps : file.earlier) text += steps_text("earlier", steps);
  return text + "end\n";
}

Result<void> write_schedule(const ScheduleFile& file, const std::string& path) {
  return write_whole_file(path, to_text(file));
}

Result<std::vector<PlannedStep>> prefix_of(const std::vector<ScheduledStep>& steps,
                                           Program& program) {
  std::vector<PlannedStep> prefix;
  for (const ScheduledStep& step : steps) {
    const Result<ThreadId> thread = program.intern_thread(step.thread);
    if (!thread) return thread.error();
    Outcome outcome = step.form == ScheduledStep::Form::Nobody ? kNobody : step.number;
    if (step.form == ScheduledStep::Form::Thread) {
      const Result<ThreadId> target = program.intern_thread(step.outcome_thread);
      if (!target) return target.error();
      outcome = outcome_of(*target);
    }
    prefix.push_back({{*thread, outcome}, kind_of_word(step.operation), {}, kNoObject});
  }
  return prefix;
}

std::string first_difference(const ScheduleFile& file, const Execution& execution,
                             const Describer& describer) {
  for (size_t i = 0; i < file.steps.size(); ++i) {
    const ScheduledStep& step = file.steps[i];
    const std::string expected =
        step.object.empty() ? step.operation : step.operation + ' ' + step.object;
    if (i >= execution.transitions.size()) {
      return fmt::format("step {} ({} {}) did not happen", i + 1, path_text(step.thread), expected);
    }
    const Operation& op = execution.transitions[i].op;
    const std::string object = describer.plain_object(op, execution.transitions[i].parts);
    if (step.operation.empty()) continue;
    if (step.operation != operation_word(op.kind) || step.object != object) {
      return fmt::format("step {} was {} {}, and not {}", i + 1, operation_word(op.kind), object,
                         expected);
    }
  }
  return "";
}

}  // namespace mazurka
