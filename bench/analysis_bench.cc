// What the search `optimal` costs beside the program: the analysis of finished executions of scripts,
// which no process runs. Rows are programs of growing size; the cost per transition shows whether
// it is linear.
//
// Usage: analysis_bench [JSON_FILE]
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "explore/optimal_children.h"
#include "program/known_scripts.h"
#include "program/scripted_program.h"

namespace {

using namespace mazurka;

constexpr size_t kTransitions = 100'000;  // that are executed of one program, about
constexpr size_t kKept = 32;              // executions that are analysed: few, so that they stay in the cache
constexpr double kSeconds = 0.3;          // of measuring one program; the fastest round counts

struct Done {
  Plan plan;
  Execution execution;
};

// Executions as the search meets them, depth first.
std::vector<Done> executions_of(const Script& script) {
  ScriptedProgram program(script);
  OptimalChildren children;
  std::vector<OptimalTask> tasks(1);
  std::vector<Done> done;
  size_t transitions = 0;
  while (!tasks.empty() && transitions < kTransitions) {
    Done next;
    tasks.back().write(next.plan);
    tasks.pop_back();
    if (!program.run(next.plan, next.execution)) break;
    children.find(next.plan, next.execution, tasks);
    transitions += next.execution.transitions.size();
    done.push_back(std::move(next));
  }
  const size_t step = std::max<size_t>(1, done.size() / kKept);
  for (size_t i = 0; i * step < done.size(); ++i) std::swap(done[i], done[i * step]);
  done.resize(std::min(done.size(), kKept));
  return done;
}

// Of this thread: others may use the processor meanwhile.
double cpu_seconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Cost {
  double microseconds = 0;  // of one execution
  double transitions = 0;
  double children = 0;
};

Cost measure(const std::vector<Done>& executions) {
  OptimalChildren children;
  std::vector<OptimalTask> tasks;
  double fastest = 1e30;
  size_t found = 0;
  size_t transitions = 0;
  for (const double end = cpu_seconds() + kSeconds; cpu_seconds() < end;) {
    found = transitions = 0;
    const double start = cpu_seconds();
    for (const Done& done : executions) {
      tasks.clear();
      children.find(done.plan, done.execution, tasks);
      found += tasks.size();
      transitions += done.execution.transitions.size();
    }
    fastest = std::min(fastest, cpu_seconds() - start);
  }
  const auto count = static_cast<double>(executions.size());
  return {fastest * 1e6 / count, static_cast<double>(transitions) / count,
          static_cast<double>(found) / count};
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::pair<std::string, Script>> subjects;
  for (uint32_t n : {4, 8, 12, 14, 16, 32})
    subjects.emplace_back(fmt::format("philosophers {}", n), thread_philosophers(n));
  for (uint32_t n : {5, 50, 500, 5000})
    subjects.emplace_back(fmt::format("counter 2 x {}", n), lock_counter(2, n));
  for (uint32_t n : {2, 20, 200})
    subjects.emplace_back(fmt::format("counter 5 x {}", n), lock_counter(5, n));
  nlohmann::json rows = nlohmann::json::array();
  fmt::print("{:<20} {:>12} {:>9} {:>13} {:>14}\n", "program", "transitions", "children",
             "us/execution", "ns/transition");
  for (const auto& [name, script] : subjects) {
    const Cost cost = measure(executions_of(script));
    const double each_ns = cost.microseconds * 1000 / cost.transitions;
    fmt::print("{:<20} {:>12.1f} {:>9.2f} {:>13.2f} {:>14.1f}\n", name, cost.transitions,
               cost.children, cost.microseconds, each_ns);
    rows.push_back({{"program", name},
                    {"transitions", cost.transitions},
                    {"children", cost.children},
                    {"us_per_execution", cost.microseconds},
                    {"ns_per_transition", each_ns}});
  }
  if (argc > 1) std::ofstream(argv[1]) << rows.dump(2) << '\n';
}
