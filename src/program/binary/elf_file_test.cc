#include "program/binary/elf_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <vector>

#include "program/binary/code_marks.h"

namespace mazurka {
namespace {

// Some that touch every section; damaged files must not lead out of the file.
size_t read_all(const ElfFile& file) {
  size_t read = 0;
  for (const Elf64_Shdr& section : file.sections()) {
    read += file.name(section).size();
    for (const char byte : file.content<char>(section)) read += byte != 0;
    for (uint32_t i = 0; i < 64; ++i) read += file.text(section.sh_link, i * 7).size();
  }
  return read;
}

TEST(ElfFile, HasTheSectionsOfThisProgram) {
  const ElfFile self("/proc/self/exe");
  bool has_text = false;
  for (const Elf64_Shdr& section : self.sections())
    has_text = has_text || self.name(section) == ".text";
  EXPECT_TRUE(has_text);
  EXPECT_TRUE(code_marks("/proc/self/exe").empty());
}

TEST(ElfFile, OfWhatIsNoneHasNone) {
  EXPECT_TRUE(ElfFile("/does/not/exist").sections().empty());
  EXPECT_TRUE(ElfFile("/etc/passwd").sections().empty());
  EXPECT_TRUE(ElfFile("/dev/null").sections().empty());
}

TEST(ElfFile, SurvivesDamage) {
  std::ifstream in("/proc/self/exe", std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  bytes.resize(std::min<size_t>(bytes.size(), 1u << 16));
  const std::string path = testing::TempDir() + "damaged_elf";
  for (size_t at = 0; at < 64; ++at) {
    std::vector<char> damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x5a);
    damaged.resize(at % 2 == 0 ? damaged.size() : at + 1);
    std::ofstream(path, std::ios::binary)
        .write(damaged.data(), static_cast<std::streamsize>(damaged.size()));
    const ElfFile file(path);
    read_all(file);
    code_marks(path);
  }
  std::remove(path.c_str());
}

}  // namespace
}  // namespace mazurka
