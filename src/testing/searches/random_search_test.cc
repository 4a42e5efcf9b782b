// The reductions against the plain search on random scripts: the same final states, deadlocks and
// findings; and `optimal` and `wakeup` execute each Mazurkiewicz trace exactly once.
//
// MAZURKA_RANDOM_SCRIPTS=200000 tests so many, from MAZURKA_RANDOM_FIRST on; MAZURKA_RANDOM_SEED=17
// one of them.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <set>

#include "testing/scripts/random_script.h"
#include "testing/searches/recording_program.h"

namespace mazurka {
namespace {

constexpr uint64_t kScripts = 20'000;
constexpr uint64_t kMaxPlainExecutions = 1'000;

uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::set<std::pair<FindingKind, std::vector<Standpoint>>> findings_of(const Verdict& verdict) {
  std::set<std::pair<FindingKind, std::vector<Standpoint>>> found;
  for (const Finding& finding : verdict.findings)
    found.insert({finding.kind(), finding.sighting.standpoints});
  return found;
}

Verdict search(RecordingProgram& program, const std::string& name, uint64_t max_executions,
               uint32_t bound) {
  SearchOptions options;
  options.search = name;
  options.keep_going = true;
  options.max_executions = max_executions;
  options.limits.bound = bound;
  program.seen = {};
  Result<Verdict> verdict = explore(program, options);
  EXPECT_TRUE(verdict);
  return std::move(*verdict);
}

struct Totals {
  uint64_t scripts = 0;
  uint64_t skipped = 0;
  uint64_t plain = 0;
  uint64_t traces = 0;
  uint64_t blocked = 0;
};

// What is wrong; empty if nothing is.
std::string compare(const Seen& wanted, const Verdict& plain, const Seen& seen,
                    const Verdict& verdict) {
  std::string wrong;
  size_t lost = 0;
  for (const auto& [trace, times] : wanted.traces) lost += seen.traces.count(trace) == 0;
  size_t invented = 0;
  for (const auto& [trace, times] : seen.traces) invented += wanted.traces.count(trace) == 0;
  const bool reduced =
      !wanted.yields;  // where there are yields, `optimal` executes every interleaving
  const uint64_t executions = reduced ? wanted.traces.size() : plain.counts.executions;
  if (lost > 0)
    wrong +=
        " lost traces: " + std::to_string(lost) + " of " + std::to_string(wanted.traces.size());
  if (invented > 0) wrong += " new traces: " + std::to_string(invented);
  if (reduced && seen.repeated() > 0)
    wrong += " repeated traces: " + std::to_string(seen.repeated());
  if (verdict.counts.executions != executions)
    wrong += " executions: " + std::to_string(verdict.counts.executions);
  if (seen.final_states != wanted.final_states) wrong += " other final states";
  if (seen.deadlocks != wanted.deadlocks) wrong += " other deadlocks";
  if (findings_of(verdict) != findings_of(plain)) wrong += " other findings";
  if (verdict.guarantee != plain.guarantee) wrong += " other guarantee";
  for (const Remark<WhyIncomplete>& why : verdict.why_incomplete) {
    if (verdict.guarantee == Guarantee::Sampled)
      wrong += " (WhyIncomplete " + std::to_string(static_cast<int>(why.kind)) + ")";
  }
  return wrong;
}

// Scripts from here on have pipes, too; or message queues; or timers; or signals; or locks of
// files; or uses of files; or what is rarely done.
constexpr uint64_t kChannelSeeds = uint64_t{1} << 32;
constexpr uint64_t kQueueSeeds = uint64_t{1} << 33;
constexpr uint64_t kTimerSeeds = uint64_t{1} << 34;
constexpr uint64_t kSignalSeeds = uint64_t{1} << 35;
constexpr uint64_t kFileLockSeeds = uint64_t{1} << 36;
constexpr uint64_t kFileUseSeeds = uint64_t{1} << 37;
constexpr uint64_t kRaritySeeds = uint64_t{1} << 38;

RandomScriptOptions options_of(uint64_t seed) {
  RandomScriptOptions options;
  options.max_operations = 4 + static_cast<uint32_t>(seed % 5);
  if (seed % 16 == 7) options.features |= kWaitsForOthers;
  if (seed % 5 == 3) options.features |= kPauses;
  const uint32_t talking = seed % 2 == 0 ? kChannels : kSockets;
  if (seed >= kRaritySeeds) {
    constexpr uint32_t kBeside[] = {0, kSignals, kQueues, kChannels, kSockets};
    options.features |= kRarities | kBeside[seed % 5];
  } else if (seed >= kFileUseSeeds) {
    constexpr uint32_t kBeside[] = {0, kSignals, kFileLocks, kChannels};
    options.features |= kFileUses | kBeside[seed % 4];
  } else if (seed >= kFileLockSeeds) {
    options.features |= kFileLocks | (seed % 4 == 1 ? kSignals : 0);
  } else if (seed >= kSignalSeeds) {
    options.features |= kSignals;
  } else if (seed >= kTimerSeeds) {
    options.features |= kTimers;
  } else if (seed >= kChannelSeeds) {
    options.features |= seed >= kQueueSeeds ? kQueues : talking;
  }
  return options;
}
uint32_t bound_of(uint64_t seed) {
  return seed % 8 == 3 ? 2 + static_cast<uint32_t>(seed / 8 % 3) : 0;
}

// Before, all threads had names from the plain search. Here they get them as `optimal` finds them.
bool check_alone(const Script& script, uint32_t bound, const Seen& wanted) {
  if (wanted.yields) return true;
  RecordingProgram fresh(script);
  const Verdict verdict = search(fresh, "optimal", 20 * wanted.traces.size() + 1000, bound);
  EXPECT_EQ(verdict.counts.executions, wanted.traces.size()) << to_string(script);
  EXPECT_EQ(fresh.seen.repeated(), 0) << to_string(script);
  return verdict.counts.executions == wanted.traces.size();
}

bool check(uint64_t seed, Totals& totals) {
  const Script script = random_script(seed, options_of(seed));
  RecordingProgram program(script);
  const uint32_t bound = bound_of(seed);
  const Verdict plain = search(program, "none", kMaxPlainExecutions, bound);
  if (plain.guarantee == Guarantee::Sampled) {
    ++totals.skipped;
    return true;
  }
  const Seen wanted = program.seen;
  ++totals.scripts;
  totals.plain += plain.counts.executions;
  totals.traces += wanted.traces.size();
  bool good = true;
  for (const std::string name : {"optimal", "wakeup"}) {
    if (name == "wakeup" && seed % 2 != 0) continue;  // it is slow
    const Verdict verdict = search(program, name, 20 * wanted.traces.size() + 1000, bound);
    totals.blocked += verdict.counts.blocked_executions;
    const std::string wrong = compare(wanted, plain, program.seen, verdict);
    EXPECT_EQ(wrong, "") << name << ", seed " << seed << ": " << to_string(script) << "bound "
                         << bound << "\nagain: MAZURKA_RANDOM_SEED=" << seed
                         << " tests/random_search_test\n";
    good = good && wrong.empty();
  }
  return good && check_alone(script, bound, wanted);
}

void check_from(uint64_t seed, uint64_t count) {
  Totals totals;
  constexpr int kEnoughFailures = 10;
  int failures = 0;
  for (; totals.scripts < count && failures < kEnoughFailures; ++seed) {
    if (!check(seed, totals)) ++failures;
  }
  EXPECT_LT(totals.blocked * 100, totals.traces);
  std::printf("%lu scripts (%lu too large), %lu plain executions, %lu traces, %lu blocked\n",
              totals.scripts, totals.skipped, totals.plain, totals.traces, totals.blocked);
}

TEST(RandomSearch, ReductionsSeeWhatThePlainSearchSees) {
  const uint64_t only = number_from("MAZURKA_RANDOM_SEED", UINT64_MAX);
  if (only != UINT64_MAX) {
    Totals totals;
    check(only, totals);
    return;
  }
  check_from(number_from("MAZURKA_RANDOM_FIRST", 0),
             number_from("MAZURKA_RANDOM_SCRIPTS", kScripts));
}

TEST(RandomSearch, ReductionsSeeWhatThePlainSearchSeesOfPipes) {
  check_from(kChannelSeeds, number_from("MAZURKA_RANDOM_SCRIPTS", kScripts) / 10);
}

TEST(RandomSearch, ReductionsSeeWhatThePlainSearchSeesOfQueues) {
  check_from(kQueueSeeds, number_from("MAZURKA_RANDOM_SCRIPTS", kScripts) / 20);
}

TEST(RandomSearch, ReductionsSeeWhatThePlainSearchSeesOfTimers) {
  check_from(kTimerSeeds, number_from("MAZURKA_RANDOM_SCRIPTS", kScripts) / 20);
}

TEST(RandomSearch, ReductionsSeeWhatThePlainSearchSeesOfLocksOfFiles) {
  check_from(kFileLockSeeds, number_from("MAZURKA_RANDOM_SCRIPTS", kScripts) / 25);
}

TEST(RandomSearch, ReductionsSeeWhatThePlainSearchSeesOfFiles) {
  check_from(kFileUseSeeds, number_from("MAZURKA_RANDOM_SCRIPTS", kScripts) / 25);
}

TEST(RandomSearch, ReductionsSeeWhatThePlainSearchSeesOfRarities) {
  check_from(kRaritySeeds, number_from("MAZURKA_RANDOM_SCRIPTS", kScripts) / 25);
}

TEST(RandomSearch, ReductionsSeeWhatThePlainSearchSeesOfSignals) {
  check_from(kSignalSeeds, number_from("MAZURKA_RANDOM_SCRIPTS", kScripts) / 50);
}

}  // namespace
}  // namespace mazurka
