// The parsers get damaged files: whatever they say, they say it with file and line, and never
// crash. The deterministic little brother of tests/fuzz.
#include <gtest/gtest.h>

#include <random>

#include "lts/model/aut_file.h"
#include "lts/model/tester.h"

namespace mazurka::lts {
namespace {

constexpr int kMutants = 20000;

const std::string kAut = "des (0, 3, 3)\n(0, \"a, b\", 1)\n(1, tau, 2)\n(2, c, 0)\n";
const std::string kNet =
    "process p = \"p.aut\"\nprocess q = \"p.aut\"  # twice\nalphabet p d \"e f\"\nhide c\n";
const std::string kTester =
    "tester t\nvisible \"a, b\" d\ninitial s\ns -\"a, b\"-> t\nt -d-> s\nt -tau_T-> u\n"
    "reject u\ndeadlock s\nlivelock s t\ninfinite t\n";

class Mutations {
 public:
  std::string mutant(std::string text) {
    for (uint64_t i = random_() % 4 + 1; i > 0; --i) {
      const size_t place = random_() % (text.size() + 1);
      switch (random_() % 5) {
        case 0:
          text.insert(place, 1, static_cast<char>(random_()));
          break;
        case 1:
          text.erase(place, random_() % 8);
          break;
        case 2:
          text.insert(place, text.substr(random_() % (text.size() + 1), random_() % 16));
          break;
        case 3:
          text.insert(place, kWords[random_() % std::size(kWords)]);
          break;
        default:
          text.resize(place);
      }
    }
    return text;
  }

 private:
  static constexpr const char* kWords[] = {"\"", "(",   ")",          ",",
                                           "\n", "->",  "tau",        "tau_T",
                                           "#",  "\\",  "4294967295", "18446744073709551616",
                                           "-1", "des", "="};
  std::mt19937_64 random_{42};
};

// "file:line: sentence"
void expect_place(const std::string& message, const std::string& text) {
  EXPECT_TRUE(message.find(".aut:") != std::string::npos ||
              message.find(".net:") != std::string::npos ||
              message.find(".tester:") != std::string::npos)
      << message << "\n"
      << text;
}

TEST(Mutation, DamagedAutFilesAreReadOrRefusedWithTheirLine) {
  Mutations mutations;
  for (int i = 0; i < kMutants; ++i) {
    const std::string text = mutations.mutant(kAut);
    ActionTable actions;
    const Result<ExplicitLts> lts = read_aut(text, "m.aut", actions);
    if (!lts) {
      expect_place(lts.error().message, text);
      continue;
    }
    // What could be read can be written, and read again as the same.
    ActionTable again;
    const Result<ExplicitLts> copy = read_aut(write_aut(*lts, actions), "copy.aut", again);
    ASSERT_TRUE(copy) << copy.error().message << "\n" << text;
    EXPECT_EQ(copy->transition_count(), lts->transition_count());
    EXPECT_EQ(copy->state_count(), lts->state_count());
  }
}

TEST(Mutation, DamagedNetworksAreReadOrRefusedWithTheirLine) {
  Mutations mutations;
  const FileReader reader = [](const std::string&) -> Result<std::string> { return kAut; };
  for (int i = 0; i < kMutants; ++i) {
    const std::string text = mutations.mutant(kNet);
    const Result<Network> net = read_net(text, "m.net", reader);
    if (!net) expect_place(net.error().message, text);
  }
}

TEST(Mutation, DamagedTestersAreReadOrRefusedWithTheirLine) {
  Mutations mutations;
  const FileReader reader = [](const std::string&) -> Result<std::string> { return kAut; };
  const Result<Network> net = read_net(kNet, "m.net", reader);
  ASSERT_TRUE(net) << net.error().message;
  for (int i = 0; i < kMutants; ++i) {
    const std::string text = mutations.mutant(kTester);
    const Result<Tester> tester = read_tester(text, "m.tester", *net);
    if (!tester) expect_place(tester.error().message, text);
  }
}

}  // namespace
}  // namespace mazurka::lts
