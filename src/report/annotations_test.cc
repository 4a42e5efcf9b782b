#include "report/annotations.h"

#include <gtest/gtest.h>

namespace mazurka {
namespace {

const std::vector<StaticVariable> kVariables = {
    {"bank::accounts", "struct account [4]", "/src/bank.c", 0x1000, 64},
    {"cache", "int", "/src/cache.c", 0x2000, 4},
    {"cache", "int", "/src/cache.c", 0x2000, 4},  // declared in two units
    {"hits", "struct counter", "/src/cache.c", 0x2008, 8},
};

Result<std::vector<AnnotatedVariable>> resolve(const std::string& text) {
  const Result<Annotations> annotations = Annotations::parse(text, "a.txt");
  if (!annotations) return annotations.error();
  return annotations->resolve(kVariables);
}

TEST(Annotations, SelectVariablesByNameFileAndClass) {
  const auto by_name = resolve("unshared variable:bank::*\n");
  ASSERT_TRUE(by_name.ok());
  ASSERT_EQ(by_name->size(), 1u);
  EXPECT_EQ((*by_name)[0].memory.begin, 0x1000u);
  EXPECT_EQ((*by_name)[0].memory.end, 0x1040u);
  EXPECT_EQ((*by_name)[0].memory.sharing, Sharing::Unshared);
  EXPECT_EQ(resolve("unshared file:cache.c")->size(), 2u);
  EXPECT_EQ(resolve("unshared class:account")->size(), 1u);
}

TEST(Annotations, TheFirstLineAboutAVariableCounts) {
  const auto found = resolve("# comment\n\ntentatively-unshared variable:hits\nunshared file:cache.c  \n");
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->size(), 2u);
  EXPECT_EQ((*found)[0].memory.sharing, Sharing::Unshared);
  EXPECT_EQ((*found)[1].memory.sharing, Sharing::Tentative);
}

TEST(Annotations, SayWhatIsWrongAndWhere) {
  for (const char* text : {"shared variable:x", "unshared", "unshared x", "unshared variable:", "unshared thing:x"}) {
    const auto found = Annotations::parse(std::string("\n") + text, "a.txt");
    ASSERT_FALSE(found.ok()) << text;
    EXPECT_EQ(found.error().message,
              "a.txt:2: expected unshared or tentatively-unshared, then variable:, file: or class: and a pattern");
  }
  EXPECT_EQ(resolve("unshared variable:nothing").error().message,
            "a.txt:1: no global or static variable with debug information matches 'nothing'");
  EXPECT_FALSE(Annotations::read("/does/not/exist").ok());
}

TEST(Annotations, OfAScheduleAreByExactNames) {
  EXPECT_EQ(Annotations::of_names({{Sharing::Unshared, "cache"}}).resolve(kVariables)->size(), 1u);
  EXPECT_FALSE(Annotations::of_names({{Sharing::Unshared, "c*"}}).resolve(kVariables).ok());
}

}  // namespace
}  // namespace mazurka
