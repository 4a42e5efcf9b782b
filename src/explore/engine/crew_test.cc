// Several workers find what one finds, and count what one counts.
#include "explore/engine/crew.h"

#include <gtest/gtest.h>

#include "testing/scripts/known_scripts.h"
#include "testing/scripts/random_script.h"
#include "testing/scripts/scripted_program.h"
#include "testing/searches/same_verdict.h"

namespace mazurka {
namespace {

constexpr uint64_t kScripts = 150;

Verdict search(const Script& script, const std::string& name, size_t jobs) {
  ScriptedProgram program(script);
  SearchOptions options;
  options.search = name;
  options.keep_going = true;
  options.jobs = jobs;
  options.max_executions = 5'000;
  Result<Verdict> verdict = explore(program, options);
  EXPECT_TRUE(verdict);
  return std::move(*verdict);
}

class CrewOf : public testing::TestWithParam<const char*> {};

TEST_P(CrewOf, SeveralWorkersDoWhatOneDoes) {
  for (uint64_t seed = 0; seed < kScripts; ++seed) {
    const Script script = random_script(seed, {});
    const Verdict one = search(script, GetParam(), 1);
    if (one.guarantee == Guarantee::Sampled) continue;
    expect_same(one, search(script, GetParam(), 3), to_string(script));
  }
}

TEST_P(CrewOf, PhilosophersAreCountedOnce) {
  const Script script = process_philosophers(3);
  expect_same(search(script, GetParam(), 1), search(script, GetParam(), 4), GetParam());
}

TEST_P(CrewOf, TheLimitOfExecutionsHolds) {
  ScriptedProgram program(process_philosophers(4));
  SearchOptions options;
  options.search = GetParam();
  options.keep_going = true;
  options.jobs = 3;
  options.max_executions = 10;
  const Result<Verdict> verdict = explore(program, options);
  ASSERT_TRUE(verdict);
  EXPECT_GE(verdict->counts.executions, 10);
  EXPECT_LE(verdict->counts.executions, 10 + options.jobs);
  EXPECT_EQ(verdict->guarantee, Guarantee::Sampled);
}

INSTANTIATE_TEST_SUITE_P(Crew, CrewOf,
                         testing::Values("none", "sleep", "persistent", "optimal", "auto"),
                         [](const auto& made) { return std::string(made.param); });

}  // namespace
}  // namespace mazurka
