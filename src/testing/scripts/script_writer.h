// What random scripts are written with (random_script.cc): the dice, the script so far, and the
// body that is being written.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "testing/scripts/dice.h"
#include "testing/scripts/random_script.h"
#include "testing/scripts/script.h"

namespace mazurka {

inline constexpr uint32_t kObjectsOfAKind = 2;  // at most
inline constexpr int64_t kDeadlineNs = 1'000'000;

inline uint8_t flag_if(OpFlag flag, bool wanted) {
  return wanted ? static_cast<uint8_t>(flag) : uint8_t{0};
}

struct ScriptWriter {
  struct Child {
    uint32_t body;
    bool process;
  };

  ScriptWriter(uint64_t seed, const RandomScriptOptions& wanted) : dice(seed), options(wanted) {}

  Dice dice;
  RandomScriptOptions options;
  Script script;
  uint32_t in_use = 0;  // objects of each kind
  Body* body = nullptr;
  uint32_t budget = 0;                    // statements left for the body
  std::vector<Child> children_so_far;     // of the body
  std::function<void()> write_statement;  // any one, out of the budget

  bool has(uint32_t feature) const { return (options.features & feature) != 0; }
  uint32_t which() { return dice.below(in_use); }
  // None, or that it does not wait for ever.
  uint8_t random_flags();

  void operation(const Operation& op) { body->push_back(operate(op)); }
  void statement();
  // Up to two statements more, inside of another one.
  void block();
  // A branch over what comes next; close() says where that ends.
  uint32_t open(Instruction::Test test, int64_t value);
  void close(uint32_t opened);
  // Now and then, a statement that is only there if the test fails.
  void maybe_branch(Instruction::Test test, int64_t value);
};

}  // namespace mazurka
