#include "report/input/suppressions.h"

#include <gtest/gtest.h>

namespace mazurka {
namespace {

TEST(Suppressions, AStarStandsForAnything) {
  EXPECT_TRUE(matches_pattern("Logger::*", "Logger::write"));
  EXPECT_TRUE(matches_pattern("*counter*", "box.counter+0x8"));
  EXPECT_FALSE(matches_pattern("Logger::*", "Bank::Logger"));
  EXPECT_FALSE(matches_pattern("log", "logger"));
}

TEST(Suppressions, CommentsAndEmptyLinesAreNothing) {
  EXPECT_TRUE(Suppressions::parse("# a comment\n\n  function: f \nrace:x\n", "file").ok());
}

TEST(Suppressions, LinesThatCoverNothingAreKnown) {
  const auto read = Suppressions::parse("# a comment\n  function: f \nrace:x\n", "file");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().unused().size(), 2u);
  EXPECT_EQ(read.value().unused()[1], "race:x");
}

TEST(Suppressions, AWrongLineIsNamed) {
  for (const char* text :
       {"function:f\nthread:g\n", "function:f\nvariable:\n", "function:f\nnothing\n"}) {
    const auto read = Suppressions::parse(text, "known.txt");
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().message,
              "known.txt:2: expected function:, file:, variable: or race: and a pattern");
  }
}

TEST(Suppressions, AFileThatIsNotThereIsNamed) {
  EXPECT_FALSE(Suppressions::read("/nonexistent/known.txt").ok());
}

}  // namespace
}  // namespace mazurka
