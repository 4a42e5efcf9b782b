// system, popen, pclose and daemon: fork, exec of a shell, and a wait. The shell runs under our
// control, too. The pipe of popen has the model of any other.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/core/raw.h"
#include "runtime/processes/spawn_calls.h"
#include "runtime/reset/kernel_effects.h"

namespace mazurka {
namespace {

// What system() does to signals while it waits.
class QuietSignals {
 public:
  QuietSignals() {
    if (!is_needed()) return;
    struct sigaction ignore;
    memset(&ignore, 0, sizeof ignore);
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGINT, &ignore, &interrupt_);
    sigaction(SIGQUIT, &ignore, &quit_);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &mask_);
  }
  void restore() {
    if (!is_needed()) return;
    sigaction(SIGINT, &interrupt_, nullptr);
    sigaction(SIGQUIT, &quit_, nullptr);
    sigprocmask(SIG_SETMASK, &mask_, nullptr);
  }

 private:
  // Nobody could tell where the process has no actions for signals: no operations then.
  static bool is_needed() { return world().process(current_process()).signal_table != 0; }

  struct sigaction interrupt_;
  struct sigaction quit_;
  sigset_t mask_;
};

int run_shell(const char* command, Call call) {
  QuietSignals quiet;
  const pid_t child = fork();
  if (child == 0) {
    quiet.restore();
    exec_shell(command, call);
  }
  int status = -1;
  if (child > 0) {
    const Operation wait{.kind = OpKind::WaitChild, .target = thread_of_virtual_pid(child)};
    const Effect effect = reach(wait, call);
    status = effect.error == 0 ? static_cast<int>(effect.value) : -1;
    if (effect.error != 0) errno = effect.error;
  }
  quiet.restore();
  return status;
}

struct OpenPipe {
  FILE* stream;
  pid_t child;
};
constexpr int kMaxPipes = 64;
OpenPipe pipes[kMaxPipes];

OpenPipe* find_pipe(FILE* stream) {
  for (OpenPipe& pipe : pipes) {
    if (pipe.stream == stream) return &pipe;
  }
  return nullptr;
}

// "r", "w", with an "e" anywhere: false if it is anything else.
bool parse_mode(const char* mode, bool& reads, bool& closes_on_exec) {
  reads = closes_on_exec = false;
  bool writes = false;
  for (; *mode != '\0'; ++mode) {
    if (*mode == 'r')
      reads = true;
    else if (*mode == 'w')
      writes = true;
    else if (*mode == 'e')
      closes_on_exec = true;
    else
      return false;
  }
  return reads != writes;
}

// The shell's end becomes its standard input or output; the parent's ends of earlier pipes are
// closed, as POSIX says.
[[noreturn]] void run_pipe_child(const char* command, const int* ends, bool parent_reads,
                                 Call call) {
  const int number = parent_reads ? 1 : 0;
  const int own = ends[number];
  if (own != number) {
    dup2(own, number);
  } else {
    fcntl(own, F_SETFD, 0);
  }
  for (const OpenPipe& pipe : pipes) {
    if (pipe.stream != nullptr && fileno(pipe.stream) != number) close(fileno(pipe.stream));
  }
  exec_shell(command, call);
}

FILE* fail(int error) {
  errno = error;
  return nullptr;
}

FILE* open_pipe(const char* command, const char* mode, Call call) {
  bool reads = false;
  bool closes_on_exec = false;
  if (!parse_mode(mode, reads, closes_on_exec)) return fail(EINVAL);
  OpenPipe* const entry = find_pipe(nullptr);
  if (entry == nullptr) return fail(EMFILE);
  int ends[2] = {};
  if (pipe2(ends, O_CLOEXEC) != 0) return nullptr;
  const int mine = ends[reads ? 0 : 1];
  FILE* const stream = fdopen(mine, reads ? "r" : "w");
  const pid_t child = stream != nullptr ? fork() : -1;
  if (child == 0) run_pipe_child(command, ends, reads, call);
  close(ends[reads ? 1 : 0]);
  if (child < 0) {
    const int error = errno;
    if (stream != nullptr)
      fclose(stream);
    else
      close(mine);
    return fail(error);
  }
  if (!closes_on_exec) fcntl(mine, F_SETFD, 0);
  *entry = {stream, child};
  return stream;
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int system(const char* command) {
  if (!attached()) return REAL(system)(command);
  if (command == nullptr) return 1;
  return run_shell(command, MAZURKA_HERE);
}

MAZURKA_EXPORT FILE* popen(const char* command, const char* mode) {
  if (!attached()) return REAL(popen)(command, mode);
  return open_pipe(command, mode, MAZURKA_HERE);
}

MAZURKA_EXPORT int pclose(FILE* stream) {
  if (!attached()) return REAL(pclose)(stream);
  const Call call = MAZURKA_HERE;
  OpenPipe* const entry = find_pipe(stream);
  if (stream == nullptr || entry == nullptr) {
    errno = ECHILD;
    return -1;
  }
  const pid_t child = entry->child;
  *entry = {};
  fclose(stream);
  const Effect effect =
      reach({.kind = OpKind::WaitChild, .target = thread_of_virtual_pid(child)}, call);
  if (effect.error == 0) return static_cast<int>(effect.value);
  errno = effect.error;
  return -1;
}

MAZURKA_EXPORT int daemon(int keep_directory, int keep_streams) {
  if (!attached()) return REAL(daemon)(keep_directory, keep_streams);
  const Call call = MAZURKA_HERE;
  name_unmodelled("daemon", call);
  const pid_t child = fork();
  if (child < 0) return -1;
  if (child > 0) end_process(0, call);
  setsid();
  if (keep_directory == 0) program_syscall(SYS_chdir, address_of("/"));
  if (keep_streams == 0) {
    const long null = program_syscall(SYS_openat, AT_FDCWD, address_of("/dev/null"), O_RDWR);
    for (int fd = 0; fd <= 2 && !raw_failed(null); ++fd) dup2(static_cast<int>(null), fd);
    if (null > 2) close(static_cast<int>(null));
  }
  return 0;
}
