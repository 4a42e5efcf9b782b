#include "cli/target.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "program/binary/instrumentation.h"
#include "program/binary/unseen_calls.h"
#include "program/binary/unseen_code.h"
#include "program/live_program.h"
#include "source/code_standard.h"

namespace mazurka {
namespace {

namespace fs = std::filesystem;

// Relative to the command itself: in a build tree, and installed.
Result<std::string> find_runtime() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const fs::path prefix = self.parent_path().parent_path();
  for (const char* place : {"lib/libmazurka_rt.so", "lib/mazurka/libmazurka_rt.so"}) {
    const fs::path path = prefix / place;
    if (fs::exists(path, error)) return path.string();
  }
  return Error{fmt::format("the runtime libmazurka_rt.so is not in {} or {}",
                           (prefix / "lib").string(), (prefix / "lib/mazurka").string())};
}

class LiveTarget : public Target {
 public:
  explicit LiveTarget(std::unique_ptr<LiveProgram> program) : program_(std::move(program)) {}

  Program& program() override { return *program_; }
  const Program& program() const override { return *program_; }

  std::vector<LoadedFile> files() const override {
    std::vector<LoadedFile> files;
    for (const auto& module : program_->modules()) {
      files.push_back({module.path, module.base, module.start, module.end});
    }
    return files;
  }

  std::vector<AnnotatedMemory> annotated() const override { return program_->annotated(); }
  std::vector<AnnotatedCode> annotated_code() const override { return program_->annotated_code(); }

  std::vector<std::string> unseen_calls() const override {
    return mazurka::unseen_calls(program_->modules());
  }

  std::vector<std::string> unseen_places() const override {
    SourceMap source(files());
    std::vector<std::string> places;
    std::set<std::string> seen;
    for (const LoadedModule& module : program_->modules()) {
      if (!is_instrumented(module.path) || !seen.insert(module.path).second) continue;
      for (const uint64_t address : unseen_code(module.path)) {
        const std::vector<Place> frames = source.frames(module.base + address, false);
        if (frames.empty() || !frames[0].in_user_code || frames[0].line == 0) continue;
        std::string place =
            fmt::format("{} ({}:{})", frames[0].function, frames[0].file, frames[0].line);
        if (std::find(places.begin(), places.end(), place) == places.end())
          places.push_back(std::move(place));
      }
    }
    return places;
  }

  Result<void> look(const Plan& plan, const Looker& looker) override {
    Execution execution;
    return program_->look(plan, execution, looker);
  }

 private:
  std::unique_ptr<LiveProgram> program_;
};

// Neighbours become one.
std::vector<OlderCode> older_code(const LiveProgram& program) {
  constexpr uint64_t kGap = 16;  // what the linker fills in between
  std::vector<OlderCode> all;
  std::set<std::string> seen;
  for (const LoadedModule& module : program.modules()) {
    if (!is_instrumented(module.path) || !seen.insert(module.path).second) continue;
    for (const auto& [begin, end] : code_by_older_standards(module.path)) {
      const OlderCode code = {begin + module.base, end + module.base};
      if (!all.empty() && code.begin >= all.back().begin && code.begin < all.back().end + kGap) {
        all.back().end = std::max(all.back().end, code.end);
      } else {
        all.push_back(code);
      }
    }
  }
  return all;
}

Result<std::unique_ptr<Target>> launch_live(const Invocation& command, const ProgramFile& file,
                                            const std::string& runtime,
                                            std::shared_ptr<const Stop> stop) {
  LaunchOptions options;
  options.argv = command.argv;
  options.program_path = file.path;
  options.stdin_file = command.stdin_file;
  options.runtime_path = runtime;
  options.carrier = command.carrier;
  options.reset = command.reset;
  options.only_this_reset = command.only_this_reset;
  options.memory = command.memory;
  options.discipline = command.discipline;
  options.atomics = command.atomics;
  options.channels = command.channels;
  Result<std::unique_ptr<LiveProgram>> program =
      command.gdb ? LiveProgram::for_debugger(options, command.gdb_arguments)
                  : LiveProgram::launch(options, std::move(stop));
  if (!program) return program.error();
  if ((*program)->instrumented()) (*program)->know_older_code(older_code(**program));
  return std::unique_ptr<Target>(std::make_unique<LiveTarget>(std::move(*program)));
}

}  // namespace

Result<ProgramFile> inspect(const Invocation& command) {
  const std::string& input = command.stdin_file;
  if (!input.empty() && (fs::is_directory(input) || access(input.c_str(), R_OK) != 0)) {
    const char* why = fs::is_directory(input) ? "it is a directory" : std::strerror(errno);
    return Error{fmt::format("cannot read the standard input {}: {}", input, why)};
  }
  return inspect_program(command.argv[0]);
}

Result<std::unique_ptr<Target>> launch(const Invocation& command, const ProgramFile& file,
                                       std::shared_ptr<const Stop> stop) {
  const Result<std::string> runtime = find_runtime();
  if (!runtime) return runtime.error();
  return launch_live(command, file, *runtime, std::move(stop));
}

}  // namespace mazurka
