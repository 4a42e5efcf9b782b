// Processes made by fork and exec in one call.
#pragma once

#include <spawn.h>

#include "runtime/core/runtime.h"

namespace mazurka {

struct Spawn {
  const char* file;
  bool search;  // along PATH
  const posix_spawn_file_actions_t* actions;
  const posix_spawnattr_t* attributes;
  char* const* arguments;
  char* const* environment;
};

// posix_spawn: an errno value, and no child then.
int spawn(const Spawn& what, pid_t* pid, Call call);

// In the child of a fork: `sh -c command`, or the end with status 127.
[[noreturn]] void exec_shell(const char* command, Call call);

}  // namespace mazurka
