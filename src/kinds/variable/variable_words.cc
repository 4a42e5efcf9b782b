#include "kinds/variable/variable_words.h"

#include <fmt/format.h>

#include "objects/world.h"

namespace mazurka::variable_words {
namespace {

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
    case Update::Negate:
      return "negate";
  }
  return name_of(OpKind::VarUpdate);
}

}  // namespace

std::string value(const World& world, ObjectId id, const Namer&) {
  const Variable& variable = world.object(id).variable;
  if (variable.size > sizeof variable.value) return fmt::format("{} bytes", variable.size);
  return fmt::format("{}", variable.value);
}

std::string update_verb(const Operation& op) { return with_flags(op, name_of_update(op.update)); }

// What a plain one stores nobody knows yet.
std::string stored(const Operation& op, const Parts& parts, const Namer& names) {
  const std::string text = target_and_object(op, parts, names);
  return (op.flags & kPlain) != 0 ? text : fmt::format("{} = {}", text, op.value);
}

std::string with_operand(const Operation& op, const Parts& parts, const Namer& names) {
  return fmt::format("{} {}", target_and_object(op, parts, names), op.value);
}

std::string expected_and_desired(const Operation& op, const Parts& parts, const Namer& names) {
  return fmt::format("{} {} to {}", target_and_object(op, parts, names), op.value, op.desired);
}

std::string loaded(const Operation&, const Effect& effect) {
  return fmt::format("{}", effect.value);
}

std::string was(const Operation&, const Effect& effect) {
  return fmt::format("was {}", effect.value);
}

std::string compared(const Operation&, const Effect& effect) {
  return effect.error == 0 ? "" : fmt::format("fails, is {}", effect.value);
}

Why until_changed(const Stuck& stuck) {
  const bool spins = (stuck.op.flags & kSpinning) != 0;
  return spins ? Why{"waits until somebody changes it"} : cannot_happen(stuck);
}

}  // namespace mazurka::variable_words
