// A program of which each execution is judged together with others that were run before: for
// findings that take several executions (strict_discipline.h). Everything that replays such a
// finding runs it through this.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "execution/program.h"
#include "explore/findings/strict_discipline.h"

namespace mazurka {

class EarlierProgram final : public Program {
 public:
  // `earlier`: what protected memory in each of the other executions. The program must outlive this
  // one.
  EarlierProgram(Program& program, std::vector<std::vector<GuardedMemory>> earlier)
      : program_(program), earlier_(std::move(earlier)) {}

  Result<void> run(const Plan& plan, Execution& out) override {
    Result<void> ran = program_.run(plan, out);
    if (ran) add_strict_conflicts(earlier_, out);
    return ran;
  }

  bool is_stopped() const override { return program_.is_stopped(); }
  std::string thread_name(ThreadId id) const override { return program_.thread_name(id); }
  std::vector<uint32_t> thread_path(ThreadId id) const override { return program_.thread_path(id); }
  Result<ThreadId> intern_thread(const std::vector<uint32_t>& path) override {
    return program_.intern_thread(path);
  }
  std::string object_name(ObjectId id) const override { return program_.object_name(id); }

 private:
  Program& program_;
  std::vector<std::vector<GuardedMemory>> earlier_;
};

}  // namespace mazurka
