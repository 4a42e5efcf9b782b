// What the search `optimal` costs beside the program: the analysis of finished executions of
// scripts, which no process runs. Rows are programs of growing size; the cost per transition shows
// whether it is linear.
//
// Usage: analysis_bench [JSON_FILE [PROGRAM]]
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "explore/optimal/optimal_children.h"
#include "testing/scripts/known_scripts.h"
#include "testing/scripts/scripted_program.h"

namespace {

using namespace mazurka;

constexpr size_t kTransitions = 100'000;  // that are executed of one program, about
constexpr size_t kRound = 32;             // plans that the search runs at a time
// Executions that are analysed: few, so that they stay in the cache, and in stretches of
// neighbours, as the search meets them.
constexpr size_t kKept = 32;
constexpr size_t kStretch = 8;
constexpr double kSeconds = 0.3;  // of measuring one program; the fastest round counts

struct Done {
  Plan plan;
  Execution execution;
};
using Stretch = std::vector<Done>;

Stretch run_round(ScriptedProgram& program, std::vector<OptimalTask>& tasks) {
  Stretch round;
  while (!tasks.empty() && round.size() < kRound) {
    Done& next = round.emplace_back();
    tasks.back().write(next.plan);
    tasks.pop_back();
    if (!program.run(next.plan, next.execution)) std::abort();
  }
  return round;
}

// Executions as the search meets them, depth first.
std::vector<Stretch> executions_of(const Script& script) {
  ScriptedProgram program(script);
  OptimalChildren children;
  std::vector<OptimalTask> tasks(1);
  std::vector<Stretch> all;
  size_t transitions = 0;
  while (!tasks.empty() && transitions < kTransitions) {
    Stretch round = run_round(program, tasks);
    for (const Done& done : round) {
      children.find(done.plan, done.execution, tasks);
      transitions += done.execution.transitions.size();
      if (all.empty() || all.back().size() == kStretch || &done == &round.front())
        all.emplace_back();
      all.back().push_back(done);
    }
  }
  constexpr size_t kStretches = kKept / kStretch;
  const size_t step = std::max<size_t>(1, all.size() / kStretches);
  for (size_t i = 0; i < kStretches && i * step < all.size(); ++i) std::swap(all[i], all[i * step]);
  all.resize(std::min(all.size(), kStretches));
  return all;
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
  size_t analysed = 0;  // executions, in all rounds
};

// Not inlined, so that a profiler can be told to look at this alone.
[[gnu::noinline]] Cost measure(const std::vector<Stretch>& stretches) {
  OptimalChildren children;
  std::vector<OptimalTask> tasks;
  double fastest = 1e30;
  size_t found = 0;
  size_t transitions = 0;
  size_t executions = 0;
  size_t analysed = 0;
  for (const double end = cpu_seconds() + kSeconds; cpu_seconds() < end;) {
    found = transitions = executions = 0;
    const double start = cpu_seconds();
    for (const Stretch& stretch : stretches) {
      for (size_t i = 0; i < stretch.size(); ++i) {
        const Execution* next = i + 1 < stretch.size() ? &stretch[i + 1].execution : nullptr;
        tasks.clear();
        children.find(stretch[i].plan, stretch[i].execution, tasks, next);
        found += tasks.size();
        transitions += stretch[i].execution.transitions.size();
      }
      executions += stretch.size();
    }
    fastest = std::min(fastest, cpu_seconds() - start);
    analysed += executions;
  }
  const auto count = static_cast<double>(executions);
  return {fastest * 1e6 / count, static_cast<double>(transitions) / count,
          static_cast<double>(found) / count, analysed};
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
  subjects.emplace_back("readers 14", readers(14));
  subjects.emplace_back("lastzero 15", last_zero(15));
  if (argc > 2)
    std::erase_if(subjects, [&](const auto& subject) { return subject.first != argv[2]; });
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
                    {"analysed", cost.analysed},
                    {"us_per_execution", cost.microseconds},
                    {"ns_per_transition", each_ns}});
  }
  if (argc > 1) std::ofstream(argv[1]) << rows.dump(2) << '\n';
}
