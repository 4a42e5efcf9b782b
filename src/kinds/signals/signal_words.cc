#include "kinds/signals/signal_words.h"

#include "kinds/signals/signal_text.h"
#include "kinds/signals/signals.h"
#include "objects/all_words.h"

namespace mazurka {

std::string delivery_text(const std::string& operation, const Operation& op, Outcome outcome,
                          const Effect& effect) {
  const bool ends = ended_by_signal(op, outcome, effect);
  const std::string taken =
      "takes " + signal_name(signal_of(outcome)) + (ends ? ", which ends the process," : "");
  if ((outcome & kTakesThen) != kTakesThen) return taken + " before " + operation;
  const bool is_done = words_of(op.kind).is_done_first;
  return operation + (is_done ? ", " : ": EINTR, ") + taken + (ends ? "" : " at once");
}

namespace signal_words {

std::string send_verb(const Operation& op) {
  if ((op.flags & kFromTimer) != 0) return "set timer of";
  return (op.flags & kToAll) != 0 ? "send to all" : "send to";
}

std::string action_verb(const Operation& op) {
  if ((op.flags & kHandles) != 0) return "handle";
  return (op.flags & kIgnores) != 0 ? "ignore" : "set default action of";
}

std::string mask_verb(const Operation&) { return "block signals:"; }

// Waiting for none of them only lets time pass.
std::string wait_verb(const Operation& op) { return op.value == 0 ? "sleep" : plain_verb(op); }

std::string target_and_signal(const Operation& op, const Parts& parts, const Namer& names) {
  return target_and_object(op, parts, names) + ' ' + signal_name(static_cast<int>(op.value));
}

std::string target_and_set(const Operation& op, const Parts& parts, const Namer& names) {
  return target_and_object(op, parts, names) + ' ' + signal_names(static_cast<uint64_t>(op.value));
}

std::string target_and_any_set(const Operation& op, const Parts& parts, const Namer& names) {
  return op.value == 0 ? target_and_object(op, parts, names) : target_and_set(op, parts, names);
}

Why until_signal(const Stuck&) { return {"waits for a signal"}; }

Why none_is_pending(const Stuck&) { return {"no such signal is pending"}; }

}  // namespace signal_words
}  // namespace mazurka
