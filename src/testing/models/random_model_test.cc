// Random networks and testers against the oracle. MAZURKA_LTS_MODELS says how many (100,000 is a
// full run), MAZURKA_LTS_SEED repeats one.
#include "testing/models/random_model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "lts/verify/verify.h"

namespace mazurka::lts {
namespace {

constexpr uint64_t kModels = 50000;

uint64_t from_environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// The model, its files as read by us, and how to see a failure again.
struct Case {
  explicit Case(uint64_t number) : Case(number, random_model(number)) {}
  Case(uint64_t number, Model chosen)
      : seed(number),
        model(std::move(chosen)),
        files(model.files()),
        oracle(model),
        system(read_net(files["system.net"], "system.net", reader())),
        tester(read_tester(files["random.tester"], "random.tester", *system)) {}

  FileReader reader() {
    return [this](const std::string& path) -> Result<std::string> { return files[path]; };
  }

  std::string how_to_repeat() const {
    std::string text =
        fmt::format("MAZURKA_LTS_SEED={} lts_test --gtest_filter='RandomModels*'\n", seed);
    for (const auto& [name, content] : files) text += fmt::format("--- {}\n{}", name, content);
    return text;
  }

  Verification verify(VerifyOptions options) const {
    return lts::verify(*system, *tester, options);
  }

  uint64_t seed;
  Model model;
  std::map<std::string, std::string> files;
  Oracle oracle;
  Result<Network> system;
  Result<Tester> tester;
};

std::vector<std::string> labels(const Case& test, const std::vector<Step>& steps) {
  std::vector<std::string> result;
  for (const Step& step : steps) result.emplace_back(test.system->actions.name(step.action));
  return result;
}

std::set<int> kinds(const Case& test, const Verification& verification) {
  std::set<int> result;
  for (const Violation& violation : verification.violations) {
    const int kind = static_cast<int>(violation.kind);
    result.insert(kind);
    EXPECT_TRUE(
        test.oracle.accepts(kind, labels(test, violation.prefix), labels(test, violation.loop)))
        << name_of(violation.kind);
  }
  return result;
}

// All four kinds, and the whole state space.
void check_all(const Case& test, Algorithm algorithm, Packing packing) {
  const Verification all = test.verify({.all = true, .algorithm = algorithm, .packing = packing});
  EXPECT_EQ(kinds(test, all), test.oracle.violations()) << name_of(algorithm);
  EXPECT_EQ(all.states, test.oracle.states());
  EXPECT_EQ(all.transitions, test.oracle.transitions());
  EXPECT_LE(all.passes, algorithm == Algorithm::OnePass ? 1 : 4);
  EXPECT_TRUE(all.complete());
}

void check_first(const Case& test, Algorithm algorithm) {
  const Verification first = test.verify({.algorithm = algorithm});
  const std::set<int> expected = test.oracle.violations();
  const std::set<int> found = kinds(test, first);
  EXPECT_EQ(found.empty(), expected.empty()) << name_of(first.algorithm);
  EXPECT_TRUE(std::includes(expected.begin(), expected.end(), found.begin(), found.end()));
  EXPECT_LE(first.passes, first.algorithm == Algorithm::TwoPass ? 2 : 4);
}

void check_shortest(const Case& test) {
  const Verification shortest = test.verify({.all = true, .shortest = true});
  kinds(test, shortest);
  for (const Violation& violation : shortest.violations) {
    EXPECT_EQ(violation.prefix.size() + violation.loop.size(),
              test.oracle.shortest(static_cast<int>(violation.kind)))
        << name_of(violation.kind);
  }
}

// Without livelock and infinite-trace states, which are not for it.
Case without_endless(uint64_t seed) {
  Model model = random_model(seed);
  model.livelock.clear();
  model.infinite.clear();
  return Case(seed, std::move(model));
}

// The reduced search against the same oracle. Gives the states that it did without.
uint64_t check_stubborn(uint64_t seed) {
  const Case test = without_endless(seed);
  SCOPED_TRACE(test.how_to_repeat());
  const Verification all = test.verify({.all = true, .algorithm = Algorithm::Stubborn});
  EXPECT_EQ(kinds(test, all), test.oracle.violations());
  EXPECT_LE(all.states, test.oracle.states());
  EXPECT_TRUE(all.complete());
  check_first(test, Algorithm::Stubborn);
  return test.oracle.states() - all.states;
}

void check(uint64_t seed) {
  const Case test(seed);
  SCOPED_TRACE(test.how_to_repeat());
  ASSERT_TRUE(test.system) << test.system.error().message;
  ASSERT_TRUE(test.tester) << test.tester.error().message;
  check_all(test, Algorithm::General, Packing::Choose);
  check_all(test, Algorithm::General, Packing::Wide);
  check_first(test, Algorithm::Choose);
  check_first(test, Algorithm::General);
  if (!test.tester->any(kInfinite)) check_all(test, Algorithm::OnePass, Packing::Choose);
  if (test.tester->all(kLivelock)) check_first(test, Algorithm::TwoPass);
  check_shortest(test);
}

TEST(RandomModels, AreVerifiedAsTheOracleSays) {
  const uint64_t seed = from_environment("MAZURKA_LTS_SEED", 0);
  const uint64_t models = from_environment("MAZURKA_LTS_MODELS", seed == 0 ? kModels : 1);
  const uint64_t first = seed == 0 ? 1 : seed;
  for (uint64_t i = first; i < first + models && !HasFailure(); ++i) check(i);
}

TEST(RandomModels, AreVerifiedByStubbornSetsAsTheOracleSays) {
  const uint64_t seed = from_environment("MAZURKA_LTS_SEED", 0);
  const uint64_t models = from_environment("MAZURKA_LTS_MODELS", seed == 0 ? kModels : 1);
  const uint64_t first = seed == 0 ? 1 : seed;
  uint64_t spared = 0;
  for (uint64_t i = first; i < first + models && !HasFailure(); ++i) spared += check_stubborn(i);
  if (seed == 0) {
    EXPECT_GT(spared, models);
  }
}

}  // namespace
}  // namespace mazurka::lts
