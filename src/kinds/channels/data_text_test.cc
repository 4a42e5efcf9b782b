#include "kinds/channels/data_text.h"

#include <gtest/gtest.h>

namespace mazurka {
namespace {

TEST(DataText, DigitsAreBytes) {
  EXPECT_EQ(shown_bytes("68690a"), "hi\n");
  EXPECT_EQ(shown_bytes(""), "");
  EXPECT_EQ(shown_bytes("68zz69"), "h");
  EXPECT_EQ(shown_bytes("686"), "h");
}

TEST(DataText, TextIsQuotedAndOtherBytesAreNumbers) {
  EXPECT_EQ(data_text("hi\n", 3), "\"hi\\n\"");
  EXPECT_EQ(data_text("say \"hi\"", 8), "\"say \\\"hi\\\"\"");
  EXPECT_EQ(data_text(std::string_view("hi\0", 3), 3), "\"hi\\0\"");
  EXPECT_EQ(data_text(std::string_view("\1\0\xff", 3), 3), "01 00 ff");
  EXPECT_EQ(data_text("hi", 100), "\"hi\" ...");
  EXPECT_EQ(data_text("", 5), "...");
  EXPECT_EQ(data_text("", 0), "");
}

}  // namespace
}  // namespace mazurka
