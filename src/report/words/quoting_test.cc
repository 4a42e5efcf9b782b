#include "report/words/quoting.h"

#include <gtest/gtest.h>

namespace mazurka {
namespace {

using Words = std::vector<std::string>;

TEST(Quoting, ShellWordsAreQuotedOnlyWhereTheyMustBe) {
  EXPECT_EQ(shell_word("./a.out"), "./a.out");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("$HOME"), "'$HOME'");
  EXPECT_EQ(shell_command({"mazurka", "replay", "a b"}), "mazurka replay 'a b'");
}

TEST(Quoting, EveryByteComesBackFromAFile) {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  const Words words = {"plain", "", "a b", "#no comment", "\"", "\\", "->", "forks[1]", all};
  std::string line;
  for (const std::string& word : words) line += quoted_word(word) + ' ';
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(split_words(line), words);
}

TEST(Quoting, AFreeStandingHashBeginsAComment) {
  EXPECT_EQ(split_words("a b  # c d"), (Words{"a", "b"}));
  EXPECT_EQ(split_words("# all"), Words{});
  EXPECT_EQ(split_words("a#b"), Words{"a#b"});
  EXPECT_EQ(split_words(""), Words{});
}

TEST(Quoting, DamagedQuotesAreNoticed) {
  for (const char* line :
       {"\"open", "\"bad \\q\"", "\"\\x4\"", "\"\\xzz\"", "\"a\"b", "a\"b\"", "\"\\"}) {
    EXPECT_EQ(split_words(line), std::nullopt) << line;
  }
}

}  // namespace
}  // namespace mazurka
