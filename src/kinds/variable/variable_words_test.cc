#include "kinds/variable/variable_words.h"

#include <cerrno>

#include "objects/words_fixture.h"

namespace mazurka {
namespace {

class VariableWords : public WordsFixture {
 protected:
  Operation on(OpKind kind, uint8_t flags = 0) const {
    Operation op{.kind = kind, .flags = flags, .object = x};
    op.value = 3;
    op.desired = 4;
    return op;
  }

  const ObjectId x = make(ObjectKind::Variable);
};

TEST_F(VariableWords, WhatIsStoredIsSaidUnlessNobodyKnows) {
  EXPECT_EQ(operation(on(OpKind::VarLoad)), "load o0");
  EXPECT_EQ(operation(on(OpKind::VarStore)), "store o0 = 3");
  EXPECT_EQ(operation(on(OpKind::VarStore, kPlain)), "store o0");
  EXPECT_EQ(operation(on(OpKind::VarCompareExchange)), "compare-exchange o0 3 to 4");
}

TEST_F(VariableWords, AnUpdateIsCalledByWhatItDoes) {
  Operation op = on(OpKind::VarUpdate);
  op.update = Update::Add;
  EXPECT_EQ(operation(op), "fetch-add o0 3");
  op.flags = kSpinning;
  EXPECT_EQ(operation(op), "spin on fetch-add o0 3");
}

TEST_F(VariableWords, ResultsAreValues) {
  EXPECT_EQ(result(on(OpKind::VarLoad), {.value = 7}), "7");
  EXPECT_EQ(result(on(OpKind::VarStore), {.value = 7}), "");
  EXPECT_EQ(result(on(OpKind::VarUpdate), {.value = 7}), "was 7");
  EXPECT_EQ(result(on(OpKind::VarCompareExchange), {.value = 3}), "");
  EXPECT_EQ(result(on(OpKind::VarCompareExchange), {.error = EAGAIN, .value = 7}), "fails, is 7");
}

TEST_F(VariableWords, OnlyWhoSpinsWaitsForAChange) {
  EXPECT_EQ(why(a, on(OpKind::VarLoad, kSpinning)).text, "waits until somebody changes it");
  EXPECT_EQ(why(a, on(OpKind::VarLoad)).text, "cannot happen now");
}

}  // namespace
}  // namespace mazurka
