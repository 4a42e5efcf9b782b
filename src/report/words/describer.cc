#include "report/words/describer.h"

#include "objects/all_words.h"

namespace mazurka {
namespace {

std::vector<uint64_t> stack_of(const CodePlace& place) {
  if (!place.stack.empty() || place.pc == 0) return place.stack;
  return {place.pc};
}

}  // namespace

bool outcome_is_thread(const Operation& op) {
  const auto asked = words_of(op.kind).outcome_is_thread;
  return asked != nullptr && asked(op);
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
  const bool is_about_object = parts.empty() || words_of(op.kind).about == About::Object;
  return plain_object(is_about_object ? op.object : parts[0].object);
}

std::string Describer::object(ObjectId id) const {
  if (id == kNoObject) return "";
  if (names_ != nullptr) {
    if (std::string name = names_->object(id); !name.empty()) return name;
  }
  if (places_ != nullptr) {
    if (const auto address = program_.object_address(id)) {
      if (const auto variable = places_->variable(*address)) return *variable;
    }
  }
  return program_.object_name(id);
}

std::string Describer::memory(const MemoryConflict& conflict) const {
  if (names_ != nullptr) {
    if (std::string name = names_->memory(conflict); !name.empty()) return name;
  }
  if (places_ != nullptr && conflict.where.storage == Storage::Module) {
    if (const auto variable = places_->variable(conflict.address)) return *variable;
  }
  return program_.memory_name(conflict.where, conflict.address);
}

std::string Describer::operation(const Operation& op, const std::vector<OpPart>& parts) const {
  const OpWords& words = words_of(op.kind);
  return words.verb(op) + words.operands(op, parts, *this);
}

std::string Describer::transition(const Transition& made) const {
  const Operation& op = made.op;
  const Outcome outcome = made.choice.outcome;
  const OpWords& words = words_of(op.kind);
  std::string text = operation(op, made.parts);
  if (is_delivery(op, outcome)) return delivery_text(text, op, outcome, made.effect);
  text += words.outcome(op, outcome, *this);
  const bool is_misuse = made.effect.misuse != Misuse::None;
  const std::string result =
      is_misuse ? describe(made.effect.misuse) : words.result(op, made.effect);
  if (!result.empty()) text += ": " + result;
  const std::string note = words.note(op, made.effect, made.text);
  return note.empty() ? text : text + ": " + note;
}

std::string Describer::choice(const Operation& op, const std::vector<OpPart>& parts,
                              Choice choice) const {
  const OpWords& words = words_of(op.kind);
  if (!words.is_foretold) return operation(op, parts);
  Transition next;
  next.choice = choice;
  next.op = op;
  next.parts = parts;
  return transition(next) + words.foretold(op, choice.outcome, *this);
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
