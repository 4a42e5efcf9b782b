// The states in which executions end, as far as threads can tell: what each of them did and was
// told, and where it stands. Two searches of one program must find the same ones (compare.h).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "execution/program.h"

namespace mazurka {

// A fingerprint: the same for executions that differ only in the order of independent transitions.
uint64_t end_state(const Execution& execution);

// Whether the execution came to an end of its own: it was not cut, and it did not fall asleep.
bool has_end_state(const Execution& execution);

// Whether its process ended while a thread stood before an operation. What that thread had done by
// then nobody is left to tell, and transitions that are more than one operation (Transitions) leave
// some of it out.
bool kills(const Execution& execution);

// Runs another program's executions, and keeps their end states. The replays that confirm findings
// do not count: the search did not choose them.
class EndStates final : public Program {
 public:
  // `program` must outlive it.
  explicit EndStates(Program& program) : program_(program), kept_(std::make_shared<Kept>()) {}

  // Added to the fingerprint, for programs that know more about their state.
  std::function<uint64_t()> more;
  // Keep no end states of executions that kill threads.
  bool leaves_out_killed = false;

  // With the schedule of an execution that ended there.
  const std::map<uint64_t, std::vector<Choice>>& all() const { return kept_->all; }
  const std::set<uint64_t>& deadlocks() const { return kept_->deadlocks; }

  Result<void> run(const Plan& plan, Execution& out) override;
  Result<size_t> run_some(const Plan* plans, size_t count, Execution* out) override;
  Result<std::unique_ptr<Program>> another() override;

  void stop_by(std::shared_ptr<const Stop> stop) override { program_.stop_by(std::move(stop)); }
  bool is_stopped() const override { return program_.is_stopped(); }
  std::string thread_name(ThreadId id) const override { return program_.thread_name(id); }
  std::vector<uint32_t> thread_path(ThreadId id) const override { return program_.thread_path(id); }
  Result<ThreadId> intern_thread(const std::vector<uint32_t>& path) override {
    return program_.intern_thread(path);
  }
  std::string object_name(ObjectId id) const override { return program_.object_name(id); }
  std::optional<uint64_t> object_address(ObjectId id) const override {
    return program_.object_address(id);
  }
  std::vector<UnmodelledCall> unmodelled() const override { return program_.unmodelled(); }
  Remarks<Note> notes() const override { return program_.notes(); }
  void annotate(std::vector<AnnotatedMemory> memory, std::vector<AnnotatedCode> code) override {
    program_.annotate(std::move(memory), std::move(code));
  }
  Needs needs() const override { return program_.needs(); }
  void set_needs(Needs wanted) override { program_.set_needs(wanted); }
  std::vector<SeenAccess> seen_accesses() const override { return program_.seen_accesses(); }
  void see_accesses(const std::vector<SeenAccess>& seen) override { program_.see_accesses(seen); }
  void forget_unseen_code() override { program_.forget_unseen_code(); }
  // What was kept before means nothing any more.
  void forget();
  // What was kept before was seen with other eyes.
  void share(uint64_t address) override;
  std::string memory_name(const ObjectPlace& place, uint64_t address) const override {
    return program_.memory_name(place, address);
  }
  uint64_t learned() const override { return program_.learned(); }
  bool instrumented() const override { return program_.instrumented(); }
  bool sees_locked_instructions() const override { return program_.sees_locked_instructions(); }
  bool has_locked_instructions() const override { return program_.has_locked_instructions(); }
  std::string blind_modules() const override { return program_.blind_modules(); }
  Remarks<Assumption> assumptions() const override { return program_.assumptions(); }

 private:
  // By all instances.
  struct Kept {
    std::mutex mutex;
    std::map<uint64_t, std::vector<Choice>> all;
    std::set<uint64_t> deadlocks;
  };

  EndStates(std::unique_ptr<Program> program, std::shared_ptr<Kept> kept, bool without_killed)
      : leaves_out_killed(without_killed),
        owned_(std::move(program)),
        program_(*owned_),
        kept_(std::move(kept)) {}
  void keep(const Plan& plan, const Execution& execution);

  std::unique_ptr<Program> owned_;  // another instance than the first
  Program& program_;
  std::shared_ptr<Kept> kept_;
};

}  // namespace mazurka
