// A real program, run under plans: launched once, it stands at main as a fork server and makes an execution per plan.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "program/kept_names.h"
#include "program/launcher.h"
#include "program/program.h"
#include "program/shared_segment.h"

namespace mazurka {

// A file that the program has mapped: for source lines and names.
struct LoadedModule {
  std::string path;
  uint64_t base = 0;  // load bias
  uint64_t start = 0;
  uint64_t end = 0;
  ProcessId process = kNoProcess;  // in which process, and those forked from it
};

class LiveProgram : public Program {
 public:
  static Result<std::unique_ptr<LiveProgram>> launch(const LaunchOptions& options);
  // Not launched now: its one run is a gdb session, with these arguments for gdb.
  static Result<std::unique_ptr<LiveProgram>> for_debugger(const LaunchOptions& options,
                                                           std::vector<std::string> arguments);
  ~LiveProgram() override;

  Result<void> run(const Plan& plan, Execution& out) override;
  std::string thread_name(ThreadId id) const override;
  std::vector<uint32_t> thread_path(ThreadId id) const override;
  Result<ThreadId> intern_thread(const std::vector<uint32_t>& path) override;
  std::string object_name(ObjectId id) const override;
  std::optional<uint64_t> object_address(ObjectId id) const override;
  std::vector<UnmodelledCall> unmodelled() const override;
  std::vector<std::string> notes() const override;

  std::vector<LoadedModule> modules() const;

 private:
  LiveProgram(LaunchOptions options, SharedSegment segment, std::optional<Server> server, int output);
  static Result<std::unique_ptr<LiveProgram>> prepare(const LaunchOptions& options);

  void write_plan(const Plan& plan);
  // The fork server beside the one that resets in place: it confirms what that one found, and shows the program's output.
  Result<LiveProgram*> oracle();
  Result<void> run_on_oracle(const Plan& plan, Execution& out);
  Result<void> run_here(const Plan& plan, Execution& out);
  Result<void> fall_back_to_fork(const std::string& why);
  Result<void> compare_with_oracle(const Plan& plan, Execution& out);
  Result<void> start_server();
  Result<void> relaunch();
  void read_output(Execution& out) const;

  LaunchOptions options_;
  SharedSegment segment_;
  std::optional<Server> server_;  // none under a debugger
  std::vector<std::string> debugger_arguments_;
  KeptNames names_;
  std::unique_ptr<LiveProgram> oracle_;
  std::string why_fork_;  // what a reset in place could not undo
  bool disagreed_ = false;  // an execution in place was not what a new process made of the same plan
  uint64_t executions_ = 0;
  int output_;          // a memory file for what the program writes, with Plan::show_output
  bool stale_ = false;  // the server is gone: launch anew before the next execution
};

}  // namespace mazurka
