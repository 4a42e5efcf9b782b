// Testers on random scripted programs with events: every search finds the violations that an oracle
// finds by looking at every state of every interleaving, and no others.
//
// MAZURKA_RANDOM_PROGRAMS=200000 runs more of them, MAZURKA_RANDOM_SEED=17 that one alone.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "explore/engine/search.h"
#include "testing/scripts/random_script.h"
#include "testing/searches/random_tester.h"

namespace mazurka {
namespace {

constexpr uint64_t kPrograms = 3'000;
constexpr uint64_t kMostExecutions = 200;  // what has more is passed over

uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

RandomScriptOptions kind_of_script(uint64_t seed) {
  RandomScriptOptions options;
  options.max_operations = 5 + static_cast<uint32_t>(seed % 4);
  options.features |= kEvents;
  if (seed % 4 == 1) options.features = kEvents | kMutexes | kSemaphores | kTosses | kJoins;
  if (seed % 16 == 2) options.features |= kWaitsForOthers;
  if (seed % 4 == 3) options.features &= ~(kEnds | kMisuses);
  return options;
}

uint32_t bound_of(uint64_t seed) { return seed % 8 == 5 ? 2 : 0; }

std::vector<std::string> event_names(const Script& script) {
  ScriptedProgram program(script);
  std::vector<std::string> names;
  for (uint32_t i = 0; i < script.objects.size(); ++i) {
    if (script.objects[i].kind == ObjectKind::Event)
      names.push_back(program.object_name(ObjectId{i}));
  }
  return names;
}

struct Case {
  uint64_t seed;
  Script script;
  RandomTester tester;
  uint32_t bound;

  explicit Case(uint64_t number)
      : seed(number),
        script(random_script(number, kind_of_script(number))),
        tester(random_tester(number, event_names(script))),
        bound(bound_of(number)) {}

  std::string repeat(const std::string& search) const {
    return "search " + search + ", bound " + std::to_string(bound) +
           "\nrepeat: MAZURKA_RANDOM_SEED=" + std::to_string(seed) + " tests/tester_random_test\n" +
           tester.text() + to_string(script);
  }
};

Verdict search(const Case& chosen, const std::string& name, bool conditional) {
  SearchOptions options;
  options.search = name;
  options.keep_going = true;
  options.conditional = conditional;
  options.limits.bound = chosen.bound;
  auto tester = parse_program_tester(chosen.tester.text(), "random.tester");
  EXPECT_TRUE(tester) << tester.error().message;
  options.tester = *tester;
  ScriptedProgram program(chosen.script);
  Result<Verdict> verdict = explore(program, options);
  EXPECT_TRUE(verdict);
  return std::move(*verdict);
}

std::set<Violation> violations_of(const Verdict& verdict, std::string& wrong) {
  std::set<Violation> found;
  for (const Finding& finding : verdict.findings) {
    if (finding.kind() == FindingKind::Nondeterminism) wrong += " unconfirmed";
    if (finding.kind() != FindingKind::Tester) continue;
    const TesterSighting& seen = *finding.sighting.tester;
    found.insert({seen.kind, seen.state, finding.sighting.standpoints});
    if (finding.schedule.size() != finding.sighting.length) wrong += " length";
  }
  return found;
}

struct Totals {
  uint64_t compared = 0;
  uint64_t rejects = 0;
  uint64_t failures = 0;
  uint64_t passed_over = 0;
};

std::string difference(const std::set<Violation>& truth, const Verdict& verdict) {
  std::string wrong;
  const std::set<Violation> found = violations_of(verdict, wrong);
  for (const Violation& violation : truth) {
    if (found.count(violation) == 0) wrong += " lost " + std::get<1>(violation);
  }
  for (const Violation& violation : found) {
    if (truth.count(violation) == 0) wrong += " invented " + std::get<1>(violation);
  }
  if (verdict.guarantee == Guarantee::Sampled) wrong += " not complete";
  return wrong;
}

void check(uint64_t seed, Totals& totals) {
  const Case chosen(seed);
  uint64_t executions = 0;
  const std::set<Violation> truth =
      all_violations(chosen.script, chosen.tester, chosen.bound, kMostExecutions, executions);
  if (executions > kMostExecutions) {
    ++totals.passed_over;
    return;
  }
  ++totals.compared;
  for (const Violation& violation : truth) {
    ++(std::get<0>(violation) == lts::ViolationKind::IllegalFiniteTrace ? totals.rejects
                                                                        : totals.failures);
  }
  for (const std::string& name : search_names()) {
    EXPECT_EQ(difference(truth, search(chosen, name, false)), "") << chosen.repeat(name);
    if (!takes_conditional(name) || !chosen.tester.deadlock.empty()) continue;
    EXPECT_EQ(difference(truth, search(chosen, name, true)), "")
        << chosen.repeat(name + " --conditional");
  }
}

TEST(TesterRandom, EverySearchFindsWhatTheTesterForbids) {
  Totals totals;
  const uint64_t only = number_from("MAZURKA_RANDOM_SEED", UINT64_MAX);
  if (only != UINT64_MAX) return check(only, totals);
  const uint64_t wanted = number_from("MAZURKA_RANDOM_PROGRAMS", kPrograms);
  for (uint64_t seed = 0; totals.compared < wanted && !HasFailure(); ++seed) check(seed, totals);
  std::printf(
      "%lu programs (%lu too large), %lu illegal finite traces, %lu illegal stable failures\n",
      totals.compared, totals.passed_over, totals.rejects, totals.failures);
  EXPECT_GT(totals.rejects, totals.compared / 10);
  EXPECT_GT(totals.failures, totals.compared / 10);
}

}  // namespace
}  // namespace mazurka
