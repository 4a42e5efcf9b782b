// Whether a file is a program that Mazurka can run: found, executable, dynamically linked, ours to
// preload. Asked before the launch, so that the answer is a sentence and not a program that runs
// unobserved.
#pragma once

#include <string>

#include "base/result.h"

namespace mazurka {

struct ProgramFile {
  std::string path;         // what execve takes
  std::string interpreter;  // of a script: the first line's; else empty
};

// Looks a name without a slash up in PATH, as execvp does. Of a script, the interpreter is
// inspected.
Result<ProgramFile> inspect_program(const std::string& program);

}  // namespace mazurka
