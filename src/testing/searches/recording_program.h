// For the differential tests of the searches: runs a script and remembers what a search has seen of
// it: each execution as its Mazurkiewicz trace, and its final state.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "explore/engine/search.h"
#include "testing/scripts/scripted_program.h"

namespace mazurka {

// All that is compared. Two executions have the same trace if one comes from the other by swapping
// independent neighbours.
struct Seen {
  std::map<uint64_t, int> traces;  // how often each was executed
  std::set<uint64_t> final_states;
  std::set<uint64_t> deadlocks;
  bool yields = false;  // some execution had them, or stood before them

  int repeated() const {
    int count = 0;
    for (const auto& [trace, times] : traces) count += times - 1;
    return count;
  }
};

uint64_t trace_of(const Execution& execution);
uint64_t state_of(const World& world, const Execution& execution);

class RecordingProgram final : public Program {
 public:
  explicit RecordingProgram(Script script) : scripted_(std::move(script)) {}

  Seen seen;

  // Replays of findings are not the search's own.
  Result<void> run(const Plan& plan, Execution& out) override {
    Result<void> ran = scripted_.run(plan, out);
    if (!ran || plan.stacks || out.end == End::Blocked) return ran;
    ++seen.traces[trace_of(out)];
    note_yields(out);
    const uint64_t state = state_of(scripted_.world(), out);
    seen.final_states.insert(state);
    if (out.end == End::Deadlock) seen.deadlocks.insert(state);
    return ran;
  }

  std::string thread_name(ThreadId id) const override { return scripted_.thread_name(id); }
  std::vector<uint32_t> thread_path(ThreadId id) const override {
    return scripted_.thread_path(id);
  }
  Result<ThreadId> intern_thread(const std::vector<uint32_t>& path) override {
    return scripted_.intern_thread(path);
  }
  std::string object_name(ObjectId id) const override { return scripted_.object_name(id); }

 private:
  void note_yields(const Execution& execution) {
    for (const Transition& made : execution.transitions) {
      seen.yields = seen.yields || made.op.kind == OpKind::WaitForOthers;
    }
    for (const ThreadAtEnd& thread : execution.threads) {
      const bool stands = thread.stands_before_operation();
      seen.yields = seen.yields || (stands && thread.pending.kind == OpKind::WaitForOthers);
    }
  }

  ScriptedProgram scripted_;
};

}  // namespace mazurka
