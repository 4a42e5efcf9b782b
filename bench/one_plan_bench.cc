// One plan, again and again, in batches as the searches hand them over: what an execution costs
// without a search. `program` is the processor time of the program's own process; `wall` is what a
// search without a cost of its own would see.
//
// Usage: one_plan_bench RUNTIME EXECUTIONS in-place|fork PROGRAM [ARGS...]
// Prints one line of JSON.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
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
  for (char** argument = argv + 4; *argument != nullptr; ++argument)
    options.argv.emplace_back(*argument);
  options.program_path = options.argv[0];
  options.runtime_path = argv[1];
  options.reset = std::string(argv[3]) == "fork" ? Reset::Fork : Reset::InPlace;
  return LiveProgram::launch(options);
}

constexpr size_t kBatch = 64;

// False: it has said why not.
bool run(LiveProgram& program, long wanted, std::vector<Execution>& out) {
  std::vector<Plan> plans(kBatch);
  for (Plan& plan : plans) plan.lists_enabled = false;  // as the search `optimal` has it
  for (long done = 0; done < wanted;) {
    const size_t count = std::min(kBatch, static_cast<size_t>(wanted - done));
    const Result<size_t> ran = program.run_some(plans.data(), count, out.data());
    if (!ran.ok()) {
      fmt::print(stderr, "one_plan_bench: {}\n", ran.error().message);
      return false;
    }
    done += static_cast<long>(*ran);
  }
  return true;
}

int fail(const std::string& why) {
  fmt::print(stderr, "one_plan_bench: {}\n", why);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5)
    return fail("usage: one_plan_bench RUNTIME EXECUTIONS in-place|fork PROGRAM [ARGS...]");
  const long wanted = std::atol(argv[2]);
  Result<std::unique_ptr<LiveProgram>> program = launch(argv);
  if (!program.ok()) return fail(program.error().message);
  std::vector<Execution> executions(kBatch);
  if (!run(**program, 2 * kBatch, executions)) return 1;  // pages and threads become known
  const uint64_t before = processor_time_of_children();
  const auto start = std::chrono::steady_clock::now();
  if (!run(**program, wanted, executions)) return 1;
  const std::chrono::duration<double, std::micro> wall = std::chrono::steady_clock::now() - start;
  const double program_us = static_cast<double>(processor_time_of_children() - before) / 1000;
  const auto count = static_cast<double>(wanted);
  const nlohmann::json line = {{"transitions", executions[0].transitions.size()},
                               {"executions", wanted},
                               {"wall_us", wall.count() / count},
                               {"program_us", program_us / count},
                               {"in_place", (*program)->notes().empty()}};
  fmt::print("{}\n", line.dump());
}
