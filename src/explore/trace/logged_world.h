// What a log says about a world, put into one: the part that all replays have in common
// (state_replay.h, replica.h).
#pragma once

#include "execution/execution.h"
#include "objects/world.h"

namespace mazurka {

// The object as invisible code left it.
void set_object(World& world, const ObjectSetting& setting);

// A robust mutex that a thread did not own and owns now, without having locked it: a fork gives the
// child what the forking thread held.
void count_robust(World& world, const Object& before, const Object& after);

// False if one of them is there already: then this is not the log of such a world.
bool create_threads(World& world, const std::vector<ThreadCreation>& creations);

// The end of what invisible code did.
void forget_invisible(World& world, const std::vector<ThreadCreation>& creations);

}  // namespace mazurka
