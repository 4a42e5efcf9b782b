#include "source/code_standard.h"

#include <dwarf.h>
#include <gtest/gtest.h>

namespace mazurka {
namespace {

TEST(CodeStandard, IsWhatGccSaysFirst) {
  EXPECT_TRUE(is_older_standard("GNU C17 12.2.0 -mtune=generic -g", DW_LANG_C11));
  EXPECT_TRUE(is_older_standard("GNU C11 9.4.0 -std=gnu11", DW_LANG_C99));
  EXPECT_TRUE(is_older_standard("GNU C++17 12.2.0 -g -O1", DW_LANG_C_plus_plus_14));
  EXPECT_FALSE(is_older_standard("GNU C++20 12.2.0 -g -std=c++20", DW_LANG_C_plus_plus_14));
  EXPECT_FALSE(is_older_standard("GNU C++23 14.1.0 -std=c++11", DW_LANG_C_plus_plus_14));
  EXPECT_FALSE(is_older_standard("GNU C2X 12.2.0", DW_LANG_C11));
}

TEST(CodeStandard, IsWhatClangWasToldLast) {
  const std::string clang = "Debian clang version 14.0.6 /usr/bin/clang -g -fsanitize=thread";
  EXPECT_TRUE(is_older_standard(clang + " -std=c++17 -c x.cc", DW_LANG_C_plus_plus_14));
  EXPECT_TRUE(is_older_standard(clang + " -std=c++20 --std=gnu++14", DW_LANG_C_plus_plus_14));
  EXPECT_FALSE(is_older_standard(clang + " --std=gnu++14 -std=c++20", DW_LANG_C_plus_plus_14));
  EXPECT_FALSE(is_older_standard(clang + " -std=c2x -c x.c", DW_LANG_C11));
}

TEST(CodeStandard, IsTakenForNewWhereNothingTells) {
  EXPECT_FALSE(is_older_standard("Debian clang version 14.0.6", DW_LANG_C_plus_plus_14));
  EXPECT_FALSE(is_older_standard("", 0));
  EXPECT_FALSE(is_older_standard("rustc version 1.63.0", DW_LANG_Rust));
  EXPECT_FALSE(is_older_standard("GNU GIMPLE 12.2.0 -flto", DW_LANG_C11));
  EXPECT_TRUE(is_older_standard("clang version 14.0.6", DW_LANG_C_plus_plus_11));
  EXPECT_FALSE(is_older_standard("clang version 14.0.6", DW_LANG_C99));
  EXPECT_TRUE(is_older_standard("clang version 14.0.6 clang -grecord-command-line", DW_LANG_C99));
}

TEST(CodeStandard, OfAMissingFileIsUnknown) {
  EXPECT_TRUE(code_by_older_standards("/no/such/file").empty());
}

}  // namespace
}  // namespace mazurka
