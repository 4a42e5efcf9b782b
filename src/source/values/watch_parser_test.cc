#include "source/values/watch_parser.h"

#include <gtest/gtest.h>

namespace mazurka {
namespace {

TEST(WatchParser, ReadsVariablesFieldsAndElements) {
  const auto watch = parse_watch("*bank::list->next[2].names[i]");
  ASSERT_TRUE(watch);
  EXPECT_EQ(watch->dereferences, 1);
  EXPECT_EQ(watch->variable, "bank::list");
  ASSERT_EQ(watch->steps.size(), 4u);
  EXPECT_EQ(watch->steps[0].kind, WatchStep::Kind::PointerMember);
  EXPECT_EQ(watch->steps[1].place, 2u);
  EXPECT_EQ(watch->steps[2].name, "names");
  EXPECT_EQ(watch->steps[3].name, "i");
}

TEST(WatchParser, RefusesWhatIsNone) {
  for (const char* text :
       {"", "*", "1", "a.", "a->", "a[", "a[]", "a[1", "a b", "a + b", "f()", ".a", "a..b"}) {
    EXPECT_FALSE(parse_watch(text)) << text;
  }
}

}  // namespace
}  // namespace mazurka
