// A real program, run under plans: launched once, it stands at main as a fork server and makes an
// execution per plan.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "execution/program.h"
#include "program/launcher.h"
#include "program/logbook.h"
#include "program/shared_segment.h"
#include "program/standing_program.h"
#include "program/watchdog.h"

namespace mazurka {

class LiveProgram : public Program {
 public:
  // Fails when `stop` (or null) is overdue.
  static Result<std::unique_ptr<LiveProgram>> launch(const LaunchOptions& options,
                                                     std::shared_ptr<const Stop> stop = nullptr);
  // Not launched now: its one run is a gdb session, with these arguments for gdb.
  static Result<std::unique_ptr<LiveProgram>> for_debugger(const LaunchOptions& options,
                                                           std::vector<std::string> arguments);
  ~LiveProgram() override;

  Result<void> run(const Plan& plan, Execution& out) override;
  Result<size_t> run_some(const Plan* plans, size_t count, Execution* out) override;
  Result<std::unique_ptr<Program>> another() override;
  void stop_by(std::shared_ptr<const Stop> stop) override;
  bool is_stopped() const override { return stop_ != nullptr && stop_->is_overdue(); }
  std::string thread_name(ThreadId id) const override;
  std::vector<uint32_t> thread_path(ThreadId id) const override;
  Result<ThreadId> intern_thread(const std::vector<uint32_t>& path) override;
  std::string object_name(ObjectId id) const override;
  std::string memory_name(const ObjectPlace& place, uint64_t address) const override;
  bool instrumented() const override;
  uint64_t learned() const override;
  bool sees_locked_instructions() const override { return options_.atomics == Atomics::Seen; }
  bool has_locked_instructions() const override { return logbook_->has_locked_instructions(); }
  std::string blind_modules() const override;
  Remarks<Assumption> assumptions() const override;
  std::optional<uint64_t> object_address(ObjectId id) const override;
  std::optional<ObjectMemory> object_memory(ObjectId id) const override;
  void annotate(std::vector<AnnotatedMemory> memory, std::vector<AnnotatedCode> code) override {
    *options_.annotated = std::move(memory);
    *options_.annotated_code = std::move(code);
  }
  void share(uint64_t address) override;
  // Before the first execution; what is too much is left out.
  void know_older_code(std::vector<OlderCode> code) { *options_.older_code = std::move(code); }
  const std::vector<AnnotatedMemory>& annotated() const { return *options_.annotated; }
  const std::vector<AnnotatedCode>& annotated_code() const { return *options_.annotated_code; }
  Needs needs() const override { return logbook_->needs(); }
  void set_needs(Needs wanted) override { logbook_->set_needs(wanted); }
  void forget_unseen_code() override { logbook_->forget_unseen_code(); }
  std::vector<SeenAccess> seen_accesses() const override;
  void see_accesses(const std::vector<SeenAccess>& accesses) override;
  std::string save_names() const override { return logbook_->save(); }
  Result<void> restore_names(const std::string& names) override;
  std::vector<UnmodelledCall> unmodelled() const override;
  Remarks<Note> notes() const override;

  std::vector<LoadedModule> modules() const;

  // Runs the plan in a process of its own and holds it still after the last step that it says (its
  // depth), for the looker to read its memory. What the program did is in `out`; nobody looked if
  // it broke off before.
  Result<void> look(Plan plan, Execution& out, const Looker& looker);

 private:
  LiveProgram(LaunchOptions options, SharedSegment segment, int output,
              std::shared_ptr<Logbook> logbook);
  static Result<std::unique_ptr<LiveProgram>> prepare(const LaunchOptions& options,
                                                      std::shared_ptr<Logbook> logbook);
  static Result<std::unique_ptr<LiveProgram>> launch(const LaunchOptions& options,
                                                     std::shared_ptr<Logbook> logbook,
                                                     std::shared_ptr<const Stop> stop);

  // Runs `count` plans, or the first of them, in this instance's way.
  Result<size_t> run_in_place(const Plan* plans, size_t count, Execution* out);
  Result<size_t> run_here(const Plan* plans, size_t count, Execution* out);
  bool learn_need(Needs given);
  bool learn_accesses_of_batch();
  Result<size_t> run_up_to_limit(const Plan& plan, Execution& out);
  size_t run_batch(const Plan* plans, size_t count, Execution* out);
  void say_how_it_broke_off(Watched watched, Execution& out) const;
  // The fork server beside the one that resets in place: it confirms what that one found, and shows
  // the program's output.
  Result<LiveProgram*> oracle();
  Result<void> run_on_oracle(const Plan& plan, Execution& out);
  Result<void> fall_back_to_fork();
  Error no_other_reset() const;
  Result<bool> agrees_with_oracle(const Plan& plan, const Execution& execution);
  Result<void> run_debugged(const Plan& plan, Execution& out);
  Result<void> start_server();
  Result<void> relaunch();
  void read_output(Execution& out) const;
  size_t write_plans(const Plan* plans, size_t count);
  void await_look(uint32_t done, double patience_s);

  const LaunchOptions first_options_;  // as it was launched
  LaunchOptions options_;
  SharedSegment segment_;
  std::optional<Server> server_;  // none under a debugger
  std::vector<std::string> debugger_arguments_;
  std::shared_ptr<Logbook> logbook_;
  Shared shared_;  // between logbook and segment
  std::unique_ptr<LiveProgram> oracle_;
  std::shared_ptr<const Stop> stop_;
  uint64_t executions_ = 0;
  int output_;  // a memory file for what the program writes, with Plan::show_output
  const Looker* looker_ = nullptr;  // of the plan that is run
  bool verifies_each_ =
      false;  // an execution broke off, and it was not sure that memory had been reset before it
  bool knows_loops_ = false;  // a loop was found that cannot be learned
  uint64_t sites_told_ = 0;   // learned before the launch
  bool stale_ = false;        // the server is gone: launch anew before the next execution
};

}  // namespace mazurka
