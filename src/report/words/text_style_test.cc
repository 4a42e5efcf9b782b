#include "report/words/text_style.h"

#include <gtest/gtest.h>

namespace mazurka {
namespace {

TEST(TextStyle, ColoursOnlyWhereTheyAreWanted) {
  EXPECT_EQ(coloured("x", Colour::Red, {}), "x");
  TextStyle style;
  style.colours = true;
  EXPECT_EQ(coloured("x", Colour::Red, style), "\x1b[1;31mx\x1b[0m");
  EXPECT_EQ(coloured("x", Colour::Plain, style), "x");
}

TEST(TextStyle, CountsCodePointsNotBytes) {
  EXPECT_EQ(columns_of("ab\xc3\xa9"), 3u);
  EXPECT_EQ(padded("\xc3\xa9", 3), "\xc3\xa9  ");
  EXPECT_EQ(clipped("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 3), "\xc3\xa9..");
}

TEST(TextStyle, ClipsWhatIsTooLong) {
  EXPECT_EQ(clipped("abcdef", 6), "abcdef");
  EXPECT_EQ(clipped("abcdefg", 6), "abcd..");
  EXPECT_EQ(clipped("abcdefg", 1), ".");
}

TEST(TextStyle, WrapsAtSpacesOnATerminalOnly) {
  TextStyle style;
  style.width = 10;
  EXPECT_EQ(wrapped("one two three four", 2, style), "one two three four");
  style.wraps = true;
  EXPECT_EQ(wrapped("one two three four", 2, style), "one two\n  three\n  four");
  EXPECT_EQ(wrapped("averyveryverylongword x", 2, style), "averyveryverylongword\n  x");
}

}  // namespace
}  // namespace mazurka
