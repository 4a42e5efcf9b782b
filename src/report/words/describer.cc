#include "report/words/describer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "objects/bad_memory.h"
#include "report/words/data_text.h"
#include "report/words/signal_text.h"

namespace mazurka {
namespace {

std::vector<uint64_t> stack_of(const CodePlace& place) {
  if (!place.stack.empty() || place.pc == 0) return place.stack;
  return {place.pc};
}

const char* name_of_update(Update update) {
  switch (update) {
    case Update::Exchange:
      return "exchange";
    case Update::Add:
      return "fetch-add";
    case Update::And:
      return "fetch-and";
    case Update::Or:
      return "fetch-or";
    case Update::Xor:
      return "fetch-xor";
    case Update::Nand:
      return "fetch-nand";
  }
  return name_of(OpKind::VarUpdate);
}

// Operations whose flags are their own; empty for others.
std::string signal_words(const Operation& op) {
  switch (op.kind) {
    case OpKind::SignalSend:
      if ((op.flags & kFromTimer) != 0) return "set timer of";
      return (op.flags & kToAll) != 0 ? "send to all" : "send to";
    case OpKind::SignalAction:
      if ((op.flags & kHandles) != 0) return "handle";
      return (op.flags & kIgnores) != 0 ? "ignore" : "set default action of";
    case OpKind::SignalMask:
      return "block signals:";
    default:
      return "";
  }
}

// "lock", "try to share": empty for what is no lock of a file.
std::string file_lock_words(const Operation& op) {
  std::string verb;
  if (op.kind == OpKind::FileLock) verb = (op.flags & kShared) != 0 ? "share" : "lock";
  if (op.kind == OpKind::FileUnlock) verb = "unlock";
  if (op.kind == OpKind::FileLook) verb = "look for locks of";
  if (verb.empty()) return "";
  return (op.flags & kTry) != 0 ? "try to " + verb : verb;
}

// " bytes 0 to 9"
std::string file_range(const Operation& op) {
  if (op.desired == kEndOfFile)
    return op.value == 0 ? "" : fmt::format(" from byte {} on", op.value);
  if (op.desired == op.value + 1) return fmt::format(" byte {}", op.value);
  return fmt::format(" bytes {} to {}", op.value, op.desired - 1);
}

std::string with_flags(const Operation& op) {
  if (std::string words = signal_words(op); !words.empty()) return words;
  if (std::string words = file_lock_words(op); !words.empty()) return words;
  if (op.kind == OpKind::FileUse) return name_of(static_cast<FileVerb>(op.value));
  if (op.kind == OpKind::SignalWait && op.value == 0) return "sleep";
  if (op.kind == OpKind::None) return "exit";
  if (is_bad_memory(op)) return "memory error";
  // The second half of a wait: a thread that stands before it waits to be woken.
  const bool wakes = op.kind == OpKind::CondReacquire || op.kind == OpKind::CondWake ||
                     op.kind == OpKind::FutexBlocked;
  std::string name = wakes ? "wake up from" : name_of(op.kind);
  if (op.kind == OpKind::VarUpdate) name = name_of_update(op.update);
  if ((op.flags & kSpinning) != 0) return "spin on " + name;
  if ((op.flags & kTry) != 0) return "try " + name;
  if ((op.flags & kTimed) != 0) return "timed " + name;
  return name;
}

// What an operation on a variable brings along.
std::string values_of(const Operation& op) {
  switch (op.kind) {
    case OpKind::VarStore:
      return (op.flags & kPlain) != 0
                 ? ""
                 : fmt::format(" = {}", op.value);  // of a plain one nobody knows yet
    case OpKind::VarUpdate:
      return fmt::format(" {}", op.value);
    case OpKind::VarCompareExchange:
      return fmt::format(" {} to {}", op.value, op.desired);
    case OpKind::SignalSend:
    case OpKind::SignalAction:
    case OpKind::SignalCancel:
      return ' ' + signal_name(static_cast<int>(op.value));
    case OpKind::SignalWait:
      return op.value == 0 ? "" : ' ' + signal_names(static_cast<uint64_t>(op.value));
    case OpKind::SignalMask:
      return ' ' + signal_names(static_cast<uint64_t>(op.value));
    case OpKind::FileLock:
    case OpKind::FileUnlock:
    case OpKind::FileLook:
      return (op.flags & kRecord) != 0 ? file_range(op) : "";
    default:
      return "";
  }
}

// What happens where a signal is taken.
std::string delivery_text(const std::string& operation, const Transition& made) {
  const std::string name = signal_name(signal_of(made.choice.outcome));
  const bool ends = ended_by_signal(made.op, made.choice.outcome, made.effect);
  const std::string taken = "takes " + name + (ends ? ", which ends the process," : "");
  if ((made.choice.outcome & kTakesThen) != kTakesThen) return taken + " before " + operation;
  const bool is_done = made.op.kind == OpKind::SignalSend || made.op.kind == OpKind::SignalMask;
  return operation + (is_done ? ", " : ": EINTR, ") + taken + (ends ? "" : " at once");
}

// What the operation's error says about its outcome. A failed try is what the program asked for.
std::string result_of(const Operation& op, const Effect& effect) {
  if (effect.misuse != Misuse::None) return describe(effect.misuse);
  if (op.kind == OpKind::VarLoad) return fmt::format("{}", effect.value);
  if (op.kind == OpKind::VarUpdate) return fmt::format("was {}", effect.value);
  if (op.kind == OpKind::FileLock && effect.value == 1) return "gives up the shared lock first";
  if (effect.error == 0) return "";
  if (op.kind == OpKind::VarCompareExchange) return fmt::format("fails, is {}", effect.value);
  if (op.kind == OpKind::OnceBegin) return "does it";
  if (effect.error == ETIMEDOUT) return "timed out";
  const char* name = strerrorname_np(effect.error);
  return name != nullptr ? name : fmt::format("error {}", effect.error);
}

// Which of several ways a transfer went.
std::string way_of(const Operation& op, Outcome outcome) {
  if (outcome == kOnlyOutcome) return "";
  if (op.kind == OpKind::DatagramSend) return ", lost";
  if (!is_on_channel(op.kind)) return "";
  if (op.flags & kLossy) return fmt::format(", overtaking {}", outcome);
  return outcome == 1 ? ", one byte" : ", half";
}

}  // namespace

bool outcome_is_thread(const Operation& op) {
  return op.kind == OpKind::CondSignal || op.kind == OpKind::WaitChild ||
         (op.kind == OpKind::FutexWake && op.value == 1);
}

std::string Describer::thread_role(ThreadId id, const Execution& execution) const {
  if (places_ == nullptr) return "";
  for (const ThreadAtEnd& thread : execution.threads) {
    if (thread.id != id) continue;
    if (!thread.name.empty()) return thread.name;
    if (thread.start_routine != 0) {
      if (std::string name = places_->function(thread.start_routine); !name.empty()) return name;
    }
    if (std::string name = places_->outermost_function(thread.place.stack); !name.empty())
      return name;
  }
  for (const Transition& made : execution.transitions) {
    if (made.choice.thread != id) continue;
    if (std::string name = places_->outermost_function(made.place.stack); !name.empty())
      return name;
  }
  return "";
}

std::string Describer::thread_title(ThreadId id, const Execution& execution) const {
  const std::string role = thread_role(id, execution);
  return role.empty() ? thread(id) : thread(id) + ' ' + role;
}

std::string Describer::plain_object(ObjectId id) const {
  return id == kNoObject ? "" : program_.object_name(id);
}

std::string Describer::plain_object(const Operation& op, const std::vector<OpPart>& parts) const {
  const bool is_about_object =
      parts.empty() || is_on_variable(op.kind) || op.kind == OpKind::FileUse;
  return plain_object(is_about_object ? op.object : parts[0].object);
}

std::string Describer::object(ObjectId id) const {
  if (id == kNoObject) return "";
  if (places_ != nullptr) {
    if (const auto address = program_.object_address(id)) {
      if (const auto variable = places_->variable(*address)) return *variable;
    }
  }
  return program_.object_name(id);
}

std::string Describer::memory(const MemoryConflict& conflict) const {
  if (places_ != nullptr && conflict.where.storage == Storage::Module) {
    if (const auto variable = places_->variable(conflict.address)) return *variable;
  }
  return program_.memory_name(conflict.where, conflict.address);
}

std::string Describer::semaphores(const Operation& op, const std::vector<OpPart>& parts) const {
  std::string text;
  for (const OpPart& part : parts) {
    if (!text.empty()) text += ", ";
    text += object(part.object);
    text += op.kind == OpKind::Semop ? fmt::format(" {:+d}", part.sem.delta)
                                     : fmt::format(" = {}", part.sem.delta);
  }
  return text;
}

std::string Describer::operation(const Operation& op, const std::vector<OpPart>& parts) const {
  std::string text = with_flags(op);
  const bool counts = op.kind == OpKind::Semop || op.kind == OpKind::SemctlSet;
  if (counts && !parts.empty()) return text + ' ' + semaphores(op, parts);
  if (op.target != kNoThread) text += ' ' + thread(op.target);
  if (op.object != kNoObject) text += ' ' + object(op.object);
  text += values_of(op);
  const bool has_mutex = op.kind == OpKind::CondWait || op.kind == OpKind::CondReacquire;
  if (has_mutex && op.second != kNoObject) text += " with " + object(op.second);
  if (op.kind == OpKind::FileUse && op.second != kNoObject) text += " to " + object(op.second);
  return text;
}

std::string Describer::transition(const Transition& transition) const {
  const Operation& op = transition.op;
  std::string text = operation(op, transition.parts);
  const Outcome outcome = transition.choice.outcome;
  if (is_delivery(op, outcome)) return delivery_text(text, transition);
  if (op.kind == OpKind::Toss) {
    text += fmt::format(": {}", outcome);
  } else if (outcome_is_thread(op)) {
    const char* verb = op.kind == OpKind::WaitChild ? "returns" : "wakes";
    text += fmt::format(", {} {}", verb, outcome == kNobody ? "nobody" : thread(ThreadId(outcome)));
  }
  text += way_of(op, outcome);
  const std::string result = result_of(transition.op, transition.effect);
  if (!result.empty()) text += ": " + result;
  // Of a memory error, what happened; the finding says to which block.
  if (op.kind == OpKind::ChannelWrite || op.kind == OpKind::QueueSend ||
      op.kind == OpKind::DatagramSend) {
    const std::string bytes = shown_bytes(transition.text);
    const int64_t sent = op.kind == OpKind::ChannelWrite ? transition.effect.value : op.value;
    const auto written = static_cast<size_t>(std::max<int64_t>(sent, 0));
    return is_readable(bytes) ? text + ": " + data_text(bytes, written) : text;
  }
  const size_t length = is_bad_memory(op) ? transition.text.find(':') : std::string::npos;
  if (!transition.text.empty()) text += ": " + transition.text.substr(0, length);
  return text;
}

std::string Describer::place(const CodePlace& place) const {
  return places_ == nullptr ? "" : places_->place(stack_of(place));
}

std::vector<std::string> Describer::callers(const CodePlace& place) const {
  return places_ == nullptr ? std::vector<std::string>{} : places_->callers(place.stack);
}

std::string Describer::short_location(const CodePlace& place) const {
  const std::string whole = location(place);
  const size_t slash = whole.rfind('/');
  return slash == std::string::npos ? whole : whole.substr(slash + 1);
}

std::string Describer::source_text(const CodePlace& place) const {
  return places_ == nullptr ? "" : places_->source_text(stack_of(place));
}

std::string Describer::location(const CodePlace& place) const {
  return places_ == nullptr ? "" : places_->location(stack_of(place));
}

}  // namespace mazurka
