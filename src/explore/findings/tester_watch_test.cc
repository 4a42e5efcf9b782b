#include "explore/findings/tester_watch.h"

#include <gtest/gtest.h>

#include "explore/engine/search.h"
#include "explore/trace/event_tree.h"
#include "lts/model/aut_file.h"
#include "testing/scripts/scripted_program.h"

namespace mazurka {
namespace {

// The names of the events of a script are those of its objects.
constexpr char kA[] = "\"object 0\"";
constexpr char kB[] = "\"object 1\"";

struct TwoEvents {
  Script script;
  ObjectId a = script.add({.kind = ObjectKind::Event});
  ObjectId b = script.add({.kind = ObjectKind::Event});
  ObjectId m = script.add({.kind = ObjectKind::Mutex});

  static Instruction event(ObjectId name) {
    return operate({.kind = OpKind::Event, .object = name});
  }
  static Instruction on(OpKind kind, ObjectId object) {
    return operate({.kind = kind, .object = object});
  }
};

Verdict check(const Script& script, const std::string& tester, const std::string& search) {
  SearchOptions options;
  options.search = search;
  options.keep_going = true;
  const auto read = parse_program_tester(tester, "a.tester");
  EXPECT_TRUE(read) << read.error().message;
  options.tester = *read;
  ScriptedProgram program(script);
  Result<Verdict> verdict = explore(program, options);
  EXPECT_TRUE(verdict);
  return std::move(*verdict);
}

std::string text(std::initializer_list<const char*> words) {
  std::string all;
  for (const char* word : words) all += word;
  return all;
}

// One thread says a; the other locks, unlocks, and says b. The state in which both stand before
// their events is not on the way of an execution that begins with a.
TEST(TesterWatch, FindsAStableFailureBesideTheExecution) {
  TwoEvents two;
  two.script.bodies = {{spawn(1), TwoEvents::event(two.a)},
                       {TwoEvents::on(OpKind::MutexLock, two.m),
                        TwoEvents::on(OpKind::MutexUnlock, two.m), TwoEvents::event(two.b)}};
  const std::string tester = text({"tester t\nvisible ", kA, " ", kB, "\ninitial s\ndeadlock s\n"});
  for (const std::string& search : search_names()) {
    const Verdict verdict = check(two.script, tester, search);
    ASSERT_EQ(verdict.findings.size(), 1u) << search;
    const Finding& finding = verdict.findings[0];
    EXPECT_EQ(finding.kind(), FindingKind::Tester);
    EXPECT_EQ(finding.sighting.tester->kind, lts::ViolationKind::IllegalStableFailure);
    EXPECT_EQ(finding.sighting.tester->state, "s");
    EXPECT_EQ(finding.schedule.size(), 2u) << "lock, unlock";
    EXPECT_EQ(finding.sighting.standpoints.size(), 2u) << "both stand before their events";
  }
}

TEST(TesterWatch, AnEventThatTheTesterFollowsIsNoStop) {
  TwoEvents two;
  two.script.bodies = {{spawn(1), TwoEvents::event(two.a)}, {TwoEvents::event(two.b)}};
  const std::string follows =
      text({"visible ", kA, " ", kB, "\ninitial s\ns -", kA, "-> t\ndeadlock s\n"});
  EXPECT_TRUE(check(two.script, follows, "optimal").ok()) << "a can always happen";
  const std::string other = text({"visible ", kA, "\ninitial s\ns -", kA, "-> s\ndeadlock s\n"});
  EXPECT_EQ(check(two.script, other, "optimal").findings.size(), 1u) << "it ends in s";
}

TEST(TesterWatch, AnInvisibleEventIsAStepLikeOthers) {
  TwoEvents two;
  two.script.bodies = {{TwoEvents::event(two.a), TwoEvents::event(two.b)}};
  const std::string tester =
      text({"visible ", kB, "\ninitial s\ns -", kB, "-> t\ndeadlock s\nreject t\n"});
  const Verdict verdict = check(two.script, tester, "optimal");
  ASSERT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.findings[0].sighting.tester->kind, lts::ViolationKind::IllegalFiniteTrace);
  EXPECT_EQ(verdict.findings[0].sighting.tester->events, std::vector<std::string>{"object 1"});
  EXPECT_EQ(verdict.findings[0].schedule.size(), 2u);
}

TEST(TesterWatch, TheTestersOwnStepsLeadToWhatItRejects) {
  TwoEvents two;
  two.script.bodies = {{TwoEvents::event(two.a)}};
  const std::string tester = text(
      {"visible ", kA, "\ninitial s\ns -", kA, "-> t\nt -tau_T-> u\nu -tau_T-> v\nreject v\n"});
  const Verdict verdict = check(two.script, tester, "optimal");
  ASSERT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.findings[0].sighting.tester->state, "v");
}

TEST(TesterWatch, ANormalEndIsAStopAndABoundIsNone) {
  TwoEvents two;
  two.script.bodies = {{TwoEvents::event(two.a), TwoEvents::event(two.a)}};
  const std::string tester = text({"visible ", kA, "\ninitial s\ns -", kA, "-> s\ndeadlock s\n"});
  EXPECT_EQ(check(two.script, tester, "optimal").findings.size(), 1u);
  SearchOptions options;
  options.search = "optimal";
  options.limits.bound = 1;
  options.tester = *parse_program_tester(tester, "a.tester");
  ScriptedProgram program(two.script);
  EXPECT_TRUE(explore(program, options)->findings.empty());
}

TEST(ProgramTester, RefusesWhatProgramsDoNotDecide) {
  for (const char* set : {"livelock", "infinite"}) {
    const auto read = parse_program_tester(text({"initial s\n", set, " s\n"}), "a.tester");
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().message.find("a.tester: 's' is a"), std::string::npos)
        << read.error().message;
  }
  EXPECT_FALSE(parse_program_tester("visible tau\ninitial s\n", "a.tester"));
  EXPECT_FALSE(parse_program_tester("initial s\ns -unlisted-> s\n", "a.tester"));
}

TEST(ProgramTester, DeadlockStatesNeedEveryTrace) {
  SearchOptions options;
  options.search = "sleep";
  options.conditional = true;
  options.tester = *parse_program_tester("initial s\ndeadlock s\n", "a.tester");
  EXPECT_NE(contradiction(options), "");
  TwoEvents two;
  two.script.bodies = {{TwoEvents::event(two.a)}};
  ScriptedProgram program(two.script);
  EXPECT_FALSE(explore(program, options));
  options.tester = *parse_program_tester("initial s\nreject s\n", "a.tester");
  EXPECT_EQ(contradiction(options), "");
}

std::string extracted(const Script& script, const std::string& search) {
  ScriptedProgram program(script);
  EventTree tree;
  SearchOptions options;
  options.search = search;
  options.keep_going = true;
  options.on_execution = [&](const Execution& execution) { tree.add(execution, program); };
  EXPECT_TRUE(explore(program, options));
  const Result<ExtractedLts> made = tree.extract();
  return lts::write_aut(made->lts, made->actions);
}

TEST(EventTree, IsTheSameForEverySearch) {
  TwoEvents two;
  two.script.bodies = {
      {spawn(1), operate({.kind = OpKind::MutexLock, .flags = kTry, .object = two.m}),
       go_to(4, Instruction::Test::ErrorIsNot, 0), TwoEvents::event(two.a)},
      {TwoEvents::on(OpKind::MutexLock, two.m), TwoEvents::event(two.b)}};
  const std::string truth = extracted(two.script, "none");
  EXPECT_EQ(truth, "des (0,3,4)\n(0,\"tau\",3)\n(0,\"object 0\",1)\n(0,\"object 1\",2)\n");
  for (const std::string& search : search_names()) EXPECT_EQ(extracted(two.script, search), truth);
}

}  // namespace
}  // namespace mazurka
