#include "report/words/schedule_table.h"

#include <gtest/gtest.h>

#include "report/formats/scripted_deadlock.h"

namespace mazurka {
namespace {

class Sources : public Places {
 public:
  std::string place(const std::vector<uint64_t>&) override { return "dir/a.c:7 in f"; }
  std::string location(const std::vector<uint64_t>&) override { return "dir/a.c:7"; }
  std::vector<std::string> callers(const std::vector<uint64_t>&) override { return {}; }
  std::string source_text(const std::vector<uint64_t>&) override {
    return "pthread_mutex_lock(&m);";
  }
  std::string outermost_function(const std::vector<uint64_t>&) override { return "work"; }
  std::optional<std::string> variable(uint64_t) override { return "v"; }
};

class Table : public testing::Test {
 protected:
  Table() {
    SearchOptions options;
    options.search = "optimal";
    options.minimize = true;
    finding = explore(program, options)->findings.at(0);
  }

  std::string text() { return schedule_table(finding, explain(finding, 0), describer, style); }

  ScriptedProgram program{opposite_locks()};
  Sources places;
  Describer describer{program, &places};
  Finding finding;
  TextStyle style;
};

TEST_F(Table, HasAColumnForEachThreadAndTheSourceBeside) {
  EXPECT_EQ(text(),
            "        T0.1 work      T0.2 work\n"
            "     1  lock object 0                 a.c:7  pthread_mutex_lock(&m);\n"
            "*!   2                 lock object 1  a.c:7  pthread_mutex_lock(&m);\n");
}

TEST_F(Table, ShowsWhatTheProgramWroteBelowTheStep) {
  finding.execution.transitions[0].output = "one\n\ntwo";
  EXPECT_EQ(text(),
            "        T0.1 work      T0.2 work\n"
            "     1  lock object 0                 a.c:7  pthread_mutex_lock(&m);\n"
            "        | one\n"
            "        | \n"
            "        | two\n"
            "*!   2                 lock object 1  a.c:7  pthread_mutex_lock(&m);\n");
}

TEST_F(Table, ShowsWhatWasWrittenInStepsThatAreLeftOut) {
  finding.execution.transitions[0].output = "one\n";
  Explanation explanation = explain(finding, 0);
  explanation.steps[0].matters = false;
  EXPECT_EQ(schedule_table(finding, explanation, describer, style),
            "        T0.2 work\n"
            "        ... 1 step\n"
            "        | one\n"
            "*!   2  lock object 1  a.c:7  pthread_mutex_lock(&m);\n");
}

TEST_F(Table, LeavesTheSourceOutWhereThereIsNoRoom) {
  style.width = 50;
  EXPECT_EQ(text(),
            "        T0.1 work      T0.2 work\n"
            "     1  lock object 0                 a.c:7\n"
            "*!   2                 lock object 1  a.c:7\n");
}

TEST_F(Table, IsAListWhereThereIsNoRoomForColumns) {
  style.width = 40;
  const std::string narrow = text();
  EXPECT_EQ(narrow,
            "     1  T0.1 work  lock object 0  a.c:7\n"
            "*!   2  T0.2 work  lock object 1  a.c:7\n");
}

TEST_F(Table, SaysHowManyStepsAreLeftOut) {
  Explanation explanation = explain(finding, 0);
  explanation.steps[0].matters = false;
  EXPECT_EQ(schedule_table(finding, explanation, describer, style),
            "        T0.2 work\n"
            "        ... 1 step\n"
            "*!   2  lock object 1  a.c:7  pthread_mutex_lock(&m);\n");
  style.is_full = true;
  EXPECT_EQ(schedule_table(finding, explanation, describer, style), text());
}

TEST_F(Table, ShowsAStepThatIsRepeatedOnce) {
  const Transition again = finding.execution.transitions[0];
  finding.execution.transitions.insert(finding.execution.transitions.begin(), 3, again);
  finding.schedule.resize(finding.schedule.size() + 3);
  Explanation explanation = explain(finding, 0);
  for (ExplainedStep& step : explanation.steps) step = {true, false};
  finding.critical.reset();
  EXPECT_EQ(schedule_table(finding, explanation, describer, style),
            "        T0.1 work               T0.2 work\n"
            "     1  lock object 0, 4 times                 a.c:7  pthread_mutex_lock(&m);\n"
            "     5                          lock object 1  a.c:7  pthread_mutex_lock(&m);\n");
}

TEST_F(Table, CutsNothingInAPipe) {
  style.width = 60;
  style.clips = false;
  EXPECT_NE(text().find("a.c:7  pthread_mutex_lock(&m);"), std::string::npos);
}

TEST_F(Table, ColoursTheLastStep) {
  style.colours = true;
  EXPECT_NE(text().find("\x1b[1;31mlock object 1\x1b[0m"), std::string::npos);
}

}  // namespace
}  // namespace mazurka
