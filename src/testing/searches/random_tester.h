// Random testers for the events of random scripts, and an oracle for them: every interleaving, and
// definition 7 read off every state. It shares no code with what it tests. For tests only.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "explore/findings/findings.h"
#include "testing/scripts/scripted_program.h"

namespace mazurka {

struct RandomTester {
  struct Step {
    int source;
    std::string event;  // or tau_T
    int target;
  };

  int states = 1;
  std::vector<std::string> visible;
  std::vector<Step> steps;
  std::set<int> reject;
  std::set<int> deadlock;

  std::string text() const;
};

// `events`: names to choose from.
RandomTester random_tester(uint64_t seed, const std::vector<std::string>& events);

// How, in which state of the tester, and who stood where.
using Violation = std::tuple<lts::ViolationKind, std::string, std::vector<Standpoint>>;

// All violations, by a search of its own. `executions` is set to how many there are; nothing is
// known if they are more than `most`.
std::set<Violation> all_violations(const Script& script, const RandomTester& tester, uint32_t bound,
                                   uint64_t most, uint64_t& executions);

}  // namespace mazurka
