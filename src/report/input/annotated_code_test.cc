#include "report/input/annotated_code.h"

#include <gtest/gtest.h>

namespace mazurka {
namespace {

constexpr FunctionClaim kNothing = {};
constexpr FunctionClaim kMethod = {Granularity::Method, Sharing::Shared, Sharing::Shared, 1};
constexpr FunctionClaim kAtomic = {Granularity::Atomic, Sharing::Shared, Sharing::Shared, 2};

FunctionCode function(uint64_t begin, uint64_t end, int around = -1) {
  FunctionCode code;
  code.name = "f";
  code.around = around;
  code.entry = begin;
  code.ranges = {{begin, end}};
  return code;
}

Granularity at(const std::vector<AnnotatedCode>& pieces, uint64_t address) {
  for (const AnnotatedCode& piece : pieces) {
    if (address >= piece.begin && address < piece.end) return piece.granularity;
  }
  return Granularity::Fields;
}

TEST(AnnotatedCode, WhatAMethodHasInlinedIsNotItsOwn) {
  const auto pieces =
      annotated_code({function(0x100, 0x200), function(0x140, 0x160, 0), function(0x300, 0x400)},
                     {kMethod, kNothing, kNothing});
  EXPECT_EQ(at(pieces, 0x100), Granularity::Method);
  EXPECT_EQ(at(pieces, 0x140), Granularity::Callee);
  EXPECT_EQ(at(pieces, 0x15f), Granularity::Callee);
  EXPECT_EQ(at(pieces, 0x160), Granularity::Method);
  EXPECT_EQ(at(pieces, 0x200), Granularity::Fields);
  EXPECT_EQ(at(pieces, 0x300), Granularity::Fields);
}

TEST(AnnotatedCode, WhatAnAtomicFunctionHasInlinedIs) {
  const auto pieces =
      annotated_code({function(0x100, 0x200), function(0x140, 0x160, 0), function(0x150, 0x158, 1)},
                     {kAtomic, kNothing, kMethod});
  EXPECT_EQ(at(pieces, 0x14f), Granularity::Atomic);
  EXPECT_EQ(at(pieces, 0x150), Granularity::Method);
  EXPECT_EQ(at(pieces, 0x158), Granularity::Atomic);
}

TEST(AnnotatedCode, AnInlinedCopyIsAnnotatedInAFunctionThatIsNot) {
  const auto pieces =
      annotated_code({function(0x100, 0x200), function(0x140, 0x160, 0)}, {kNothing, kAtomic});
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].begin, 0x140u);
  EXPECT_EQ(pieces[0].end, 0x160u);
}

TEST(AnnotatedCode, IsSortedAndDoesNotOverlap) {
  FunctionCode split = function(0x500, 0x600);
  split.ranges.emplace_back(0x080, 0x090);  // its cold part
  const auto pieces = annotated_code({function(0x100, 0x200), split, function(0x540, 0x560, 1)},
                                     {kMethod, kAtomic, kMethod});
  for (size_t i = 1; i < pieces.size(); ++i) EXPECT_LE(pieces[i - 1].end, pieces[i].begin);
  EXPECT_EQ(at(pieces, 0x080), Granularity::Atomic);
  EXPECT_EQ(at(pieces, 0x550), Granularity::Method);
}

// Threads begin with a function, not with a copy of it in another.
TEST(AnnotatedCode, OnlyFunctionsOutOfLineStartThreads) {
  const FunctionClaim starts = {Granularity::Fields, Sharing::Shared, Sharing::Tentative, 3};
  const auto pieces =
      annotated_code({function(0x100, 0x200), function(0x300, 0x400), function(0x340, 0x360, 1)},
                     {starts, kNothing, starts});
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].entry, 0x100u);
}

}  // namespace
}  // namespace mazurka
