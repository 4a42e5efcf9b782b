// Runs a Script in memory, by the same plans and models as a real program, and by the same
// scheduler (schedule/take_step.h): the fake of LiveProgram on which the searches are tested by the
// hundred thousand.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "execution/program.h"
#include "schedule/take_step.h"
#include "testing/scripts/script.h"

namespace mazurka {

class ScriptedProgram final : public Program {
 public:
  // Requires that the script has a first body, and that what it names (objects, bodies, parts)
  // exists.
  explicit ScriptedProgram(Script script);

  // Invisible code that never comes to an operation ends it as Divergence; more threads than there
  // can be, as Trouble.
  Result<void> run(const Plan& plan, Execution& out) override;
  Result<std::unique_ptr<Program>> another() override;

  std::string thread_name(ThreadId id) const override;
  std::vector<uint32_t> thread_path(ThreadId id) const override;
  Result<ThreadId> intern_thread(const std::vector<uint32_t>& path) override;
  std::string save_names() const override;
  Result<void> restore_names(const std::string& names) override;
  std::string object_name(ObjectId id) const override;

  // From now on the log keeps quiet about what is done to the object: a wrong dependency, for tests
  // that must notice one.
  void forget_accesses_to(ObjectId object) { forgotten_ = object; }

  const Script& script() const { return script_; }
  // What the last run left behind. Programs that run on the same kernel thread share it: it is gone
  // with the next run of any of them. Requires that this one has run.
  const World& world() const { return *world_; }

 private:
  struct Identity {
    ThreadId parent = kNoThread;
    uint32_t ordinal = 0;
    std::vector<ThreadId> children;  // by ordinal, from 1; kNoThread where none was ever made
  };
  // One numbering for all instances.
  struct Identities {
    std::mutex mutex;
    std::vector<Identity> all{1};
  };
  // Where a thread stands in the script.
  struct Frame {
    uint32_t body = 0;
    uint32_t next = 0;
    Effect last;
    int64_t registers[kRegisters] = {};
    bool returns =
        false;  // the last thing that a handler does: what was blocked before is blocked again
  };
  // What a handler has interrupted.
  struct Interrupted {
    Frame frame;
    Operation op;
    bool once_more = false;  // the thread comes to the operation again
    uint64_t restores = 0;   // signals
  };

  void start();
  // kNoThread if there are too many.
  ThreadId intern_child(ThreadId parent, uint32_t ordinal);
  void create(ThreadId creator, uint32_t body, bool process);
  // After a transition that left its thread running.
  void go_on(const Transition& transition);
  // Runs the thread's invisible code, up to where it stands before an operation or at exit.
  void run_invisible(ThreadId id);
  void stand_before(ThreadId id, const Instruction& instruction);
  void stand_before_end(ThreadId id, OpKind kind, int64_t wait_status);
  bool holds(const Instruction& instruction, const Effect& effect) const;
  void enter_handler(const Transition& transition);
  void leave_handler(ThreadId id);
  void resume(ThreadId id);
  static void calculate(const Instruction& instruction, Frame& frame);

  // False: the execution ends here.
  bool step(const Plan& plan, Execution& out, uint32_t position);
  void end_without_step(const TakenStep& taken, Execution& out, uint32_t position) const;
  void take_invisible(Invisible& out);
  void finish(Execution& out, uint32_t steps) const;

  Script script_;
  World* world_ = nullptr;  // of the kernel thread that runs it
  std::shared_ptr<Identities> identities_ = std::make_shared<Identities>();
  std::vector<Frame> frames_;                          // by thread
  std::vector<std::vector<Interrupted>> interrupted_;  // by thread, the latest last
  std::vector<Choice> enabled_;                        // in the present state, after the prefix
  ThreadId diverging_ = kNoThread;
  bool too_many_ = false;
  ObjectId forgotten_ = kNoObject;
};

}  // namespace mazurka
