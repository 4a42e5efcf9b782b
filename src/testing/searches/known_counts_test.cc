// The benchmarks of the literature on optimal reduction, with all accesses visible: `optimal`
// executes as many traces as others count.
#include <gtest/gtest.h>

#include "testing/scripts/known_scripts.h"
#include "testing/searches/recording_program.h"

namespace mazurka {
namespace {

Verdict search(RecordingProgram& program, const std::string& name) {
  SearchOptions options;
  options.search = name;
  Result<Verdict> verdict = explore(program, options);
  EXPECT_TRUE(verdict);
  return std::move(*verdict);
}

// So many executions, all different, none in vain.
void expect_count(const Script& script, uint64_t count, const std::string& name = "optimal") {
  RecordingProgram program(script);
  const Verdict verdict = search(program, name);
  EXPECT_EQ(verdict.counts.executions, count) << name;
  EXPECT_EQ(program.seen.traces.size(), count) << name;
  EXPECT_EQ(verdict.counts.blocked_executions, 0u) << name;
  EXPECT_TRUE(verdict.ok());
}

// The other search sees the same traces, and if it is a reduction, runs each of them to its end
// once.
void expect_same_traces(const Script& script, const std::string& name) {
  RecordingProgram optimal(script);
  search(optimal, "optimal");
  RecordingProgram other(script);
  const Verdict verdict = search(other, name);
  EXPECT_TRUE(verdict.complete()) << name;
  EXPECT_EQ(other.seen.final_states, optimal.seen.final_states) << name;
  EXPECT_EQ(other.seen.traces.size(), optimal.seen.traces.size()) << name;
  for (const auto& [trace, times] : optimal.seen.traces) {
    EXPECT_TRUE(other.seen.traces.contains(trace)) << name;
  }
  if (name == "none") return;
  EXPECT_EQ(verdict.counts.executions, optimal.seen.traces.size()) << name;
}

TEST(KnownCounts, Readers) {
  for (uint32_t n = 1; n <= 11; ++n) expect_count(readers(n), uint64_t{1} << n);
  for (const std::string& name : search_names()) expect_same_traces(readers(3), name);
}

TEST(KnownCounts, LastZero) {
  for (uint32_t n = 2; n <= 9; ++n) expect_count(last_zero(n), (n + 3) * (uint64_t{1} << (n - 2)));
  expect_count(last_zero(10), 3328);
  expect_count(last_zero(5), 64, "wakeup");
  for (const std::string& name : search_names()) expect_same_traces(last_zero(3), name);
}

TEST(KnownCounts, Indexer) {
  expect_count(indexer(11), 1);
  expect_count(indexer(12), 8);
  expect_count(indexer(13), 64);
  expect_count(indexer(12), 8, "wakeup");
  for (const char* name : {"persistent", "dpor"}) expect_same_traces(indexer(12), name);
}

TEST(KnownCounts, FileSystem) {
  expect_count(file_system(13), 1);
  expect_count(file_system(14), 2);
  expect_count(file_system(16), 8);
  expect_count(file_system(18), 32);
  expect_count(file_system(19), 64);
  expect_count(file_system(16), 8, "wakeup");
}

}  // namespace
}  // namespace mazurka
