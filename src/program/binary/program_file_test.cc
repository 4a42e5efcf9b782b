#include "program/binary/program_file.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace mazurka {
namespace {

class ProgramFileTest : public testing::Test {
 protected:
  ProgramFileTest() {
    char name[] = "/tmp/mazurka-program-XXXXXX";
    directory = mkdtemp(name);
  }
  ~ProgramFileTest() override { std::filesystem::remove_all(directory); }

  std::string write(const std::string& bytes, mode_t mode = 0755) {
    std::string path = directory + "/program";
    std::ofstream(path, std::ios::binary) << bytes;
    chmod(path.c_str(), mode);
    return path;
  }

  static std::string elf(unsigned char bits, uint16_t machine, uint16_t type) {
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = bits;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_machine = machine;
    header.e_type = type;
    header.e_phentsize = sizeof(Elf64_Phdr);
    return {reinterpret_cast<const char*>(&header), sizeof header};
  }

  static std::string error(const std::string& program) {
    const Result<ProgramFile> result = inspect_program(program);
    return result ? "" : result.error().message;
  }

  std::string directory;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(ProgramFileTest, AProgramOfTheSystemIsFine) {
  const Result<ProgramFile> result = inspect_program("/proc/self/exe");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->interpreter, "");
}

TEST_F(ProgramFileTest, ANameWithoutSlashIsLookedUpInPath) {
  const Result<ProgramFile> result = inspect_program("env");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(contains(result->path, "bin/env"));
  EXPECT_TRUE(contains(error("no-such-program-here"), "no program no-such-program-here in PATH"));
}

TEST_F(ProgramFileTest, MissingFilesAndDirectoriesAreNamed) {
  EXPECT_TRUE(contains(error("./missing-program"), "No such file"));
  EXPECT_TRUE(contains(error(directory), "is a directory"));
  EXPECT_TRUE(contains(error("/dev/null"), "not a regular file"));
  EXPECT_TRUE(contains(error(""), "empty"));
}

TEST_F(ProgramFileTest, AFileMustBeExecutable) {
  EXPECT_TRUE(contains(error(write("#!/bin/sh\n", 0644)), "is not executable"));
}

TEST_F(ProgramFileTest, AScriptIsJudgedByItsInterpreter) {
  const Result<ProgramFile> result = inspect_program(write("#! /bin/sh -e\ntrue\n"));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->interpreter, "/bin/sh");
  EXPECT_TRUE(contains(error(write("#!/no/such/shell\n")), "is a script: /no/such/shell"));
  EXPECT_TRUE(contains(error(write("#!\n")), "neither an ELF program nor a script"));
  EXPECT_TRUE(contains(error(write("echo hello\n")), "neither an ELF program nor a script"));
  EXPECT_TRUE(contains(error(write("")), "neither an ELF program nor a script"));
}

TEST_F(ProgramFileTest, AScriptThatInterpretsItselfIsRefused) {
  EXPECT_TRUE(contains(error(write("#!" + directory + "/program\n")), "interpret each other"));
}

TEST_F(ProgramFileTest, OtherMachinesAndFormatsAreRefused) {
  EXPECT_TRUE(contains(error(write(elf(ELFCLASS32, EM_386, ET_EXEC))), "32-bit"));
  EXPECT_TRUE(contains(error(write(elf(ELFCLASS64, EM_PPC64, ET_EXEC))), "another architecture"));
  EXPECT_TRUE(contains(error(write("\x7f"
                                   "ELF")),
                       "damaged"));
#if defined(__x86_64__)
  EXPECT_TRUE(contains(error(write(elf(ELFCLASS64, EM_X86_64, ET_REL))), "not a program"));
  EXPECT_TRUE(contains(error(write(elf(ELFCLASS64, EM_X86_64, ET_EXEC))), "statically linked"));
#endif
}

TEST_F(ProgramFileTest, SetuidProgramsAreRefused) {
  EXPECT_TRUE(contains(error(write("#!/bin/sh\n", 04755)), "setuid"));
}

}  // namespace
}  // namespace mazurka
