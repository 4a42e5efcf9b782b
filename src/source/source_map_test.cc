// Runs each fixture, which prints addresses and what they are, and asks for the same without the
// process.
#include "source/source_map.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>

namespace mazurka {
namespace {

const std::string kFixtures = std::string(MAZURKA_FIXTURE_DIR) + "/";
const std::string kSources = std::string(MAZURKA_FIXTURE_SOURCES) + "/";

struct Code {
  std::string marker;
  std::string function;
  std::vector<uint64_t> stack;
};
struct Data {
  std::string name;
  uint64_t address = 0;
};
struct Answers {
  std::vector<LoadedFile> modules;
  std::vector<Code> code;
  std::vector<Data> data;
};

Answers run_fixture(const std::string& name) {
  std::unique_ptr<FILE, decltype(&pclose)> pipe(popen((kFixtures + name).c_str(), "r"), &pclose);
  std::string output;
  for (int c = fgetc(pipe.get()); c != EOF; c = fgetc(pipe.get())) output += static_cast<char>(c);
  // printf writes a null pointer as "(nil)": the base of a program that is not position
  // independent.
  for (size_t at = 0; (at = output.find("(nil)", at)) != std::string::npos;)
    output.replace(at, 5, "0x0");
  Answers run;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    words >> std::hex;
    std::string kind;
    words >> kind;
    if (kind == "module") {
      LoadedFile module;
      words >> module.path >> module.base >> module.start >> module.end;
      run.modules.push_back(module);
    } else if (kind == "data") {
      Data data;
      words >> data.name >> data.address;
      run.data.push_back(data);
    } else if (kind == "code") {
      Code code;
      words >> code.marker >> code.function;
      std::copy(std::istream_iterator<uint64_t>(words), {}, std::back_inserter(code.stack));
      run.code.push_back(code);
    }
  }
  return run;
}

int marked_line(const std::string& file, const std::string& marker) {
  std::ifstream in(kSources + file);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find("line: " + marker) != std::string::npos) return number;
  }
  return -1;
}

std::string source_of(const std::string& fixture) {
  return fixture.starts_with("structs") ? "structs.c" : "objects.cpp";
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

const Data& data_named(const Answers& run, const std::string& name) {
  return *std::find_if(run.data.begin(), run.data.end(),
                       [&](const Data& data) { return data.name == name; });
}

const Code& code_marked(const Answers& run, const std::string& marker) {
  return *std::find_if(run.code.begin(), run.code.end(),
                       [&](const Code& code) { return code.marker == marker; });
}

class Fixture : public testing::TestWithParam<std::string> {};

TEST_P(Fixture, StacksLeadToTheUsersLine) {
  const Answers run = run_fixture(GetParam());
  ASSERT_FALSE(run.code.empty());
  SourceMap map(run.modules, MAZURKA_FIXTURE_SOURCES);
  for (const Code& code : run.code) {
    const Place place = map.user_place(code.stack);
    EXPECT_EQ(place.file, source_of(GetParam())) << code.marker;
    EXPECT_EQ(place.line, marked_line(place.file, code.marker)) << code.marker;
    EXPECT_EQ(place.function, code.function);
    EXPECT_TRUE(place.in_user_code);
  }
}

TEST_P(Fixture, VariablesHaveTheNamesOfTheSource) {
  const Answers run = run_fixture(GetParam());
  ASSERT_FALSE(run.data.empty());
  SourceMap map(run.modules);
  for (const Data& data : run.data) EXPECT_EQ(map.variable(data.address), data.name);
}

INSTANTIATE_TEST_SUITE_P(Compilers, Fixture, testing::ValuesIn(words(MAZURKA_FIXTURES)),
                         [](const auto& fixture) { return fixture.param; });

TEST(SourceMap, InlinedCallsAreFramesOfTheirOwn) {
  const Answers run = run_fixture("objects_gcc_O2");
  SourceMap map(run.modules, MAZURKA_FIXTURE_SOURCES);
  const std::vector<Place> frames = map.frames(code_marked(run, "template_member").stack[0], true);
  ASSERT_GE(frames.size(), 3U);
  EXPECT_EQ(frames[0].function, "__gthread_mutex_lock");
  EXPECT_EQ(frames[1].function, "std::mutex::lock");
  EXPECT_TRUE(frames[1].file.ends_with("bits/std_mutex.h"));
  EXPECT_FALSE(frames[1].in_user_code);
  EXPECT_EQ(frames.back().function, "Box<int>::put");
  EXPECT_TRUE(frames.back().in_user_code);
  const std::vector<Place> mine =
      map.user_frames(code_marked(run, "template_member").stack[0], true);
  ASSERT_EQ(mine.size(), 1U);
  EXPECT_EQ(mine[0], frames.back());
}

TEST(SourceMap, SymbolsAreTheNextBestThing) {
  const Answers run = run_fixture("without_debug");
  SourceMap map(run.modules);
  EXPECT_EQ(map.variable(data_named(run, "bank::Ledger::guard").address), "bank::Ledger::guard");
  EXPECT_EQ(map.variable(data_named(run, "box.lock").address), "box+0x8");
  EXPECT_EQ(map.variable(data_named(run, "lock_static_local::lock").address),
            "lock_static_local::lock");
  const Place place = map.user_place(code_marked(run, "member_function").stack);
  EXPECT_EQ(to_string(place), "bank::Account::deposit in without_debug");
  EXPECT_TRUE(place.in_user_code);
  EXPECT_FALSE(map.has_debug_info(run.modules[0].start));
}

TEST(SourceMap, WithoutSymbolsThereIsAnOffsetInTheModule) {
  const Answers run = run_fixture("stripped");
  SourceMap map(run.modules);
  const auto fork = map.variable(data_named(run, "forks[1]").address);
  ASSERT_TRUE(fork.has_value());
  EXPECT_TRUE(fork->starts_with("stripped+0x")) << *fork;
  // Still in the dynamic symbol table.
  EXPECT_EQ(map.variable(data_named(run, "counter").address), "counter");
  const Place place = map.user_place(code_marked(run, "c_function").stack);
  EXPECT_EQ(place.module, "stripped");
}

TEST(SourceMap, SystemLibrariesAreNotUserCode) {
  const Answers run = run_fixture("objects_gcc_O0");
  SourceMap map(run.modules);
  const Code& code = code_marked(run, "lambda");
  const std::vector<Place> outermost = map.frames(code.stack.back(), true);
  ASSERT_FALSE(outermost.empty());
  EXPECT_TRUE(outermost[0].module.starts_with("libc.so")) << outermost[0].module;
  EXPECT_FALSE(outermost[0].in_user_code);
  EXPECT_TRUE(map.user_frames(code.stack.back(), true).empty());
  EXPECT_EQ(map.user_place({code.stack.back()}).module, outermost[0].module);
}

TEST(SourceMap, OutsideOfEveryModuleNothingIsKnown) {
  SourceMap map({});
  EXPECT_TRUE(map.frames(0x1234, true).empty());
  EXPECT_EQ(map.variable(0x1234), std::nullopt);
  EXPECT_EQ(map.user_place({0x1234}), Place{});
  EXPECT_FALSE(map.has_debug_info(0x1234));
}

TEST(SourceMap, MissingFilesCostInformationOnly) {
  SourceMap map(
      {{"/nowhere/libgone.so", 0x1000, 0x1000, 0x9000}, {"[vdso]", 0xa000, 0xa000, 0xb000}});
  EXPECT_EQ(map.variable(0x1800), "libgone.so+0x800");
  EXPECT_EQ(map.user_place({0x1800}).module, "libgone.so");
  EXPECT_EQ(to_string(map.user_place({0xa010})), "[vdso]");
}

// Every query on files with bytes changed or cut off. The answers do not matter.
TEST(SourceMap, DamagedFilesDoNotCrash) {
  const Answers run = run_fixture("objects_gcc_O0");
  std::ifstream in(run.modules[0].path, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  const std::string path = testing::TempDir() + "/mazurka_damaged_" + std::to_string(getpid());
  uint32_t random = 1;
  for (int round = 0; round < 40; ++round) {
    std::string bytes = whole;
    if (round % 4 == 0) bytes.resize(bytes.size() * static_cast<size_t>(round + 1) / 41);
    for (int i = 0; i < 10 * round && round % 4 != 0; ++i) {
      random = random * 1664525 + 1013904223;
      bytes[random % bytes.size()] = static_cast<char>(random >> 24);
    }
    std::ofstream(path, std::ios::binary) << bytes;
    LoadedFile module = run.modules[0];
    module.path = path;
    SourceMap map({module});
    for (const Code& code : run.code) map.user_place(code.stack);
    for (const Data& data : run.data) map.variable(data.address);
  }
  std::remove(path.c_str());
}

}  // namespace
}  // namespace mazurka
