// A row of the table of words (all_words.h): how a kind of object is shown to people, and who holds
// one. Its name stands in its row of the table of kinds. The rows stand beside those of its
// operations, in kinds/*/*_words.h. For the tool alone, as op_words.h.
#pragma once

#include <string>
#include <vector>

#include "base/ids.h"
#include "objects/namer.h"
#include "objects/object_kind.h"

namespace mazurka {

struct Object;
struct World;

using TypeFunction = std::string(const Object&);
// Requires that it was not destroyed.
using ValueFunction = std::string(const World&, ObjectId, const Namer&);

// --- answers that many rows share

TypeFunction name_of_kind;
ValueFunction no_value;

struct KindWords {
  ObjectKind kind = ObjectKind::None;
  TypeFunction* type = name_of_kind;              // "spin lock"
  ValueFunction* value = nullptr;                 // "held by T0.2"
  bool (*says_nothing)(const Object&) = nullptr;  // null: never
  ThreadId (*owner)(const Object&) = nullptr;     // the one that it belongs to; null: nobody
  void (*add_holders)(const Object&, std::vector<ThreadId>&) = nullptr;  // null: there are none

  constexpr bool is_complete() const { return value != nullptr; }
};

// --- what the rows say

// "mutex", "semaphore"
std::string type_of(const Object& object);
// "held by T0.2", "free", "value 1"
std::string value_of(const World& world, ObjectId id, const Namer& names);
// Whether its state is nothing to look at.
bool says_nothing(const Object& object);
// kNoThread if there is none.
ThreadId owner_of(const Object& object);
// Who keeps others out of it. Empty for no object.
std::vector<ThreadId> holders_of_object(const World& world, ObjectId id);

}  // namespace mazurka
