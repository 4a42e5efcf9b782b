#include "base/whole_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace mazurka {
namespace {

namespace fs = std::filesystem;

std::string path_of(const char* name) { return testing::TempDir() + name; }

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(WholeFile, WritingTakesThePlaceOfWhatWasThere) {
  const std::string path = path_of("whole_file");
  ASSERT_TRUE(write_whole_file(path, "a long first text").ok());
  ASSERT_TRUE(write_whole_file(path, "second").ok());
  EXPECT_EQ(text_of(path), "second");
  fs::remove(path);
}

TEST(WholeFile, AFileThatIsOnlyHalfWrittenIsRemoved) {
  const std::string path = path_of("half_written");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{1000, before.rlim_max};
  std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const Result<void> written = write_whole_file(path, std::string(5000, 'x'));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_DFL);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().message, "cannot write " + path + ": File too large");
  EXPECT_FALSE(fs::exists(path));
}

TEST(WholeFile, ADeviceThatIsFullStays) {
  const Result<void> written = write_whole_file("/dev/full", "text");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().message, "cannot write /dev/full: No space left on device");
  EXPECT_TRUE(fs::exists("/dev/full"));
}

TEST(WholeFile, AskingLeavesNoFileAndChangesNone) {
  const std::string path = path_of("asked");
  fs::remove(path);
  EXPECT_TRUE(can_be_written(path).ok());
  EXPECT_FALSE(fs::exists(path));
  ASSERT_TRUE(write_whole_file(path, "text").ok());
  EXPECT_TRUE(can_be_written(path).ok());
  EXPECT_EQ(text_of(path), "text");
  fs::remove(path);
}

TEST(WholeFile, AskingSaysWhatIsWrong) {
  const Result<void> asked = can_be_written("/nowhere/file");
  ASSERT_FALSE(asked.ok());
  EXPECT_EQ(asked.error().message, "cannot write /nowhere/file: No such file or directory");
}

}  // namespace
}  // namespace mazurka
