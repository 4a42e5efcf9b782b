// A search that is saved after every round, stopped anywhere and resumed comes to what it would
// have come to without.
#include "explore/engine/checkpoint.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "testing/scripts/known_scripts.h"
#include "testing/scripts/random_script.h"
#include "testing/scripts/scripted_program.h"
#include "testing/searches/same_verdict.h"

namespace mazurka {
namespace {

const std::string kFile =
    testing::TempDir() + "mazurka_checkpoint_test." + std::to_string(getpid());

// Nothing is left behind, whichever tests were run.
const struct Tidying {
  ~Tidying() {
    std::remove(kFile.c_str());
    std::remove((kFile + ".new").c_str());
  }
} tidying;

SearchOptions options_for(const std::string& search) {
  SearchOptions options;
  options.search = search;
  options.keep_going = true;
  options.checkpoints.file = kFile;
  options.checkpoints.interval_s = 1000;  // and when it stops
  options.checkpoints.identity = "a test";
  return options;
}

Verdict search(const Script& script, const SearchOptions& options, const std::string& names = "") {
  ScriptedProgram program(script);
  if (!names.empty()) {
    EXPECT_TRUE(program.restore_names(names));
  }
  Result<Verdict> verdict = explore(program, options);
  EXPECT_TRUE(verdict);
  return std::move(*verdict);
}

// As often as it takes, a little more each time.
Verdict search_in_pieces(const Script& script, SearchOptions options, uint64_t step) {
  std::string names;
  for (uint64_t most = step;; most += step) {
    options.max_executions = most;
    Verdict verdict = search(script, options, names);
    if (verdict.trouble || verdict.counts.executions < most) return verdict;
    const Result<Checkpoint> saved = read_checkpoint(kFile);
    EXPECT_TRUE(saved);
    EXPECT_EQ(saved->identity, "a test");
    names = saved->names;
    options.checkpoints.resume = saved->search;
  }
}

class CheckpointOf : public testing::TestWithParam<const char*> {};

TEST_P(CheckpointOf, StoppedAndResumedSearchesCountTheSame) {
  size_t compared = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const Script script = random_script(seed);
    SearchOptions options = options_for(GetParam());
    options.max_executions = 1'000;
    const Verdict whole = search(script, options);
    if (whole.guarantee == Guarantee::Sampled || whole.counts.executions < 4) continue;
    const uint64_t step = 1 + whole.counts.executions / (2 + seed % 5);
    expect_same(whole, search_in_pieces(script, options, step), "seed " + std::to_string(seed));
    ++compared;
  }
  EXPECT_GT(compared, 8u);
}

TEST_P(CheckpointOf, SeveralWorkersAreSavedTogether) {
  const Script script = process_philosophers(3);
  SearchOptions options = options_for(GetParam());
  const Verdict whole = search(script, options);
  options.jobs = 3;
  options.checkpoints.interval_s = 0.02;
  expect_same(whole, search_in_pieces(script, options, 1 + whole.counts.executions / 4),
              GetParam());
}

INSTANTIATE_TEST_SUITE_P(Searches, CheckpointOf,
                         testing::Values("none", "sleep", "persistent", "dpor", "optimal", "wakeup",
                                         "auto"),
                         [](const auto& test) { return std::string(test.param); });

SearchOptions options_without_file(const std::string& name, size_t jobs) {
  SearchOptions options;
  options.search = name;
  options.keep_going = true;
  options.jobs = jobs;
  return options;
}

// What is done adds up to one, however the search was cut into pieces: the estimate ends where it
// should.
TEST(Progress, WhatIsDoneAddsUpToAll) {
  for (const std::string& name : search_names()) {
    for (const size_t jobs : {1, 3}) {
      const Verdict verdict = search(process_philosophers(3), options_without_file(name, jobs));
      EXPECT_NEAR(verdict.done, 1, 1e-9) << name;
    }
  }
}

TEST(Progress, AddsUpForRandomProgramsToo) {
  for (const std::string& name : search_names()) {
    for (uint64_t seed = 0; seed < 40; ++seed) {
      SearchOptions options = options_without_file(name, 1);
      options.max_executions = 1'000;
      const Verdict verdict = search(random_script(seed), options);
      if (verdict.guarantee == Guarantee::Sampled) continue;
      EXPECT_NEAR(verdict.done, 1, 1e-9) << name << ", seed " << seed;
    }
  }
}

// Each execution brings it forward, where the tree is known, and never to the end too early.
TEST(Progress, GoesForward) {
  const Script script = thread_philosophers(3);
  for (const char* name : {"none", "sleep", "optimal"}) {
    SearchOptions options = options_without_file(name, 1);
    const Verdict whole = search(script, options);
    double last = 0;
    for (options.max_executions = 1;
         options.max_executions < std::min<uint64_t>(whole.counts.executions, 60);
         ++options.max_executions) {
      const double done = search(script, options).done;
      EXPECT_GT(done, last) << name;
      EXPECT_LT(done, 1) << name;
      last = done;
    }
    EXPECT_GT(last, 0) << name;
  }
}

// One thread that tosses three times.
Script tosses() {
  Script script;
  script.bodies.emplace_back(3, operate({.kind = OpKind::Toss, .value = 2}));
  return script;
}

// The estimate is right at every time.
TEST(Progress, IsExactWhereAllBranchesAreAlike) {
  for (const char* name : {"none", "sleep", "persistent", "dpor", "wakeup"}) {
    SearchOptions options = options_without_file(name, 1);
    EXPECT_EQ(search(tosses(), options).counts.executions, 27) << name;
    for (options.max_executions = 1; options.max_executions < 27; ++options.max_executions) {
      const Verdict verdict = search(tosses(), options);
      EXPECT_NEAR(verdict.done, static_cast<double>(options.max_executions) / 27, 1e-9) << name;
    }
  }
}

TEST(Checkpoint, DamageIsNoticed) {
  ASSERT_TRUE(write_checkpoint({"one\ntwo\n", "names", "search"}, kFile));
  const Result<Checkpoint> read = read_checkpoint(kFile);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->search, "search");
  std::fstream file(kFile, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(40);
  file.put('x');
  file.close();
  EXPECT_EQ(read_checkpoint(kFile).error().message, kFile + " is damaged");
  std::ofstream(kFile) << "hello";
  EXPECT_EQ(read_checkpoint(kFile).error().message,
            kFile + " is no checkpoint of this version of Mazurka");
  EXPECT_FALSE(read_checkpoint("/no/such/file"));
}

TEST(Checkpoint, SaysWhatIsDifferent) {
  EXPECT_EQ(difference("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(difference("bound 3\n", "bound 4\n"),
            "the checkpoint is of another search: it has 'bound 3', and this is 'bound 4'");
}

}  // namespace
}  // namespace mazurka
