#include "report/input/annotations.h"

#include <gtest/gtest.h>

namespace mazurka {
namespace {

const std::vector<StaticVariable> kVariables = {
    {"bank::accounts", "struct account [4]", "/src/bank.c", 0x1000, 64},
    {"cache", "int", "/src/cache.c", 0x2000, 4},
    {"cache", "int", "/src/cache.c", 0x2000, 4},  // declared in two units
    {"hits", "struct counter", "/src/cache.c", 0x2008, 8},
};

Result<std::vector<AnnotatedVariable>> resolve(const Annotations& annotations) {
  Result<Annotated> annotated = annotations.resolve(kVariables, {});
  if (!annotated) return annotated.error();
  return std::move(annotated->variables);
}

Result<std::vector<AnnotatedVariable>> resolve(const std::string& text) {
  const Result<Annotations> annotations = Annotations::parse(text, "a.txt");
  if (!annotations) return annotations.error();
  return resolve(*annotations);
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
  const auto found =
      resolve("# comment\n\ntentatively-unshared variable:hits\nunshared file:cache.c  \n");
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->size(), 2u);
  EXPECT_EQ((*found)[0].memory.sharing, Sharing::Unshared);
  EXPECT_EQ((*found)[1].memory.sharing, Sharing::Tentative);
}

TEST(Annotations, SayWhatIsWrongAndWhere) {
  for (const char* text :
       {"shared variable:x", "unshared", "unshared x", "unshared variable:", "unshared thing:x",
        "unshared function:f", "atomic variable:x", "atomic heap:x", "method"}) {
    const auto found = Annotations::parse(std::string("\n") + text, "a.txt");
    ASSERT_FALSE(found.ok()) << text;
    EXPECT_EQ(found.error().message,
              "a.txt:2: expected unshared or tentatively-unshared, then variable:, file:, class:, "
              "heap: or stack: and a pattern; or "
              "method, atomic or commuting, then function:, file: or class: and a pattern");
  }
  EXPECT_EQ(resolve("unshared variable:nothing").error().message,
            "a.txt:1: no global or static variable with debug information matches 'nothing'");
  EXPECT_FALSE(Annotations::read("/does/not/exist").ok());
}

const std::vector<FunctionCode> kFunctions = {
    {"bank::Account::deposit", "bank::Account", "/src/bank.cpp", -1, 0x100, {{0x100, 0x140}}},
    {"bank::audit", "", "/src/bank.cpp", -1, 0x200, {{0x200, 0x240}}},
    {"worker", "", "/src/main.cpp", -1, 0x300, {{0x300, 0x340}}},
};

TEST(Annotations, SelectFunctionsByNameFileAndClass) {
  for (const auto& [text, count] : {std::pair("atomic function:bank::*", 2u),
                                    {"method file:bank.cpp", 2u},
                                    {"commuting class:bank::Account", 1u},
                                    {"unshared heap:worker", 1u},
                                    {"tentatively-unshared stack:w*", 1u}}) {
    const Result<Annotations> annotations = Annotations::parse(text, "a.txt");
    ASSERT_TRUE(annotations.ok()) << text;
    EXPECT_TRUE(annotations->are_about_code());
    const Result<Annotated> found = annotations->resolve(kVariables, kFunctions);
    ASSERT_TRUE(found.ok()) << text;
    EXPECT_EQ(found->code.size(), count) << text;
    EXPECT_TRUE(found->variables.empty());
  }
  const Result<Annotated> none =
      Annotations::parse("atomic class:bank", "a.txt")->resolve(kVariables, kFunctions);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().message, "a.txt:1: no function with debug information matches 'bank'");
}

TEST(Annotations, OfFunctionsGoIntoSchedulesByName) {
  const auto annotations = Annotations::parse(
      "atomic class:*Account\nunshared heap:*deposit\nmethod function:*\n", "a.txt");
  const Result<Annotated> found = annotations->resolve(kVariables, kFunctions);
  ASSERT_TRUE(found.ok());
  const std::vector<AnnotationName> names = {{"atomic", "bank::Account::deposit"},
                                             {"unshared-heap", "bank::Account::deposit"}};
  EXPECT_EQ(found->functions.at(found->code.front().name), names);
  for (const AnnotationName& name : names) EXPECT_TRUE(is_annotation(name.first));
  const Result<Annotated> again = Annotations::of_names(names).resolve(kVariables, kFunctions);
  ASSERT_TRUE(again.ok());
  ASSERT_EQ(again->code.size(), 1u);
  EXPECT_EQ(again->code[0].granularity, Granularity::Atomic);
  EXPECT_EQ(again->code[0].allocates, Sharing::Unshared);
}

TEST(Annotations, OfAScheduleAreByExactNames) {
  EXPECT_EQ(resolve(Annotations::of_names({{"unshared", "cache"}}))->size(), 1u);
  EXPECT_FALSE(resolve(Annotations::of_names({{"unshared", "c*"}})).ok());
}

}  // namespace
}  // namespace mazurka
