#include "base/bytes.h"

#include <gtest/gtest.h>

namespace mazurka {
namespace {

TEST(Bytes, ComeBackAsTheyWere) {
  ByteWriter out;
  out.put(true);
  out.put_text("text");
  ByteReader in(out.bytes());
  EXPECT_TRUE(in.get<bool>());
  EXPECT_EQ(in.get_text(), "text");
  EXPECT_TRUE(in.ok() && in.at_end());
}

// A damaged file has bytes that are no bool.
TEST(Bytes, AnyByteReadsAsABool) {
  ByteReader in(std::string_view("\x7f\0", 2));
  EXPECT_TRUE(in.get<bool>());
  EXPECT_FALSE(in.get<bool>());
  EXPECT_FALSE(in.get<bool>());
  EXPECT_FALSE(in.ok());
}

}  // namespace
}  // namespace mazurka
