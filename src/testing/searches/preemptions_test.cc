// The search by preemptions against the plain one: it executes exactly those of its schedules that
// have at most K of them, each once, and counts their traces. What a schedule has is found out from
// the tree of all schedules alone.
//
// MAZURKA_RANDOM_SCRIPTS=20000 compares so many random scripts.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "explore/engine/checkpoint.h"
#include "explore/findings/sighting_reader.h"
#include "testing/scripts/known_scripts.h"
#include "testing/scripts/random_script.h"
#include "testing/searches/recording_program.h"

namespace mazurka {
namespace {

using Step = std::pair<uint16_t, uint32_t>;  // thread and outcome
using Schedule = std::vector<Step>;
using Sightings = std::set<Sighting>;

struct Executed {
  uint64_t times = 0;
  uint64_t trace = 0;
  Sightings sightings;
};
using Schedules = std::map<Schedule, Executed>;

struct Found {
  Verdict verdict;
  Schedules schedules;
};

Found search(const Script& script, SearchOptions options) {
  options.keep_going = true;
  ScriptedProgram program(script);
  SightingReader reader(program, nullptr, options.limits.bound);
  Found found;
  options.on_execution = [&](const Execution& execution) {
    Schedule schedule;
    for (const Transition& made : execution.transitions)
      schedule.emplace_back(index(made.choice.thread), made.choice.outcome);
    Executed& executed = found.schedules[schedule];
    ++executed.times;
    executed.trace = trace_of(execution);
    for (const Sighting& seen : reader.read(execution)) executed.sightings.insert(seen);
  };
  Result<Verdict> verdict = explore(program, options);
  EXPECT_TRUE(verdict);
  found.verdict = std::move(*verdict);
  return found;
}

SearchOptions plain(uint32_t bound = 0, uint64_t most = 0) {
  SearchOptions options;
  options.search = "none";
  options.limits.bound = bound;
  options.max_executions = most;
  return options;
}

SearchOptions within(uint32_t preemptions, uint32_t bound = 0) {
  SearchOptions options = plain(bound);
  options.search = "preemptions";
  options.preemptions = preemptions;
  return options;
}

// Which threads could go on after each beginning: those that do in some schedule.
using Tree = std::map<Schedule, std::set<uint16_t>>;

Tree tree_of(const Schedules& all) {
  Tree tree;
  for (const auto& [schedule, executed] : all) {
    Schedule beginning;
    for (const Step& step : schedule) {
      tree[beginning].insert(step.first);
      beginning.push_back(step);
    }
  }
  return tree;
}

uint32_t preemptions(const Schedule& schedule, const Tree& tree) {
  uint32_t count = 0;
  uint16_t last = index(kMainThread);
  Schedule beginning;
  for (const Step& step : schedule) {
    if (step.first != last && tree.at(beginning).contains(last)) ++count;
    last = step.first;
    beginning.push_back(step);
  }
  return count;
}

struct Expected {
  std::set<Schedule> schedules;
  std::set<uint64_t> traces;
  Sightings sightings;
};

Expected filtered(const Schedules& all, const std::map<Schedule, uint32_t>& counts, uint32_t most) {
  Expected expected;
  for (const auto& [schedule, executed] : all) {
    if (counts.at(schedule) > most) continue;
    expected.schedules.insert(schedule);
    expected.traces.insert(executed.trace);
    expected.sightings.insert(executed.sightings.begin(), executed.sightings.end());
  }
  return expected;
}

Sightings sightings_of(const Verdict& verdict) {
  Sightings found;
  for (const Finding& finding : verdict.findings) found.insert(finding.sighting);
  return found;
}

bool waits_for_others(const Script& script) {
  return to_string(script).find("wait for others") != std::string::npos;
}

void expect_filtered(const Script& script, const Found& all, const Found& found, uint32_t most,
                     const Expected& expected, const std::string& what) {
  const Verdict& verdict = found.verdict;
  EXPECT_FALSE(verdict.trouble) << what;
  std::set<Schedule> schedules;
  for (const auto& [schedule, executed] : found.schedules) {
    EXPECT_EQ(executed.times, 1u) << what;
    schedules.insert(schedule);
  }
  EXPECT_EQ(schedules == expected.schedules, true)
      << what << schedules.size() << " schedules for " << expected.schedules.size();
  EXPECT_EQ(verdict.counts.executions, expected.schedules.size()) << what;
  ASSERT_TRUE(verdict.within);
  if (!waits_for_others(script)) {
    EXPECT_EQ(verdict.within->traces, expected.traces.size()) << what;
  }
  EXPECT_EQ(sightings_of(verdict), expected.sightings) << what;
  const bool is_all = expected.schedules.size() == all.schedules.size();
  EXPECT_EQ(verdict.guarantee, is_all ? all.verdict.guarantee : Guarantee::Bounded) << what;
  if (verdict.guarantee != Guarantee::Sampled) {
    EXPECT_EQ(verdict.within->reached, most) << what;
  }
  for (const Finding& finding : verdict.findings) {
    if (finding.preemptions && !finding.unconfirmed) {
      EXPECT_LE(*finding.preemptions, most) << what;
    }
  }
}

// The first finding has as few preemptions as it needs, and that is known.
void expect_least(const Script& script, SearchOptions options, const Schedules& all,
                  const std::map<Schedule, uint32_t>& counts, const std::string& what) {
  ScriptedProgram program(script);
  options.keep_going = false;
  const Result<Verdict> verdict = explore(program, options);
  ASSERT_TRUE(verdict);
  for (const Finding& finding : verdict->findings) {
    if (!finding.preemptions || !finding.is_least_preempted) continue;
    const auto has = [&](uint32_t k) {
      return filtered(all, counts, k).sightings.contains(finding.sighting);
    };
    EXPECT_TRUE(has(*finding.preemptions)) << what << to_string(script);
    EXPECT_FALSE(*finding.preemptions > 0 && has(*finding.preemptions - 1))
        << what << to_string(script);
  }
}

// False: it is too large.
bool compare(const Script& script, uint32_t bound, const std::string& what) {
  const Found all = search(script, plain(bound, 600));
  if (all.verdict.guarantee == Guarantee::Sampled) return false;
  const Tree tree = tree_of(all.schedules);
  std::map<Schedule, uint32_t> counts;
  uint32_t most = 0;
  for (const auto& [schedule, executed] : all.schedules)
    most = std::max(most, counts[schedule] = preemptions(schedule, tree));
  for (uint32_t k = 0; k <= std::min(most + 1, 3u); ++k) {
    const std::string where = what + ", K = " + std::to_string(k) + ":\n" + to_string(script);
    expect_filtered(script, all, search(script, within(k, bound)), k,
                    filtered(all.schedules, counts, k), where);
  }
  // Rounds from 0 on, until nothing is cut; each executes the schedules of those before once more.
  SearchOptions options = within(0, bound);
  options.preemptions.reset();
  options.deepen = true;
  const Found deep = search(script, options);
  uint64_t executions = 0;
  for (const auto& [schedule, count] : counts) executions += most - count + 1;
  EXPECT_EQ(deep.verdict.counts.executions, executions) << what << to_string(script);
  EXPECT_EQ(deep.verdict.guarantee, all.verdict.guarantee) << what << to_string(script);
  EXPECT_EQ(deep.verdict.within->reached, most) << what << to_string(script);
  EXPECT_EQ(sightings_of(deep.verdict), sightings_of(all.verdict)) << what << to_string(script);
  expect_least(script, options, all.schedules, counts, what);
  return true;
}

uint64_t number_of_scripts() {
  const char* text = std::getenv("MAZURKA_RANDOM_SCRIPTS");
  return text == nullptr ? 1200 : std::strtoull(text, nullptr, 10);
}

TEST(Preemptions, AreThoseOfTheFilteredPlainSearch) {
  constexpr uint32_t kBeside[] = {
      0,          kSignals,  kQueues,  kChannels, kSockets, kTimers, kPauses | kWaitsForOthers,
      kFileLocks, kFileUses, kRarities};
  uint64_t compared = 0;
  for (uint64_t seed = 0; compared < number_of_scripts() && !HasFailure(); ++seed) {
    RandomScriptOptions wanted;
    wanted.features |= kBeside[seed % std::size(kBeside)];
    wanted.max_operations = 4 + static_cast<uint32_t>(seed / 10 % 4);
    const uint32_t bound = seed % 7 == 3 ? 2 + static_cast<uint32_t>(seed % 2) : 0;
    compared += compare(random_script(seed, wanted), bound, "seed " + std::to_string(seed));
  }
  std::printf("%lu scripts\n", compared);
}

// The reason why it is no cut of a reduction: x=1 | x=2; x=3.
TEST(Preemptions, FindATraceThatAReversalComesToByOneWithMore) {
  Script script;
  const ObjectId x = script.add({.kind = ObjectKind::Variable});
  const auto store = [&](int64_t value) {
    return operate({.kind = OpKind::VarStore, .object = x, .value = value});
  };
  script.bodies = {
      {spawn(1), spawn(2), join_child(1), join_child(2)}, {store(1)}, {store(2), store(3)}};
  const Found none = search(script, within(0));
  EXPECT_EQ(none.verdict.within->traces, 2u);
  EXPECT_EQ(none.verdict.guarantee, Guarantee::Bounded);
  EXPECT_EQ(none.verdict.why_incomplete, (Remarks<WhyIncomplete>{{WhyIncomplete::Preemptions, 0}}));
  const Found one = search(script, within(1));
  EXPECT_EQ(one.verdict.within->traces, 3u);
}

TEST(Preemptions, SeveralWorkersDoTheSame) {
  for (const uint32_t most : {0u, 1u, 2u}) {
    const Script script = thread_philosophers(3);
    const Found alone = search(script, within(most));
    SearchOptions options = within(most);
    options.jobs = 3;
    const Found together = search(script, options);
    EXPECT_EQ(together.verdict.counts.executions, alone.verdict.counts.executions);
    EXPECT_EQ(together.verdict.counts.transitions, alone.verdict.counts.transitions);
    EXPECT_EQ(together.verdict.within->traces, alone.verdict.within->traces);
    EXPECT_EQ(together.schedules.size(), alone.schedules.size());
    EXPECT_NEAR(together.verdict.done, 1, 1e-9);
  }
}

// Stopped again and again, and gone on with.
TEST(Preemptions, AreSavedAndGoOn) {
  const std::string file =
      testing::TempDir() + "mazurka_preemptions_test." + std::to_string(getpid());
  for (const bool deepens : {false, true}) {
    const Script script = thread_philosophers(3);
    SearchOptions options = within(2);
    options.deepen = deepens;
    const Found whole = search(script, options);
    options.checkpoints.file = file;
    options.checkpoints.interval_s = 1000;
    std::string names;
    uint32_t pieces = 0;
    for (options.max_executions = 100;; options.max_executions += 150, ++pieces) {
      ScriptedProgram program(script);
      if (!names.empty()) {
        EXPECT_TRUE(program.restore_names(names));
      }
      options.keep_going = true;
      const Result<Verdict> verdict = explore(program, options);
      ASSERT_TRUE(verdict);
      if (verdict->counts.executions >= options.max_executions) {
        const Result<Checkpoint> saved = read_checkpoint(file);
        ASSERT_TRUE(saved);
        names = saved->names;
        options.checkpoints.resume = saved->search;
        continue;
      }
      EXPECT_EQ(verdict->counts.executions, whole.verdict.counts.executions);
      EXPECT_EQ(verdict->within->traces, whole.verdict.within->traces);
      EXPECT_EQ(verdict->within->reached, 2u);
      EXPECT_EQ(verdict->guarantee, whole.verdict.guarantee);
      break;
    }
    EXPECT_GT(pieces, 2u);
  }
  std::remove(file.c_str());
}

// What was reached stands, when the time is over in a later round.
TEST(Preemptions, ARoundThatWasStoppedTakesNothingFromThoseBefore) {
  SearchOptions options = within(0);
  options.preemptions.reset();
  options.deepen = true;
  options.max_executions = search(thread_philosophers(3), within(0)).verdict.counts.executions +
                           search(thread_philosophers(3), within(1)).verdict.counts.executions + 10;
  const Found found = search(thread_philosophers(3), options);
  EXPECT_EQ(found.verdict.guarantee, Guarantee::Bounded);
  EXPECT_EQ(found.verdict.within->reached, 1u);
  EXPECT_EQ(found.verdict.why_incomplete.back(),
            (Remark<WhyIncomplete>{WhyIncomplete::Deepening, 1}));
}

}  // namespace
}  // namespace mazurka
