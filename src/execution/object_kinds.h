// What the kinds of objects are called.
#pragma once

#include "objects/world.h"

namespace mazurka {

const char* name_of(ObjectKind kind);

}  // namespace mazurka
