// The samplers against the plain search: they show nothing that it has not, they come to every
// trace of small programs, and they draw with the probabilities that they claim.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "explore/sampling/trace_count.h"
#include "testing/scripts/known_scripts.h"
#include "testing/scripts/random_script.h"
#include "testing/searches/recording_program.h"

namespace mazurka {
namespace {

using Schedule = std::vector<std::pair<uint16_t, uint32_t>>;  // threads and outcomes

SearchOptions options_of(const std::string& search, uint64_t executions) {
  SearchOptions options;
  options.search = search;
  options.keep_going = true;
  options.max_executions = executions;
  return options;
}

Verdict run(Program& program, const SearchOptions& options) {
  Result<Verdict> verdict = explore(program, options);
  EXPECT_TRUE(verdict);
  return std::move(*verdict);
}

Schedule schedule_of(const Execution& execution) {
  Schedule schedule;
  for (const Transition& made : execution.transitions)
    schedule.emplace_back(index(made.choice.thread), made.choice.outcome);
  return schedule;
}

// How often each schedule was executed.
std::map<Schedule, uint64_t> schedules(const Script& script, SearchOptions options) {
  ScriptedProgram program(script);
  std::map<Schedule, uint64_t> seen;
  options.on_execution = [&](const Execution& execution) { ++seen[schedule_of(execution)]; };
  run(program, options);
  return seen;
}

using Found = std::set<std::pair<FindingKind, std::vector<Standpoint>>>;
Found found(const Verdict& verdict) {
  Found all;
  for (const Finding& finding : verdict.findings)
    all.insert({finding.kind(), finding.sighting.standpoints});
  return all;
}

template <typename Set>
void expect_within(const Set& part, const Set& whole, const std::string& what) {
  for (const auto& item : part) EXPECT_TRUE(whole.contains(item)) << what;
}

// Far beyond what chance does: a probability of about 10^-5.
double critical(size_t freedom) {
  const double f = static_cast<double>(freedom);
  return f + 5 * std::sqrt(2 * f) + 6;
}

TEST(Samplers, ShowNothingThatThePlainSearchHasNot) {
  constexpr uint32_t kFeatures[] = {0,       kSignals,  kQueues,         kChannels,
                                    kTimers, kFileUses, kWaitsForOthers, kPauses};
  size_t compared = 0;
  for (uint64_t seed = 0; seed < 210; ++seed) {
    RandomScriptOptions wanted;
    wanted.features |= kFeatures[seed % std::size(kFeatures)];
    const Script script = random_script(seed, wanted);
    RecordingProgram program(script);
    const Verdict plain = run(program, options_of("none", 2000));
    if (plain.guarantee == Guarantee::Sampled) continue;
    ++compared;
    const Seen all = program.seen;
    for (const std::string& name : sampler_names()) {
      const std::string what = name + ": " + to_string(script);
      program.seen = {};
      const Verdict verdict = run(program, options_of(name, 100));
      expect_within(found(verdict), found(plain), what);
      expect_within(program.seen.final_states, all.final_states, what);
      expect_within(program.seen.deadlocks, all.deadlocks, what);
      for (const auto& [trace, times] : program.seen.traces)
        EXPECT_TRUE(all.traces.contains(trace)) << what;
      EXPECT_EQ(verdict.guarantee, Guarantee::Sampled);
      ASSERT_TRUE(verdict.samples);
      EXPECT_EQ(verdict.samples->executions, 100u);
      // Waits for whatever moves next are told to the searches only.
      if (!all.yields) {
        EXPECT_EQ(verdict.samples->traces, program.seen.traces.size()) << what;
      }
    }
  }
  EXPECT_GT(compared, 60u);
}

TEST(Samplers, ComeToEveryTraceOfSmallPrograms) {
  const std::pair<Script, size_t> programs[] = {{readers(3), 8},
                                                {last_zero(3), 12},
                                                {thread_philosophers(3), 7},
                                                {process_philosophers(3), 7}};
  for (const auto& [script, traces] : programs) {
    for (const char* name : {"random", "pos", "surw", "lag"}) {
      RecordingProgram program(script);
      const Verdict verdict = run(program, options_of(name, 2000));
      EXPECT_EQ(program.seen.traces.size(), traces) << name;
      EXPECT_EQ(verdict.samples->traces, traces) << name;
      EXPECT_EQ(verdict.samples->late_traces, 0u) << name;
    }
  }
}

TEST(Samplers, TheRandomWalkHasTheProbabilityOfItsChoices) {
  for (const Script& script : {readers(2), lock_counter(2, 1), process_philosophers(2)}) {
    std::map<Schedule, std::set<std::pair<uint16_t, uint32_t>>> ways;
    const auto all = schedules(script, options_of("none", 0));
    for (const auto& [schedule, times] : all) {
      for (size_t i = 0; i < schedule.size(); ++i)
        ways[Schedule(schedule.begin(), schedule.begin() + static_cast<long>(i))].insert(
            schedule[i]);
    }
    constexpr uint64_t kSamples = 20'000;
    const auto drawn = schedules(script, options_of("random", kSamples));
    double chi_square = 0;
    for (const auto& [schedule, times] : all) {
      double expected = kSamples;
      for (size_t i = 0; i < schedule.size(); ++i)
        expected /= static_cast<double>(
            ways.at(Schedule(schedule.begin(), schedule.begin() + static_cast<long>(i))).size());
      const auto seen = drawn.find(schedule);
      const double difference =
          (seen == drawn.end() ? 0 : static_cast<double>(seen->second)) - expected;
      chi_square += difference * difference / expected;
    }
    EXPECT_LT(chi_square, critical(all.size() - 1)) << to_string(script);
    for (const auto& [schedule, times] : drawn) EXPECT_TRUE(all.contains(schedule));
  }
}

// All combinations of their outcomes.
TEST(Samplers, TracesDifferInWhoHasWhichOutcome) {
  Script script;
  const Instruction toss = operate({.kind = OpKind::Toss, .value = 2});
  script.bodies = {{spawn(1), spawn(1), spawn(1), join_child(1), join_child(2), join_child(3)},
                   {toss}};
  RecordingProgram program(script);
  const Verdict verdict = run(program, options_of("random", 3000));
  EXPECT_EQ(program.seen.traces.size(), 27u);
  EXPECT_EQ(verdict.samples->traces, 27u);
}

Script one_among(uint32_t others) {
  Script script;
  const ObjectId x = script.add({.kind = ObjectKind::Variable});
  const Instruction store = operate({.kind = OpKind::VarStore, .object = x, .value = 1});
  script.bodies = {
      {spawn(1), spawn(2), join_child(1), join_child(2)}, {store}, Body(others, store)};
  return script;
}

// Where the first thread's store falls among the other's: each place is as likely, once it is known
// how many there are. A walk by equal chances would put it into the first half always.
TEST(Samplers, SurwDrawsInterleavingsUniformly) {
  constexpr uint32_t kOthers = 9;
  constexpr uint64_t kSamples = 4000;
  std::map<size_t, uint64_t> places;
  for (const auto& [schedule, times] :
       schedules(one_among(kOthers), options_of("surw", kSamples))) {
    size_t place = 0;
    while (schedule[place].first != 1) ++place;
    places[place] += times;
  }
  constexpr double kExpected = double{kSamples} / (kOthers + 1);
  double chi_square = 0;
  for (size_t place = 0; place <= kOthers; ++place) {
    const double difference = static_cast<double>(places[place]) - kExpected;
    chi_square += difference * difference / kExpected;
  }
  EXPECT_LT(chi_square, critical(kOthers));
}

// The philosophers' deadlock needs one order of two steps for each pair of neighbours: of two,
// depth 2.
TEST(Samplers, PctKeepsItsBound) {
  ScriptedProgram program(thread_philosophers(2));
  SearchOptions options = options_of("pct", 4000);
  options.bug_depth = 2;
  uint64_t deadlocks = 0;
  options.on_execution = [&](const Execution& execution) {
    deadlocks += execution.end == End::Deadlock ? 1 : 0;
  };
  const Verdict verdict = run(program, options);
  const SamplerCounts& its = verdict.samples->samplers.at(0);
  EXPECT_EQ(its.threads, 3u);
  EXPECT_GT(its.counting, 3000u);
  const double least = double(options.max_executions) / (its.threads * its.steps);
  EXPECT_GT(static_cast<double>(deadlocks), least * 0.9);
  EXPECT_LT(deadlocks, options.max_executions);
  EXPECT_NEAR(its.missed,
              std::pow(1 - 1.0 / (its.threads * its.steps), static_cast<double>(its.counting)),
              1e-9);
}

TEST(Samplers, ASeedGivesTheSameExecutionsWithAnyNumberOfWorkers) {
  for (uint64_t number = 0; number < 12; ++number) {
    const Script script = number == 0 ? last_zero(5) : random_script(number, {});
    for (const std::string& name : sampler_names()) {
      SearchOptions options = options_of(name, 700);
      const auto alone = schedules(script, options);
      EXPECT_EQ(schedules(script, options), alone) << name;
      options.jobs = 3;
      EXPECT_EQ(schedules(script, options), alone) << name << ": " << to_string(script);
      options.seed = 2;
      if (alone.size() > 100) {
        EXPECT_NE(schedules(script, options), alone) << name;
      }
    }
  }
}

TEST(Samplers, AutoIsOptimalWithSamplesBeside) {
  const Script script = thread_philosophers(10);
  for (const size_t jobs : {1u, 2u}) {
    ScriptedProgram program(script);
    SearchOptions options = options_of("auto", 0);
    options.jobs = jobs;
    const Verdict mixed = run(program, options);
    options.search = "optimal";
    const Verdict optimal = run(program, options);
    EXPECT_TRUE(mixed.complete());
    EXPECT_EQ(mixed.search, "auto");
    EXPECT_EQ(mixed.counts.executions, optimal.counts.executions);
    EXPECT_EQ(mixed.counts.transitions, optimal.counts.transitions);
    EXPECT_EQ(found(mixed), found(optimal));
    ASSERT_TRUE(mixed.samples);
    EXPECT_EQ(mixed.counts.sampled_executions, mixed.samples->executions);
    EXPECT_GT(mixed.samples->executions, 0u);
    EXPECT_EQ(mixed.samples->samplers.size(), 5u);
  }
}

TEST(Samplers, AutoIsOptimalAloneWhereThatIsSoonThrough) {
  ScriptedProgram program(thread_philosophers(8));
  const Verdict verdict = run(program, options_of("auto", 0));
  EXPECT_EQ(verdict.search, "optimal");
  EXPECT_FALSE(verdict.samples);
  EXPECT_EQ(verdict.counts.executions, 255u);
}

TEST(TraceCount, IsExactUntilItIsFullAndCloseThen) {
  const auto mixed = [](uint64_t value) {
    for (const int shift : {32, 29, 32}) value = (value ^ (value >> shift)) * 0xd6e8feb86659fd93;
    return value ^ (value >> 31);
  };
  const auto hash_of = [&](uint64_t i) { return TraceHash{mixed(2 * i + 1), mixed(~i)}; };
  TraceCount exact;
  TraceCount sketch(1024);
  constexpr uint64_t kTraces = 200'000;
  for (uint64_t i = 0; i < 2 * kTraces; ++i) {
    for (TraceCount* count : {&exact, &sketch}) count->add(hash_of(i % kTraces), i);
  }
  EXPECT_TRUE(exact.is_exact());
  EXPECT_EQ(exact.traces(), kTraces);
  EXPECT_EQ(exact.late(), 0u);
  EXPECT_FALSE(sketch.is_exact());
  EXPECT_NEAR(static_cast<double>(sketch.traces()), kTraces, kTraces * 0.04);
  EXPECT_LT(sketch.late(), kTraces / 100);
}

TEST(TraceCount, LateTracesAreThoseOfTheLastTenth) {
  TraceCount count;
  for (uint64_t i = 100; i-- > 0;) count.add({i < 95 ? i / 10 : i, 7}, i);
  EXPECT_EQ(count.traces(), 10u + 5u);
  EXPECT_EQ(count.late(), 6u);  // 9, of 90 and its like, and five more
}

}  // namespace
}  // namespace mazurka
