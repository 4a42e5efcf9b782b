#include "explore/engine/compare.h"

#include <gtest/gtest.h>

#include "testing/scripts/known_scripts.h"
#include "testing/scripts/scripted_program.h"

namespace mazurka {
namespace {

Verdict compare(Program& program, const SearchOptions& options, const std::string& other) {
  Result<Verdict> verdict = explore_and_compare(program, options, other);
  EXPECT_TRUE(verdict);
  EXPECT_TRUE(verdict->compared);
  return std::move(*verdict);
}

SearchOptions options_of(const std::string& search) {
  SearchOptions options;
  options.search = search;
  return options;
}

// Two threads that try to lock one mutex: the first wins.
Script tries() {
  Script script;
  const ObjectId a = script.add({.kind = ObjectKind::Mutex});
  const Instruction try_lock = operate({.kind = OpKind::MutexLock, .flags = kTry, .object = a});
  const Body fails = {try_lock, go_to(3, Instruction::Test::ErrorIs, 0),
                      operate({.kind = OpKind::Assertion}), go_to(4)};
  script.bodies = {{spawn(1), spawn(2), join_child(1), join_child(2)}, {try_lock}, fails};
  return script;
}

TEST(Compare, SearchesThatAgree) {
  ScriptedProgram program(process_philosophers(3));
  const Verdict verdict = compare(program, options_of("dpor"), "none");
  EXPECT_EQ(verdict.search, "dpor");
  EXPECT_EQ(verdict.counts.executions, 7u);
  EXPECT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.compared->search, "none");
  EXPECT_EQ(verdict.compared->counts.executions, 396u);
  EXPECT_TRUE(verdict.compared->is_whole);
  EXPECT_TRUE(verdict.compared->differences.empty());
}

TEST(Compare, AWrongDependencyIsTold) {
  ScriptedProgram program(tries());
  program.forget_accesses_to(ObjectId{0});
  const Verdict verdict = compare(program, options_of("sleep"), "none");
  ASSERT_EQ(verdict.compared->differences.size(), 1u);
  const Difference& difference = verdict.compared->differences[0];
  EXPECT_EQ(difference.missed_by, "sleep");
  EXPECT_EQ(difference.reached_by, "none");
  EXPECT_FALSE(difference.finding);
  EXPECT_EQ(difference.count, 1u);
  EXPECT_FALSE(difference.schedule.empty());
}

TEST(Compare, FindingsOfEitherSearchAreReported) {
  ScriptedProgram program(tries());
  EXPECT_EQ(compare(program, options_of("dpor"), "none").findings.size(), 1u);
  EXPECT_EQ(compare(program, options_of("none"), "optimal").findings.size(), 1u);
}

TEST(Compare, WhatWasCutShortIsNotCompared) {
  ScriptedProgram program(process_philosophers(3));
  SearchOptions options = options_of("dpor");
  options.max_executions = 3;
  EXPECT_FALSE(compare(program, options, "none").compared->is_whole);
}

TEST(Compare, AnUnknownSearchIsAnError) {
  ScriptedProgram program(process_philosophers(2));
  EXPECT_FALSE(explore_and_compare(program, options_of("none"), "guess"));
}

}  // namespace
}  // namespace mazurka
