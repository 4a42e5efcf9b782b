#include "objects/kind_words.h"

#include "objects/all_words.h"
#include "objects/kind_table.h"
#include "objects/world.h"

namespace mazurka {

std::string name_of_kind(const Object& object) { return row_of(object.kind).name; }

std::string no_value(const World&, ObjectId, const Namer&) { return ""; }

std::string type_of(const Object& object) { return words_of(object.kind).type(object); }

std::string value_of(const World& world, ObjectId id, const Namer& names) {
  const Object& object = world.object(id);
  return object.destroyed ? "destroyed" : words_of(object.kind).value(world, id, names);
}

bool says_nothing(const Object& object) {
  const auto asked = words_of(object.kind).says_nothing;
  return asked != nullptr && asked(object);
}

ThreadId owner_of(const Object& object) {
  const auto asked = words_of(object.kind).owner;
  return asked != nullptr ? asked(object) : kNoThread;
}

std::vector<ThreadId> holders_of_object(const World& world, ObjectId id) {
  std::vector<ThreadId> holders;
  if (id == kNoObject) return holders;
  const Object& object = world.object(id);
  if (const auto add = words_of(object.kind).add_holders) add(object, holders);
  return holders;
}

}  // namespace mazurka
