#include "report/input/schedule_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "report/formats/scripted_deadlock.h"
#include "report/words/finding_text.h"

namespace mazurka {
namespace {

ScheduleFile example() {
  ScheduleFile file;
  file.argv = {"./my program", "--flag", "", "new\nline"};
  file.directory = "/home/me";
  file.stdin_file = "input \"1\".txt";
  file.limits = {500, 7, 3, 0.25};
  file.kind = FindingKind::LockingDiscipline;
  file.message = "a \"message\"";
  using Form = ScheduledStep::Form;
  file.steps = {{{}, "lock", "forks[1]", Form::Only, 0, {}, "in main.c:3"},
                {{2, 1}, "condition-wait", "", Form::Number, 1, {}, ""},
                {{1}, "signal", "a b", Form::Thread, 0, {2, 10}, "multi\nline"},
                {{1}, "wait-for-child", "", Form::Nobody, 0, {}, ""},
                {{3}, "", "", Form::Thread, 0, {}, ""}};
  return file;
}

void expect_error(const std::string& text, const std::string& expected) {
  const Result<ScheduleFile> file = parse_schedule(text, "f");
  ASSERT_FALSE(file) << text;
  EXPECT_NE(file.error().message.find(expected), std::string::npos) << file.error().message;
}

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = to_text(example());
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(ScheduleFile, ComesBackAsItWasWritten) {
  const Result<ScheduleFile> file = parse_schedule(to_text(example()), "f");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->argv, example().argv);
  EXPECT_EQ(file->stdin_file, example().stdin_file);
  EXPECT_EQ(file->limits.depth, 500u);
  EXPECT_EQ(file->limits.divergence_s, 0.25);
  EXPECT_EQ(file->kind, FindingKind::LockingDiscipline);
  EXPECT_EQ(file->message, example().message);
  ASSERT_EQ(file->steps.size(), 5u);
  EXPECT_EQ(file->steps[2].outcome_thread, (ThreadPath{2, 10}));
  // Only comments are not read back.
  ScheduleFile without = example();
  for (ScheduledStep& step : without.steps) step.comment.clear();
  EXPECT_EQ(to_text(*file), to_text(without));
}

TEST(ScheduleFile, NamesTheTesterIfThereWasOne) {
  ScheduleFile written = example();
  written.tester_file = "my tester";
  const Result<ScheduleFile> file = parse_schedule(to_text(written), "f");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->tester_file, "my tester");
  EXPECT_EQ(parse_schedule(to_text(example()), "f")->tester_file, "");
}

TEST(ScheduleFile, HasTheOtherExecutionsAndWhatWasSaidAboutMemory) {
  ScheduleFile written = example();
  written.discipline = Discipline::Strict;
  written.annotations = {{"unshared", "bank::own"},
                         {"tentatively-unshared-heap", "a b"},
                         {"atomic", "Stack<int>::push"}};
  written.earlier = {{{{1}, "lock", "m", ScheduledStep::Form::Only, 0, {}, ""}}, {}};
  const Result<ScheduleFile> file = parse_schedule(to_text(written), "f");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->discipline, Discipline::Strict);
  EXPECT_EQ(file->annotations, written.annotations);
  ASSERT_EQ(file->earlier.size(), 2u);
  ASSERT_EQ(file->earlier[0].size(), 1u);
  EXPECT_EQ(file->earlier[0][0].object, "m");
  EXPECT_TRUE(file->earlier[1].empty());

  const auto damaged = [&](const std::string& from, const std::string& to) {
    std::string text = to_text(written);
    return text.replace(text.find(from), from.size(), to);
  };
  expect_error(damaged("discipline strict", "discipline loose"),
               "expected 'discipline checked' or 'discipline strict'");
  expect_error(damaged("annotation unshared", "annotation shared"),
               "there is no annotation 'shared'");
  expect_error(damaged("earlier 1", "earlier 2"), "expected step 2");
}

TEST(ScheduleFile, SaysWhetherFilesArePrivate) {
  for (const PrivateFiles files :
       {PrivateFiles::None, PrivateFiles::Plain, PrivateFiles::WithAddresses}) {
    ScheduleFile written = example();
    written.needs = {files, files == PrivateFiles::Plain};
    written.accesses = {{"/usr/bin/a b", 0x1234, false}, {"/p", 0xffff'ffff'ffff'ffff, true}};
    const Result<ScheduleFile> file = parse_schedule(to_text(written), "f");
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->needs, written.needs);
    EXPECT_EQ(file->accesses, written.accesses);
  }
  expect_error(replaced("depth 500", "files public\ndepth 500"), "expected 'files private'");
}

TEST(ScheduleFile, SaysWhichLineIsWrongAndHow) {
  expect_error("", "f:1: this is no schedule of Mazurka");
  expect_error("hello\n", "f:1: this is no schedule of Mazurka");
  expect_error(replaced("schedule 1", "schedule 2"), "f:1: this schedule has version 2");
  expect_error(replaced("program ", "programme "), "f:2: expected 'program'");
  expect_error(replaced("depth 500", "depth many"), "f:5: 'many' is no number for 'depth'");
  expect_error(replaced("depth 500", "depth 4000000"), "f:8: the depth is too large");
  expect_error(replaced("divergence 0.25", "divergence inf"), "f:8: 'divergence' must be a number");
  expect_error(replaced("locking-discipline", "locking"),
               "f:9: there is no kind of finding 'locking'");
  expect_error(replaced("steps 5", "steps 4"), "f:15: expected 'end'");
  expect_error(replaced("steps 5", "steps 6"), "f:16: expected step 6, not 'end'");
  expect_error(replaced("T0.2.1", "T1.2.1"), "f:12: 'T1.2.1' is no thread");
  expect_error(replaced("T0.2.1", "T0.2.0"), "f:12: 'T0.2.0' is no thread");
  expect_error(replaced(" lock ", " lick "), "f:11: there is no operation 'lick'");
  expect_error(replaced("= 1", "= 99999"), "f:12: '99999' is no outcome");
  expect_error(replaced("-> nobody", "-> "), "f:14: the outcome is damaged");
  expect_error(to_text(example()) + "more\n", "f:16: there is something behind the end");
}

TEST(ScheduleFile, EveryTruncationIsNoticed) {
  const std::string text = to_text(example());
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(parse_schedule(text.substr(0, length), "f")) << length;
  }
}

TEST(ScheduleFile, AnyMutationIsReadOrRefusedAndReadsTheSameAgain) {
  std::mt19937 random(1);
  const std::string text = to_text(example());
  for (int round = 0; round < 20'000; ++round) {
    std::string mutated = text;
    for (unsigned i = 0; i <= random() % 3; ++i) {
      const size_t at = random() % mutated.size();
      if (random() % 4 == 0)
        mutated.erase(at, random() % 8);
      else
        mutated[at] = static_cast<char>(random());
    }
    const Result<ScheduleFile> file = parse_schedule(mutated, "f");
    if (!file) {
      EXPECT_EQ(file.error().message.substr(0, 2), "f:");
      continue;
    }
    EXPECT_TRUE(parse_schedule(to_text(*file), "f")) << mutated;
  }
}

TEST(ScheduleFile, AFileThatIsNotThereIsAnError) {
  EXPECT_EQ(read_schedule("/no/such/file").error().message,
            "cannot read /no/such/file: No such file or directory");
  EXPECT_EQ(read_schedule("/").error().message, "cannot read /: Is a directory");
}

// What `mazurka check` does, and then `mazurka replay` in another process: the ids may be other
// ones.
TEST(ScheduleFile, ReplaysAFindingInAFreshProgram) {
  ScriptedProgram program(opposite_locks());
  const Verdict verdict = search_all(program);
  ASSERT_EQ(verdict.findings.size(), 1u);
  const Describer describer(program);
  ScheduleFile file = example();
  file.kind = verdict.findings[0].kind();
  file.steps = scheduled_steps(verdict.findings[0].schedule, verdict.findings[0].execution, program,
                               describer);
  const Result<ScheduleFile> again = parse_schedule(to_text(file), "f");
  ASSERT_TRUE(again) << again.error().message;

  ScriptedProgram fresh(opposite_locks());
  ASSERT_TRUE(fresh.intern_thread({2}));  // so that T0.2 has another id than before
  Plan plan;
  const auto prefix = prefix_of(again->steps, fresh);
  ASSERT_TRUE(prefix);
  plan.prefix = *prefix;
  Execution execution;
  ASSERT_TRUE(fresh.run(plan, execution));
  EXPECT_EQ(execution.end, End::Deadlock);
  EXPECT_EQ(execution.transitions.size(), 2u);
  EXPECT_EQ(first_difference(*again, execution, Describer(fresh)), "");

  file.steps[1].object = "object 7";
  EXPECT_EQ(first_difference(file, execution, Describer(fresh)),
            "step 2 was lock object 1, and not lock object 7");
}

}  // namespace
}  // namespace mazurka
