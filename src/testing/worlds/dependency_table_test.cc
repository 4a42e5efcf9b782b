// docs/dependency.md says what the code does.
#include "testing/worlds/dependency_table.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace mazurka {
namespace {

const char kPath[] = MAZURKA_DOCS_DIR "/dependency.md";

std::string begin_of(const std::string& section) { return "<!-- begin " + section + " -->\n"; }
std::string end_of(const std::string& section) { return "<!-- end " + section + " -->\n"; }

// The document with the section's text put in; empty if it has no such section.
std::string put_in(const std::string& document, const std::string& section,
                   const std::string& text) {
  const size_t begin = document.find(begin_of(section));
  const size_t end = document.find(end_of(section));
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  const size_t from = begin + begin_of(section).size();
  return document.substr(0, from) + "\n" + text + "\n" + document.substr(end);
}

TEST(DependencyTable, TheDocumentSaysWhatTheCodeDoes) {
  std::stringstream content;
  content << std::ifstream(kPath).rdbuf();
  const std::string document = content.str();
  std::string expected = put_in(document, "accesses", accesses_table());
  expected = put_in(expected, "conditional", conditional_table());
  ASSERT_FALSE(expected.empty()) << kPath << " does not have its two sections";
  if (std::getenv("MAZURKA_REGENERATE") != nullptr) {
    std::ofstream(kPath) << expected;
    return;
  }
  EXPECT_TRUE(document == expected)
      << kPath << " is not what the code does. To write it again:\n"
      << "  MAZURKA_REGENERATE=1 " << std::filesystem::read_symlink("/proc/self/exe").string()
      << " --gtest_filter='DependencyTable.*'";
}

}  // namespace
}  // namespace mazurka
