#include "kinds/processes/process_words.h"

#include "objects/bad_memory.h"
#include "objects/world.h"

namespace mazurka::process_words {

// --- objects

std::string no_type(const Object&) { return ""; }

// An event has no state.
bool always_says_nothing(const Object&) { return true; }

std::string named_value(const World& world, ObjectId id, const Namer& names) {
  const Named& named = world.object(id).named;
  if (!named.exists) return "there is no such name";
  return named.target == kNoObject ? "exists" : "leads to " + names.object(named.target);
}

// --- operations

// A thread that stands before none is at its end.
std::string exit_verb(const Operation&) { return "exit"; }

std::string crash_verb(const Operation& op) {
  return is_bad_memory(op) ? "memory error" : plain_verb(op);
}

// Of a memory error, what happened; the finding says to which block.
std::string crash_note(const Operation& op, const Effect&, const std::string& said) {
  return said.substr(0, is_bad_memory(op) ? said.find(':') : std::string::npos);
}

std::vector<ThreadId> target_alone(const World&, ThreadId, const Operation& op) {
  return op.target == kNoThread ? std::vector<ThreadId>{} : std::vector{op.target};
}

std::string returns_child(const Operation&, Outcome outcome, const Namer& names) {
  return ", returns " + thread_or_nobody(outcome, names);
}

// Of any child.
Why until_child_ends(const Stuck& stuck) {
  Why why{"waits for the end of a child", {}, ": "};
  const ProcessId mine = stuck.world.thread(stuck.thread).process;
  for (uint32_t i = 0; i < stuck.world.thread_limit; ++i) {
    const ProcessState& process = stuck.world.process(ProcessId(i));
    if (process.exists && !process.ended && process.parent == mine)
      why.hopes.push_back(ProcessId(i));
  }
  return why;
}

std::string toss_verb(const Operation& op) {
  if ((op.flags & kForSignals) != 0) return "a place to take signals";
  if ((op.flags & kForReuse) != 0) return "reuse of what was given back";
  if ((op.flags & kForNoReason) == 0) return "toss";
  return op.object != kNoObject ? "spurious wake-up" : "spurious failure";
}

std::string pause_verb(const Operation& op) {
  constexpr int64_t kLongestYieldNs = 1'000;
  return op.value <= kLongestYieldNs ? "yield" : "sleep";
}

std::string tossed(const Operation& op, Outcome outcome, const Namer&) {
  if ((op.flags & kForSignals) != 0) return "";
  if ((op.flags & kForNoReason) != 0) return outcome == 0 ? ": no" : ": yes";
  return ": " + std::to_string(outcome);
}

Why until_others_move(const Stuck&) { return {"waits until another thread has moved"}; }

}  // namespace mazurka::process_words
