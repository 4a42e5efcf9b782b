// A communication object for people: what it is, and what state it is in.
#pragma once

#include <string>

#include "objects/world.h"
#include "report/words/describer.h"

namespace mazurka {

// "mutex", "semaphore"
std::string type_of(const Object& object);

// "held by T0.2", "free", "value 1"
std::string value_of(const World& world, ObjectId id, const Describer& describer);

// Whether its state is nothing to look at: an event has none, a set is its semaphores, what was
// done once stays so, and so does a name on the way to a file.
bool says_nothing(const Object& object);

}  // namespace mazurka
