#include "objects/op_words.h"

#include <cerrno>
#include <cstring>

#include "objects/all_words.h"

namespace mazurka {

std::string with_flags(const Operation& op, const std::string& name) {
  if ((op.flags & kSpinning) != 0) return "spin on " + name;
  if ((op.flags & kTry) != 0) return "try " + name;
  if ((op.flags & kTimed) != 0) return "timed " + name;
  return name;
}

std::string thread_or_nobody(Outcome outcome, const Namer& names) {
  return outcome == kNobody ? "nobody" : names.thread(ThreadId(outcome));
}

std::string plain_verb(const Operation& op) { return with_flags(op, name_of(op.kind)); }

std::string target_and_object(const Operation& op, const Parts&, const Namer& names) {
  std::string text;
  if (op.target != kNoThread) text += ' ' + names.thread(op.target);
  if (op.object != kNoObject) text += ' ' + names.object(op.object);
  return text;
}

std::string no_outcome_text(const Operation&, Outcome, const Namer&) { return ""; }

std::string wakes_thread(const Operation&, Outcome outcome, const Namer& names) {
  return ", wakes " + thread_or_nobody(outcome, names);
}

// A failed try is what the program asked for.
std::string error_text(const Operation&, const Effect& effect) {
  if (effect.error == 0) return "";
  if (effect.error == ETIMEDOUT) return "timed out";
  const char* const name = strerrorname_np(effect.error);
  return name != nullptr ? name : "error " + std::to_string(effect.error);
}

std::string whole_note(const Operation&, const Effect&, const std::string& said) { return said; }

Why cannot_happen(const Stuck&) { return {"cannot happen now"}; }

std::vector<ThreadId> holders_of_object(const World& world, ThreadId, const Operation& op) {
  return holders_of_object(world, op.object);
}

bool always(const Operation&) { return true; }

}  // namespace mazurka
