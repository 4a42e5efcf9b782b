#include "cli/target.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "program/binary/unseen_calls.h"
#include "program/live_program.h"

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

  Result<void> look(const Plan& plan, const Looker& looker) override {
    Execution execution;
    return program_->look(plan, execution, looker);
  }

 private:
  std::unique_ptr<LiveProgram> program_;
};

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
