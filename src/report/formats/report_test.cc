#include "report/formats/report.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <nlohmann/json.hpp>

#include "report/formats/json_report.h"
#include "report/formats/scripted_deadlock.h"
#include "report/formats/text_report.h"
#include "report/words/finding_text.h"

namespace mazurka {
namespace {

class FakePlaces : public Places {
 public:
  std::string place(const std::vector<uint64_t>& stack) override {
    return location(stack) + " in f";
  }
  std::string location(const std::vector<uint64_t>&) override { return "a.c:7"; }
  std::vector<std::string> callers(const std::vector<uint64_t>&) override {
    return {"a.c:9 in main"};
  }
  std::optional<std::string> variable(uint64_t) override { return "v"; }
};

TEST(JsonReport, HasTheFixedFieldsAndNoOthers) {
  ScriptedProgram program(opposite_locks());
  const Verdict verdict = search_all(program);
  FakePlaces places;
  const Describer describer(program, &places);
  const auto json =
      nlohmann::ordered_json::parse(json_report({verdict, describer, {"x.schedule"}}));
  std::vector<std::string> names;
  for (const auto& [name, value] : json.items()) names.push_back(name);
  const std::vector<std::string> expected = {
      "version",     "command",     "verdict",    "complete",
      "guarantee",   "search",      "executions", "blocked_executions",
      "transitions", "steps",       "max_depth",  "seconds",
      "findings",    "assumptions", "unmodelled"};
  EXPECT_EQ(names, expected);
  EXPECT_EQ(json["verdict"], "error");
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["guarantee"], "complete");
  EXPECT_EQ(json["executions"], verdict.counts.executions);
  const auto finding = json["findings"].at(0);
  EXPECT_EQ(finding.size(), 9u);
  EXPECT_EQ(finding["kind"], "deadlock");
  EXPECT_EQ(finding["count"], 2);
  EXPECT_EQ(finding["schedule"], "x.schedule");
  EXPECT_EQ(finding["length"], 2);
  EXPECT_EQ(finding["location"], "a.c:7");
  EXPECT_EQ(finding["why"],
            "T0.1 holds object 0 (a.c:7) and waits for object 1 (a.c:7); "
            "T0.2 holds object 1 (a.c:7) and waits for object 0 (a.c:7)");
  ASSERT_EQ(finding["steps"].size(), 2u);
  EXPECT_EQ(finding["steps"][1]["thread"], "T0.2");
  EXPECT_EQ(finding["steps"][1]["operation"], "lock object 1");
  ASSERT_EQ(finding["states"].size(), 3u);
  EXPECT_EQ(finding["states"][1]["operation"], "lock object 1");
  EXPECT_EQ(finding["states"][1]["holders"][0], "T0.2");
}

TEST(JsonReport, SurvivesNamesThatAreNoText) {
  ScriptedProgram program(opposite_locks());
  Verdict verdict;
  verdict.unmodelled = {{"\xff\xfe", 0, 1, true}};
  const Describer describer(program);
  EXPECT_TRUE(nlohmann::json::accept(json_report({verdict, describer, {}})));
}

TEST(TextReport, ShowsWhatAPersonNeeds) {
  ScriptedProgram program(opposite_locks());
  Verdict verdict = search_all(program);
  verdict.seconds = 0;
  FakePlaces places;
  const Describer describer(program, &places);
  EXPECT_EQ(text_report({verdict, describer, {"my x.schedule"}}),
            "error: 1 finding\n"
            "\n"
            "deadlock: no thread can go on\n"
            "  at a.c:7\n"
            "  why: T0.1 holds object 0 (a.c:7) and waits for object 1 (a.c:7); "
            "T0.2 holds object 1 (a.c:7) and waits for object 0 (a.c:7)\n"
            "  seen in 2 executions\n"
            "  T0    join T0.1, which has not ended   a.c:7 in f\n"
            "                                         called from a.c:9 in main\n"
            "  T0.1  lock object 1, which T0.2 holds  a.c:7 in f\n"
            "                                         called from a.c:9 in main\n"
            "  T0.2  lock object 0, which T0.1 holds  a.c:7 in f\n"
            "                                         called from a.c:9 in main\n"
            "  a cycle: T0.1 waits for T0.2 waits for T0.1\n"
            "  schedule: 2 steps\n"
            "        T0.1           T0.2\n"
            "     1  lock object 0                 a.c:7\n"
            "*    2                 lock object 1  a.c:7\n"
            "  * a preemption: the thread before it could have gone on\n"
            "  replay: mazurka replay 'my x.schedule'\n"
            "  simulate: mazurka sim '--schedule=my x.schedule'\n"
            "\n"
            "coverage: complete for its synchronisation calls\n"
            "13 executions, 66 transitions, depth 10, 0.00 s, search none\n"
            "Not covered: atomics and plain memory accesses (rebuild with mazurka-c++)\n");
}

TEST(TextReport, TheVerdictLineSaysWhatIsGuaranteed) {
  Verdict verdict;
  verdict.memory_is_seen = true;
  EXPECT_EQ(verdict_text(verdict), "ok: nothing found; complete: every behaviour was explored\n");
  verdict.transitions = Transitions::Composed;
  EXPECT_EQ(verdict_text(verdict),
            "ok: nothing found; complete for what code built with mazurka-c++ does to memory\n");
  verdict.transitions = Transitions::Visible;
  verdict.guarantee = Guarantee::Bounded;
  verdict.why_incomplete = {{WhyIncomplete::Depth, 3}};
  EXPECT_EQ(verdict_text(verdict),
            "incomplete: nothing found; every behaviour within the bounds was explored, but they "
            "were reached: "
            "an execution was cut at depth 3 (--depth)\n");
  verdict.guarantee = Guarantee::Sampled;
  verdict.why_incomplete = {{WhyIncomplete::Interrupted}};
  EXPECT_EQ(verdict_text(verdict),
            "incomplete: nothing found; not complete: the search was interrupted\n");
}

TEST(Report, ExitCodes) {
  Verdict verdict;
  EXPECT_EQ(exit_code_of(verdict), ExitCode::Ok);
  verdict.guarantee = Guarantee::Bounded;
  EXPECT_EQ(exit_code_of(verdict), ExitCode::Incomplete);
  verdict.trouble = Error{"no memory"};
  EXPECT_EQ(exit_code_of(verdict), ExitCode::Trouble);
  verdict.findings.emplace_back();
  EXPECT_EQ(exit_code_of(verdict), ExitCode::Found);
}

// One sentence for each kind of finding that an execution may show.
class Message : public testing::Test {
 protected:
  Message() {
    finding.execution.transitions.resize(1);
    finding.execution.transitions[0].choice.thread = kMainThread;
    finding.execution.threads.resize(1);
    finding.execution.threads[0].id = kMainThread;
    finding.execution.culprit = kMainThread;
    finding.sighting.length = 1;
    finding.schedule.resize(1);
  }

  std::string text(FindingKind kind) {
    finding.sighting.kind = kind;
    return message(finding, describer);
  }
  Transition& failing() { return finding.execution.transitions[0]; }

  ScriptedProgram program{opposite_locks()};
  Describer describer{program};
  Finding finding;
};

TEST_F(Message, OfFailingOperations) {
  failing().op.kind = OpKind::Assertion;
  failing().text = "x == 1";
  EXPECT_EQ(text(FindingKind::Assertion), "T0: assertion failed: x == 1");
  failing().op.kind = OpKind::Crash;
  failing().op.value = 11;
  EXPECT_EQ(text(FindingKind::Crash), "T0 crashed: signal 11, SIGSEGV (Segmentation fault)");
  failing() = {};
  failing().choice.thread = kMainThread;
  failing().op.kind = OpKind::MutexUnlock;
  failing().op.object = ObjectId(1);
  failing().effect.misuse = Misuse::UnlockNotOwned;
  EXPECT_EQ(text(FindingKind::Misuse),
            "T0: unlocks a lock that the thread does not hold: object 1");
}

TEST_F(Message, OperationsOnVariablesSayTheirValues) {
  const auto said = [&](const Operation& op, const Effect& effect) {
    failing() = {};
    failing().op = op;
    failing().effect = effect;
    return describer.transition(failing());
  };
  const ObjectId x{1};
  EXPECT_EQ(said({.kind = OpKind::VarLoad, .object = x}, {.value = 3}), "load object 1: 3");
  EXPECT_EQ(said({.kind = OpKind::VarStore, .object = x, .value = 4}, {}), "store object 1 = 4");
  EXPECT_EQ(said({.kind = OpKind::VarUpdate, .object = x, .update = Update::Add, .value = 2},
                 {.value = 3}),
            "fetch-add object 1 2: was 3");
  const Operation exchange{
      .kind = OpKind::VarCompareExchange, .object = x, .value = 3, .desired = 8};
  EXPECT_EQ(said(exchange, {.value = 3}), "compare-exchange object 1 3 to 8");
  EXPECT_EQ(said(exchange, {.error = EAGAIN, .value = 5}),
            "compare-exchange object 1 3 to 8: fails, is 5");
}

TEST_F(Message, LocksOfFilesSayTheirRanges) {
  const auto said = [&](OpKind kind, int flags, int64_t begin, int64_t end) {
    const auto all = static_cast<uint8_t>(flags);
    return describer.operation(
        {.kind = kind, .flags = all, .object = ObjectId{1}, .value = begin, .desired = end}, {});
  };
  EXPECT_EQ(said(OpKind::FileLock, 0, 0, 0), "lock object 1");
  EXPECT_EQ(said(OpKind::FileLock, kTry | kShared, 0, 0), "try to share object 1");
  EXPECT_EQ(said(OpKind::FileUnlock, kRecord, 0, kEndOfFile), "unlock object 1");
  EXPECT_EQ(said(OpKind::FileLock, kRecord, 5, kEndOfFile), "lock object 1 from byte 5 on");
  EXPECT_EQ(said(OpKind::FileLook, kRecord, 5, 6), "look for locks of object 1 byte 5");
  EXPECT_EQ(said(OpKind::FileLock, kRecord | kShared, 5, 10), "share object 1 bytes 5 to 9");
}

TEST_F(Message, UsesOfFilesSayWhatIsDoneToWhich) {
  const auto said = [&](FileVerb verb, ObjectId second = kNoObject) {
    const Operation op{.kind = OpKind::FileUse,
                       .object = ObjectId{1},
                       .second = second,
                       .value = static_cast<int64_t>(verb)};
    return describer.operation(op,
                               {semaphore_part(ObjectId{0}, 0), semaphore_part(ObjectId{1}, 0)});
  };
  EXPECT_EQ(said(FileVerb::Create), "create object 1");
  EXPECT_EQ(said(FileVerb::Look), "look at object 1");
  EXPECT_EQ(said(FileVerb::MakeDirectory), "mkdir object 1");
  EXPECT_EQ(said(FileVerb::Rename, ObjectId{0}), "rename object 1 to object 0");
  EXPECT_EQ(said(FileVerb{99}), "use object 1");
}

TEST_F(Message, OfEnds) {
  Execution& execution = finding.execution;
  execution.wait_status = 3 << 8;
  EXPECT_EQ(text(FindingKind::Exit), "the program ended with status 3");
  execution.end = End::Lost;
  execution.wait_status = 9;
  EXPECT_EQ(text(FindingKind::Crash),
            "a process ended without a word: it was killed by signal 9, SIGKILL (Killed)");
  execution.end = End::Divergence;
  EXPECT_EQ(text(FindingKind::Divergence),
            "T0 ran for too long without a visible operation (--divergence)");
  execution.end = End::Hung;
  EXPECT_EQ(text(FindingKind::Divergence), "T0 is blocked in a call that no model covers");
  execution.end = End::SegmentDamaged;
  EXPECT_EQ(text(FindingKind::Memory), "the program overwrote Mazurka's shared segment");
}

TEST_F(Message, OfNondeterminism) {
  Execution& execution = finding.execution;
  execution.end = End::Nondeterminism;
  execution.position = 0;
  execution.got.kind = OpKind::SemPost;
  finding.schedule[0] = {{kMainThread, 0}, OpKind::MutexLock, {}, ObjectId(1)};
  EXPECT_EQ(
      text(FindingKind::Nondeterminism),
      "step 1 of a replayed schedule was something else: T0 was to do lock object 1, but came to "
      "semaphore post");
  execution.end = End::Finished;
  finding.unconfirmed = FindingKind::Exit;
  EXPECT_EQ(text(FindingKind::Nondeterminism),
            "exit was found once and did not show again when its schedule was replayed");
}

}  // namespace
}  // namespace mazurka
