#include "program/binary/symbol_names.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

// A name that the symbol table of this test has.
extern "C" void mazurka_test_of_symbol_names() {}

namespace mazurka {
namespace {

// So that the name above is text of the program as well, but in parts.
constexpr char kOnlyData[] = "a text that is data and no symbol";

std::string own_bytes() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class SymbolNamesTest : public testing::Test {
 protected:
  SymbolNamesTest() { close(mkstemp(path)); }
  ~SymbolNamesTest() override { std::remove(path); }
  void write(const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

  char path[32] = "/tmp/mazurka-names-XXXXXX";
};

TEST_F(SymbolNamesTest, AreThoseOfTheTablesAndNothingElseInTheFile) {
  const SymbolNames names("/proc/self/exe");
  ASSERT_TRUE(names.are_known());
  EXPECT_TRUE(names.mention("mazurka_test_of_symbol_names"));
  EXPECT_NE(own_bytes().find(kOnlyData), std::string::npos);
  EXPECT_FALSE(names.mention(kOnlyData));
  EXPECT_TRUE(names.stand_beside(kOnlyData));
}

TEST_F(SymbolNamesTest, WithoutSectionsTheWholeFileIsRead) {
  std::string bytes = own_bytes();
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.e_shnum = 0;
  std::memcpy(bytes.data(), &header, sizeof header);
  write(bytes);
  EXPECT_TRUE(SymbolNames(path).mention(kOnlyData));
}

TEST_F(SymbolNamesTest, SectionsThatLieBehindTheEndAreNotBelieved) {
  std::string bytes = own_bytes();
  bytes.resize(bytes.size() / 2);
  write(bytes + "needle");
  EXPECT_TRUE(SymbolNames(path).mention("needle"));
}

TEST_F(SymbolNamesTest, AFileThatIsNotThereIsNotKnown) {
  EXPECT_FALSE(SymbolNames("/no/such/file").are_known());
}

}  // namespace
}  // namespace mazurka
