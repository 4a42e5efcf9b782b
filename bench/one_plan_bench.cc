// One plan, again and again: what an execution costs the program itself, without a search. `program` is the processor time
// of the program's process, hand-over included; `wall` is what a search without a cost of its own would see.
//
// Usage: one_plan_bench RUNTIME EXECUTIONS in-place|fork PROGRAM [ARGS...]
// Prints one line of JSON.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program/live_program.h"

namespace {

using namespace mazurka;

// Nanoseconds that the children of this process have run; 0 if the kernel does not tell.
uint64_t processor_time_of_children() {
  std::ifstream children(fmt::format("/proc/self/task/{}/children", getpid()));
  uint64_t sum = 0;
  for (int pid = 0; children >> pid;) {
    uint64_t ran = 0;
    std::ifstream(fmt::format("/proc/{}/schedstat", pid)) >> ran;
    sum += ran;
  }
  return sum;
}

Result<std::unique_ptr<LiveProgram>> launch(char** argv) {
  LaunchOptions options;
  for (char** argument = argv + 4; *argument != nullptr; ++argument) options.argv.emplace_back(*argument);
  options.program_path = options.argv[0];
  options.runtime_path = argv[1];
  options.reset = std::string(argv[3]) == "fork" ? Reset::Fork : Reset::InPlace;
  return LiveProgram::launch(options);
}

int fail(const std::string& why) {
  fmt::print(stderr, "one_plan_bench: {}\n", why);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return fail("usage: one_plan_bench RUNTIME EXECUTIONS in-place|fork PROGRAM [ARGS...]");
  const long wanted = std::atol(argv[2]);
  Result<std::unique_ptr<LiveProgram>> program = launch(argv);
  if (!program.ok()) return fail(program.error().message);
  Execution execution;
  const Plan plan;
  for (int i = 0; i < 10; ++i) {  // pages and threads become known
    if (const Result<void> ran = (*program)->run(plan, execution); !ran.ok()) return fail(ran.error().message);
  }
  const uint64_t before = processor_time_of_children();
  const auto start = std::chrono::steady_clock::now();
  for (long i = 0; i < wanted; ++i) {
    if (const Result<void> ran = (*program)->run(plan, execution); !ran.ok()) return fail(ran.error().message);
  }
  const std::chrono::duration<double, std::micro> wall = std::chrono::steady_clock::now() - start;
  const double program_us = static_cast<double>(processor_time_of_children() - before) / 1000;
  const auto executions = static_cast<double>(wanted);
  const nlohmann::json line = {{"transitions", execution.transitions.size()},
                               {"executions", wanted},
                               {"wall_us", wall.count() / executions},
                               {"program_us", program_us / executions},
                               {"in_place", (*program)->notes().empty()}};
  fmt::print("{}\n", line.dump());
}
