// The exec family. The new image goes on as the same process and thread, with our runtime in it:
// the environment carries it (exec_environment.h). What execve would refuse is refused before
// anything is given up for it.
#include "runtime/processes/exec_calls.h"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "runtime/accesses/seen_memory.h"
#include "runtime/channels/descriptors.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/files/file_syscalls.h"
#include "runtime/libc/seen_calls.h"
#include "runtime/processes/exec_environment.h"
#include "runtime/processes/exec_image.h"
#include "runtime/processes/exec_outside.h"
#include "runtime/processes/process.h"
#include "runtime/processes/shared_memory.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/signals/signal_actions.h"
#include "runtime/time/time_stamps.h"

namespace mazurka {
namespace {

constexpr char kShell[] = "/bin/sh";
constexpr char kDefaultPath[] = "/bin:/usr/bin";
constexpr long kFirstProgramFd = 300;

// The kernel runs no file that somebody may write: a private one is copied once more.
long runnable_copy(uint32_t file) {
  const long from = open_private(file, O_RDONLY | O_CLOEXEC);
  const long made = program_syscall(SYS_memfd_create, address_of("mazurka-program"), 0);
  if (raw_failed(from) || raw_failed(made)) return -ENOMEM;
  while (program_syscall(SYS_sendfile, made, from, 0, 1L << 30) > 0) {
  }
  char path[48];
  snprintf(path, sizeof path, "/proc/self/fd/%ld", made);
  program_syscall(SYS_fchmod, made, 0700);
  // A script is opened by its number, so that must stay open.
  const long again = program_syscall(SYS_openat, AT_FDCWD, address_of(path), O_RDONLY);
  const long high =
      raw_failed(again) ? again : program_syscall(SYS_fcntl, again, F_DUPFD, kFirstProgramFd);
  if (!raw_failed(high)) name_file(high, private_file(file).inode);
  for (const long fd : {from, made, again}) program_syscall(SYS_close, fd);
  return high;
}

struct FileToRun {
  int fd;
  const char* path;
  int flags;
  long own = -1;  // to be closed

  ~FileToRun() {
    if (own >= 0) program_syscall(SYS_close, own);
  }
};

// Where the kernel finds it, if files are private. Returns an errno value.
int find_to_run(FileToRun& to, Call call) {
  static char real[PATH_MAX];
  if (!uses_private_files()) return 0;
  const bool itself = *to.path == '\0';
  const long found =
      itself ? long{open_file_at(to.fd).file} : file_to_run(to.fd, to.path, real, call);
  if (raw_failed(found)) return static_cast<int>(-found);
  if (found > 0) {
    to.own = runnable_copy(static_cast<uint32_t>(found));
    if (raw_failed(to.own)) return ENOMEM;
    to.fd = static_cast<int>(to.own);
    to.path = "";
    to.flags |= AT_EMPTY_PATH;
  } else if (!itself && real[0] != '\0') {
    to.fd = AT_FDCWD;
    to.path = real;
  }
  return 0;
}

// execveat(2) with our runtime in the new image. Returns an errno value.
int exec_at(int wanted_fd, const char* wanted_path, char* const* arguments,
            char* const* environment, int wanted_flags, Call call) {
  FileToRun file{wanted_fd, wanted_path, wanted_flags};
  if (const int error = find_to_run(file, call); error != 0) return error;
  const int fd = file.fd;
  const char* const path = file.path;
  const int flags = file.flags;
  const ImageCheck found = check_image(fd, path);
  if (found.error != 0) return found.error;
  if (found.image != Image::Dynamic) {
    each_descriptor([&](const DescriptorRecord& record) {
      if (!record.closes_on_exec)
        give_up_model(record.description,
                      "a pipe or socket of a program that our runtime cannot be in", call);
    });
    return exec_outside(fd, path, arguments, environment, flags, call);
  }
  const ExecEnvironment carried(environment);
  if (carried.variables() == nullptr) return ENOMEM;
  // The other threads may still move before it happens, so it is an operation where there are any.
  // So it is where it changes what becomes of signals.
  const bool is_operation = has_unseen_threads(world(), current_thread()) || handles_signals();
  if (is_operation) reach({.kind = OpKind::Exec}, call);
  close_on_exec(call);
  prepare_exec();
  release_time_stamps();
  const long result = program_syscall(SYS_execveat, fd, address_of(path), address_of(arguments),
                                      address_of(carried.variables()), flags);
  if (is_operation)
    runtime_error(
        "an exec failed when the other threads or the signal handlers of its process were gone");
  exec_failed();
  trap_time_stamps();
  return static_cast<int>(-result);
}

// The shell takes what execve does not know: scripts without #!.
int exec_by_shell(const char* path, char* const* arguments, char* const* environment, Call call) {
  size_t count = 0;
  while (arguments[count] != nullptr) ++count;
  if (count > 4096) return E2BIG;
  auto** with_shell = static_cast<char**>(__builtin_alloca((count + 3) * sizeof(char*)));
  with_shell[0] = const_cast<char*>(kShell);
  with_shell[1] = const_cast<char*>(path);
  for (size_t i = 1; i <= count; ++i) with_shell[i + 1] = arguments[i];
  if (count == 0) with_shell[2] = nullptr;
  return exec_program(kShell, with_shell, environment, call);
}

// Whether execvp tries the next directory of PATH after this error.
bool goes_on_after(int error) {
  return error == EACCES || error == ENOENT || error == ESTALE || error == ENOTDIR ||
         error == ENODEV || error == ETIMEDOUT;
}

// Calls try_path(path) for each path that execvp would try; returns its last error, where it does
// not go on after it.
template <typename F>
int along_path(const char* file, F&& try_path) {
  if (*file == '\0') return ENOENT;
  if (strchr(file, '/') != nullptr) return try_path(file);
  const size_t file_length = strlen(file);
  if (file_length > NAME_MAX) return ENAMETOOLONG;
  const char* directory = getenv("PATH");
  if (directory == nullptr) directory = kDefaultPath;
  bool refused = false;
  for (;;) {
    const size_t length = strcspn(directory, ":");
    char path[PATH_MAX + NAME_MAX + 2];
    if (length < PATH_MAX) {
      memcpy(path, directory, length);
      if (length != 0) path[length] = '/';
      memcpy(path + length + (length != 0), file, file_length + 1);
      const int error = try_path(path);
      if (!goes_on_after(error)) return error;
      refused = refused || error == EACCES;
    }
    if (directory[length] == '\0') return refused ? EACCES : ENOENT;
    directory += length + 1;
  }
}

int set_errno(int error) {
  errno = error;
  return -1;
}

// The arguments of execl and the like, up to and with the null pointer that ends them.
struct ArgumentCount {
  size_t count = 1;
  ArgumentCount(const char* first, va_list list) {
    while (first != nullptr && va_arg(list, char*) != nullptr) ++count;
  }
};

char** collect(char** to, const char* first, va_list list) {
  to[0] = const_cast<char*>(first);
  for (size_t i = 0; to[i] != nullptr;) to[++i] = va_arg(list, char*);
  return to;
}

// What execl and its like read: their callers have no rows for that (libc/path_rows.inc), because
// nobody could pass their arguments on.
void reads_words(const char* path, char* const* words, void* caller) {
  if (!state.scheduling || !memory_is_seen()) return;
  const SeenAccesses at("execl", caller);
  at.path(path);
  for (; *words != nullptr; ++words) at.text(*words);
}

}  // namespace

int exec_program(const char* path, char* const* arguments, char* const* environment, Call call) {
  if (*path == '\0') return ENOENT;  // to execveat it would mean the directory itself
  return exec_at(AT_FDCWD, path, arguments, environment, 0, call);
}

int exec_along_path(const char* file, char* const* arguments, char* const* environment, Call call) {
  return along_path(file, [&](const char* path) {
    const int error = exec_program(path, arguments, environment, call);
    return error == ENOEXEC ? exec_by_shell(path, arguments, environment, call) : error;
  });
}

int exec_would_fail(const char* file, bool search) {
  const auto check = [](const char* path) {
    return *path == '\0' ? ENOENT : check_image(AT_FDCWD, path).error;
  };
  return search ? along_path(file, check) : check(file);
}

}  // namespace mazurka

using namespace mazurka;

// Collects the variable arguments after `first` in `arguments`; on the stack, because exec must not
// need the heap.
// NOLINTBEGIN(bugprone-macro-parentheses): it declares variables
#define MAZURKA_COLLECT(arguments, list, first)                 \
  va_list list;                                                 \
  va_start(list, first);                                        \
  const size_t list##_count = ArgumentCount(first, list).count; \
  va_end(list);                                                 \
  va_start(list, first);                                        \
  char** arguments = collect(                                   \
      static_cast<char**>(__builtin_alloca((list##_count + 1) * sizeof(char*))), first, list)
// NOLINTEND(bugprone-macro-parentheses)

MAZURKA_EXPORT int execve(const char* path, char* const* arguments, char* const* environment) {
  if (!attached()) return REAL(execve)(path, arguments, environment);
  return set_errno(exec_program(path, arguments, environment, MAZURKA_HERE));
}

MAZURKA_EXPORT int execv(const char* path, char* const* arguments) {
  if (!attached()) return REAL(execv)(path, arguments);
  return set_errno(exec_program(path, arguments, environ, MAZURKA_HERE));
}

MAZURKA_EXPORT int execvp(const char* file, char* const* arguments) {
  if (!attached()) return REAL(execvp)(file, arguments);
  return set_errno(exec_along_path(file, arguments, environ, MAZURKA_HERE));
}

MAZURKA_EXPORT int execvpe(const char* file, char* const* arguments, char* const* environment) {
  if (!attached()) return REAL(execvpe)(file, arguments, environment);
  return set_errno(exec_along_path(file, arguments, environment, MAZURKA_HERE));
}

MAZURKA_EXPORT int execl(const char* path, const char* first, ...) {
  MAZURKA_COLLECT(arguments, list, first);
  va_end(list);
  if (!attached()) return REAL(execv)(path, arguments);
  reads_words(path, arguments, __builtin_return_address(0));
  return set_errno(exec_program(path, arguments, environ, MAZURKA_HERE));
}

MAZURKA_EXPORT int execlp(const char* file, const char* first, ...) {
  MAZURKA_COLLECT(arguments, list, first);
  va_end(list);
  if (!attached()) return REAL(execvp)(file, arguments);
  reads_words(file, arguments, __builtin_return_address(0));
  return set_errno(exec_along_path(file, arguments, environ, MAZURKA_HERE));
}

MAZURKA_EXPORT int execle(const char* path, const char* first, ...) {
  MAZURKA_COLLECT(arguments, list, first);
  char* const* environment = va_arg(list, char* const*);
  va_end(list);
  if (!attached()) return REAL(execve)(path, arguments, environment);
  reads_words(path, arguments, __builtin_return_address(0));
  return set_errno(exec_program(path, arguments, environment, MAZURKA_HERE));
}

MAZURKA_EXPORT int execveat(int fd, const char* path, char* const* arguments,
                            char* const* environment, int flags) {
  if (!attached()) return REAL(execveat)(fd, path, arguments, environment, flags);
  if (*path == '\0' && (flags & AT_EMPTY_PATH) == 0) return set_errno(ENOENT);
  return set_errno(exec_at(fd, path, arguments, environment, flags, MAZURKA_HERE));
}

MAZURKA_EXPORT int fexecve(int fd, char* const* arguments, char* const* environment) {
  if (!attached()) return REAL(fexecve)(fd, arguments, environment);
  if (fd < 0) return set_errno(EINVAL);
  return set_errno(exec_at(fd, "", arguments, environment, AT_EMPTY_PATH, MAZURKA_HERE));
}
