// What posix_spawn does in the child before exec: its attributes and its file actions.
#pragma once

#include <spawn.h>

namespace mazurka {

// Both return an errno value, and take a null pointer as nothing to do.
int apply_attributes(const posix_spawnattr_t* attributes);
int apply_file_actions(const posix_spawn_file_actions_t* actions);

// Whether the actions may change the directory: then a path cannot be checked before.
bool may_change_directory(const posix_spawn_file_actions_t* actions);

}  // namespace mazurka
