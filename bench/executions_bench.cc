// How many executions a second each server makes: reset in place, and by fork with threads as
// fibers, as kernel threads, and with processes, in one run. The rounds of all rows take turns, so
// that a noisy machine disturbs them alike: read the ratios.
//
// Usage: executions_bench RUNTIME EXAMPLES_DIR [JSON_FILE]
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "explore/classic/plain_search.h"
#include "program/live_program.h"

namespace {

using namespace mazurka;

constexpr int kRounds = 5;

struct Row {
  std::string name;
  std::vector<std::string> argv;
  Carrier carrier;
  Reset reset;
  uint64_t executions;  // in a round
  std::unique_ptr<LiveProgram> program = nullptr;
  std::vector<double> rates = {};  // executions a second, one for each round
  double transitions_per_execution = 0;

  double median() const {
    std::vector<double> sorted = rates;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

bool launch(Row& row, const std::string& runtime, const std::string& examples) {
  LaunchOptions options;
  options.argv = row.argv;
  options.program_path = examples + "/" + row.argv[0];
  options.runtime_path = runtime;
  options.carrier = row.carrier;
  options.reset = row.reset;
  Result<std::unique_ptr<LiveProgram>> launched = LiveProgram::launch(options);
  if (!launched.ok()) {
    fmt::print(stderr, "{}: {}\n", row.name, launched.error().message);
    return false;
  }
  row.program = std::move(*launched);
  return true;
}

void run_round(Row& row) {
  SearchOptions options;
  options.keep_going = true;
  options.max_executions = row.executions;
  const Verdict verdict = plain_search(*row.program, options);
  row.rates.push_back(static_cast<double>(verdict.counts.executions) / verdict.seconds);
  row.transitions_per_execution =
      static_cast<double>(verdict.counts.steps) / static_cast<double>(verdict.counts.executions);
}

void report(const std::vector<Row>& rows, const char* json_file) {
  const double unit = rows.front().median();
  nlohmann::json all = nlohmann::json::array();
  fmt::print("{:<44} {:>12} {:>12} {:>8}\n", "what", "executions/s", "steps/exec", "ratio");
  for (const Row& row : rows) {
    fmt::print("{:<44} {:>12.0f} {:>12.1f} {:>8.2f}\n", row.name, row.median(),
               row.transitions_per_execution, row.median() / unit);
    all.push_back({{"name", row.name},
                   {"executions_per_second", row.median()},
                   {"steps_per_execution", row.transitions_per_execution},
                   {"ratio", row.median() / unit}});
  }
  if (json_file != nullptr) std::ofstream(json_file) << all.dump(2) << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: executions_bench RUNTIME EXAMPLES_DIR [JSON_FILE]\n");
    return 2;
  }
  std::vector<Row> rows;
  for (const std::string n : {"3", "8"}) {
    const std::vector<std::string> threads = {"philosophers_threads", n};
    const std::vector<std::string> processes = {"philosophers_processes", n};
    rows.push_back({n + " threads, fork, fibers", threads, Carrier::Fibers, Reset::Fork, 300});
    rows.push_back(
        {n + " threads, fork, kernel threads", threads, Carrier::KernelThreads, Reset::Fork, 300});
    rows.push_back({n + " threads, in place", threads, Carrier::Fibers, Reset::InPlace, 2000});
    rows.push_back({n + " processes, fork", processes, Carrier::Fibers, Reset::Fork, 300});
  }
  for (Row& row : rows) {
    if (!launch(row, argv[1], argv[2])) return 1;
  }
  for (int round = 0; round < kRounds; ++round) {
    for (Row& row : rows) run_round(row);
  }
  report(rows, argc > 3 ? argv[3] : nullptr);
}
