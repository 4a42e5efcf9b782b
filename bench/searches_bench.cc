// The searches on programs that grow: executions, transitions, time and peak memory of each, on
// scripts in memory and on real programs. Each row runs in a process of its own, so that its memory
// is its own.
//
// Usage: searches_bench RUNTIME EXAMPLES_DIR BENCH_DIR [JSON_FILE]
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "explore/engine/search.h"
#include "program/live_program.h"
#include "testing/scripts/known_scripts.h"
#include "testing/scripts/scripted_program.h"

namespace {

using namespace mazurka;

constexpr double kMostSeconds = 10;  // of a row; then the larger ones are left out

using MakeProgram = std::function<std::unique_ptr<Program>()>;

struct Subject {
  std::string name;
  uint32_t size = 0;
  MakeProgram make;
};

// What a row's process tells the one that prints.
struct Row {
  Counts counts;
  double seconds = 0;
  bool finished = false;
  long memory_kb = 0;
};

struct Folders {
  std::string runtime;
  std::string examples;
  std::string bench;
};

std::unique_ptr<Program> launch(const std::string& runtime, const std::string& path,
                                std::vector<std::string> arguments) {
  LaunchOptions options;
  options.argv = {path};
  options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
  options.program_path = path;
  options.runtime_path = runtime;
  options.reset = Reset::InPlace;
  Result<std::unique_ptr<LiveProgram>> launched = LiveProgram::launch(options);
  if (launched) return std::move(*launched);
  fmt::print(stderr, "{}: {}\n", path, launched.error().message);
  return nullptr;
}

MakeProgram scripted(Script script) {
  return [script] { return std::make_unique<ScriptedProgram>(script); };
}

std::vector<std::vector<Subject>> make_subjects(const Folders& folders) {
  std::vector<std::vector<Subject>> families(4);
  for (uint32_t n = 2; n <= 8; ++n) {
    families[0].push_back(
        {"philosophers, processes (script)", n, scripted(process_philosophers(n))});
    families[1].push_back({"philosophers, threads (script)", n, scripted(thread_philosophers(n))});
    families[2].push_back({"philosophers, threads (real)", n, [=] {
                             return launch(folders.runtime,
                                           folders.examples + "/philosophers_threads",
                                           {std::to_string(n)});
                           }});
  }
  for (uint32_t rounds = 1; rounds <= 3; ++rounds) {
    families[3].push_back({"3 threads lock a mutex N times (real)", rounds, [=] {
                             return launch(folders.runtime, folders.bench + "/lock_counter",
                                           {"3", std::to_string(rounds)});
                           }});
  }
  return families;
}

Row search(const Subject& subject, const std::string& name) {
  Row row;
  const std::unique_ptr<Program> program = subject.make();
  if (program == nullptr) return row;
  SearchOptions options;
  options.search = name;
  options.keep_going = true;
  options.timeout_s = kMostSeconds;
  const Result<Verdict> verdict = explore(*program, options);
  if (!verdict) return row;
  row.counts = verdict->counts;
  row.seconds = verdict->seconds;
  row.finished = verdict->complete();
  return row;
}

Row search_in_a_process(const Subject& subject, const std::string& name) {
  int ends[2];
  Row row;
  if (pipe(ends) != 0) return row;
  const pid_t child = fork();
  if (child == 0) {
    row = search(subject, name);
    const bool told = write(ends[1], &row, sizeof row) == static_cast<ssize_t>(sizeof row);
    _exit(told ? 0 : 1);
  }
  close(ends[1]);
  if (read(ends[0], &row, sizeof row) != static_cast<ssize_t>(sizeof row)) row = Row{};
  close(ends[0]);
  rusage usage = {};
  int status = 0;
  wait4(child, &status, 0, &usage);
  row.memory_kb = usage.ru_maxrss;
  return row;
}

void print(const Subject& subject, const std::string& name, const Row& row) {
  fmt::print("{:<40} {:>2} {:<11} {:>10} {:>8} {:>11} {:>9.3f} {:>7.1f}\n", subject.name,
             subject.size, name, row.counts.executions, row.counts.blocked_executions,
             row.counts.transitions, row.seconds, static_cast<double>(row.memory_kb) / 1024);
  std::fflush(stdout);
}

nlohmann::json json_of(const Subject& subject, const std::string& name, const Row& row) {
  return {{"program", subject.name},
          {"size", subject.size},
          {"search", name},
          {"executions", row.counts.executions},
          {"blocked_executions", row.counts.blocked_executions},
          {"transitions", row.counts.transitions},
          {"steps", row.counts.steps},
          {"seconds", row.seconds},
          {"memory_kb", row.memory_kb}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: searches_bench RUNTIME EXAMPLES_DIR BENCH_DIR [JSON_FILE]\n");
    return 2;
  }
  nlohmann::json rows = nlohmann::json::array();
  fmt::print("{:<40} {:>2} {:<11} {:>10} {:>8} {:>11} {:>9} {:>7}\n", "program", "N", "search",
             "executions", "blocked", "transitions", "seconds", "MB");
  for (const std::vector<Subject>& family : make_subjects({argv[1], argv[2], argv[3]})) {
    for (const std::string& name : search_names()) {
      for (const Subject& subject : family) {
        const Row row = search_in_a_process(subject, name);
        if (!row.finished) break;
        print(subject, name, row);
        rows.push_back(json_of(subject, name, row));
      }
    }
  }
  if (argc > 4) std::ofstream(argv[4]) << rows.dump(2) << '\n';
}
