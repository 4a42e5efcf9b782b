// For the tests of words: names that need no program, and what the rows say of an operation.
#pragma once

#include <string>
#include <vector>

#include "kinds/sync/takings.h"
#include "objects/all_words.h"
#include "objects/world_fixture.h"

namespace mazurka {

// "T1", "o2"
struct FakeNamer final : Namer {
  std::string thread(ThreadId id) const override { return 'T' + std::to_string(index(id)); }
  std::string object(ObjectId id) const override { return 'o' + std::to_string(index(id)); }
};

class WordsFixture : public WorldFixture {
 protected:
  std::string operation(const Operation& op, const Parts& parts = {}) const {
    return words_of(op.kind).verb(op) + words_of(op.kind).operands(op, parts, names);
  }
  std::string outcome(const Operation& op, Outcome chosen) const {
    return words_of(op.kind).outcome(op, chosen, names);
  }
  std::string result(const Operation& op, const Effect& effect) const {
    return words_of(op.kind).result(op, effect);
  }
  Why why(ThreadId thread, const Operation& op, const Parts& parts = {}) const {
    return words_of(op.kind).why({world, thread, op, parts, takings, names});
  }
  std::vector<ThreadId> holders(ThreadId thread, const Operation& op) const {
    return words_of(op.kind).holders(world, thread, op);
  }
  std::string value(ObjectId id) const { return value_of(world, id, names); }

  const FakeNamer names;
  Takings takings;
};

}  // namespace mazurka
