// The words of libc's random number generators.
#include <fmt/format.h>

#include "kinds/processes/process_words.h"
#include "objects/world.h"

namespace mazurka::process_words {

std::string generator_and_seed(const Operation& op, const Parts&, const Namer& names) {
  const std::string name = ' ' + names.object(op.object);
  return op.value < 0 ? name : name + fmt::format(" with {}", op.value);
}

std::string which_number(const Operation&, const Effect& effect) {
  return fmt::format("number {}", effect.value + 1);
}

std::string generator_value(const World& world, ObjectId id, const Namer&) {
  return fmt::format("{} drawn", world.object(id).generator.drawn);
}

}  // namespace mazurka::process_words
