#include "sim/server/editor.h"

#include <gtest/gtest.h>

namespace mazurka {
namespace {

using Words = std::vector<std::string>;

Words filled(const std::string& command, const std::string& file, uint64_t line) {
  const Result<Editor> editor = Editor::of(command);
  return editor ? editor->words(file, line) : Words{"error: " + editor.error().message};
}

TEST(Editor, FillsInFileAndLine) {
  EXPECT_EQ(filled("code -g {file}:{line}", "/home/me/a.cc", 12),
            (Words{"code", "-g", "/home/me/a.cc:12"}));
  EXPECT_EQ(filled("emacsclient -n +{line} '{file}'", "/a b/c.cc", 3),
            (Words{"emacsclient", "-n", "+3", "/a b/c.cc"}));
}

TEST(Editor, SplitsWordsAsAShellDoes) {
  EXPECT_EQ(filled("\"my editor\"  --title='a \"b\"' x\\ y {file}", "/f", 1),
            (Words{"my editor", "--title=a \"b\"", "x y", "/f"}));
}

TEST(Editor, ANameIsNeverMoreThanItsWord) {
  const std::string nasty = "/tmp/$(touch x); rm -rf ~ `id` '\" {line}.cc";
  EXPECT_EQ(filled("code -g {file}:{line}", nasty, 7), (Words{"code", "-g", nasty + ":7"}));
}

TEST(Editor, ARelativeNameIsNoOption) {
  EXPECT_EQ(filled("vi {file}", "-c:!sh.cc", 1), (Words{"vi", "./-c:!sh.cc"}));
}

TEST(Editor, SaysWhatIsWrongWithACommand) {
  for (const char* command : {"", "  ", "code -g", "code '{file}", "code {file} \\", "{file}"})
    EXPECT_FALSE(Editor::of(command).ok()) << command;
}

TEST(Editor, SaysThatItCannotBeStarted) {
  const Result<Editor> editor = Editor::of("/no/such/editor {file}");
  ASSERT_TRUE(editor.ok());
  const Result<void> opened = editor->open("/etc/hostname", 1);
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(opened.error().message.find("/no/such/editor"), std::string::npos);
}

}  // namespace
}  // namespace mazurka
