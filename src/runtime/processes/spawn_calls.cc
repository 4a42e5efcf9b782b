// posix_spawn and vfork: our fork, then exec.
//
// vfork is fork. The parent may go on before the child has called exec: POSIX allows that, so each
// behaviour that we show is one that the program must bear; a child that writes to its parent's
// memory is undefined and is not seen by the parent.
#include "runtime/processes/spawn_calls.h"

#include <paths.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/processes/exec_calls.h"
#include "runtime/processes/shared_error.h"
#include "runtime/processes/spawn_actions.h"

namespace mazurka {
namespace {

[[noreturn]] void run_child(const Spawn& what, SharedError& error, Call call) {
  int result = apply_attributes(what.attributes);
  if (result == 0) result = apply_file_actions(what.actions);
  if (result == 0) {
    result = what.search ? exec_along_path(what.file, what.arguments, what.environment, call)
                         : exec_program(what.file, what.arguments, what.environment, call);
  }
  error.value() = result;
  end_process(W_EXITCODE(127, 0), call);
}

}  // namespace

int spawn(const Spawn& what, pid_t* pid, Call call) {
  // What fails for sure fails without a child; the rest is found out by the child.
  if (!may_change_directory(what.actions)) {
    if (const int error = exec_would_fail(what.file, what.search); error != 0) return error;
  }
  SharedError error;
  if (!error.exists()) return ENOMEM;
  const int kept_errno = errno;
  const pid_t child = fork();
  if (child == 0) run_child(what, error, call);
  if (child < 0) return errno;
  errno = kept_errno;
  // The child has run up to its first visible operation: it has called exec, or said why it could
  // not.
  if (error.value() != 0) {
    forget_child(world(), thread_of_virtual_pid(child));
    return error.value();
  }
  if (pid != nullptr) *pid = child;
  return 0;
}

void exec_shell(const char* command, Call call) {
  char* const arguments[] = {const_cast<char*>("sh"), const_cast<char*>("-c"),
                             const_cast<char*>(command), nullptr};
  exec_program(_PATH_BSHELL, arguments, environ, call);
  end_process(W_EXITCODE(127, 0), call);
}

}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int posix_spawn(pid_t* pid, const char* path,
                               const posix_spawn_file_actions_t* actions,
                               const posix_spawnattr_t* attributes, char* const* arguments,
                               char* const* environment) {
  if (!attached()) return REAL(posix_spawn)(pid, path, actions, attributes, arguments, environment);
  return spawn({path, false, actions, attributes, arguments, environment}, pid, MAZURKA_HERE);
}

MAZURKA_EXPORT int posix_spawnp(pid_t* pid, const char* file,
                                const posix_spawn_file_actions_t* actions,
                                const posix_spawnattr_t* attributes, char* const* arguments,
                                char* const* environment) {
  if (!attached())
    return REAL(posix_spawnp)(pid, file, actions, attributes, arguments, environment);
  return spawn({file, true, actions, attributes, arguments, environment}, pid, MAZURKA_HERE);
}

// Not passed on to the real one: that cannot return twice through a function of ours.
MAZURKA_EXPORT pid_t vfork() { return fork(); }
