#include "program/debugger.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include "program/module_scans.h"

namespace mazurka {
namespace {

// What carries the runtime is set for the program alone, not for gdb.
std::vector<std::string> commands(const LaunchOptions& options, const SharedSegment& segment) {
  std::vector<std::string> all = {
      "set startup-with-shell off",  // a shell would carry the runtime, too
      "set disable-randomization on",
      "set breakpoint pending on",
      "set detach-on-fork off",
      "set schedule-multiple on",
      "set print thread-events off",
      "set print inferior-events off",
      "handle SIG" + std::to_string(kInterruptSignal) + " nostop noprint pass",
      "handle SIGKILL nostop noprint pass",
      "handle SIGSYS nostop noprint pass",  // system calls that the runtime watches
      "set confirm off",
      "handle SIGILL nostop noprint pass",  // instructions that the runtime has replaced
      "break mazurka_finding_is_here",
  };
  for (const std::string& variable : environment_for(options, segment.path())) {
    const size_t equals = variable.find('=');
    const std::string name = variable.substr(0, equals);
    if (name == "LD_PRELOAD" || name == "GLIBC_TUNABLES" || name == "LD_BIND_NOW" ||
        name == "GOMP_SPINCOUNT" || name.rfind("MAZURKA_", 0) == 0) {
      all.push_back("set environment " + name + " " + variable.substr(equals + 1));
    }
  }
  all.push_back("run");
  // From our breakpoint up to the program's own code.
  all.push_back(
      "echo \\nThis is where the finding is. `info threads`, `thread apply all backtrace` and `up` "
      "show it.\\n");
  return all;
}

std::vector<std::string> command_line(const LaunchOptions& options, const SharedSegment& segment,
                                      const std::vector<std::string>& arguments) {
  std::vector<std::string> line = {"gdb", "-q"};
  for (const std::string& command : commands(options, segment)) {
    line.push_back("-ex");
    line.push_back(command);
  }
  line.insert(line.end(), arguments.begin(), arguments.end());
  line.push_back("--args");
  line.push_back(options.program_path);
  line.insert(line.end(), options.argv.begin() + 1, options.argv.end());
  return line;
}

}  // namespace

Result<void> run_debugger(const LaunchOptions& options, SharedSegment& segment,
                          const std::vector<std::string>& arguments) {
  prepare_control(options, segment);
  segment->control.carrier = static_cast<uint8_t>(Carrier::KernelThreads);
  segment->control.direct = 1;
  const std::vector<std::string> line = command_line(options, segment, arguments);
  std::vector<char*> argv;
  argv.reserve(line.size() + 1);
  for (const std::string& word : line) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return Error{std::string("cannot start gdb: ") + std::strerror(errno)};
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) execvp("gdb", argv.data());
    _exit(127);
  }
  // Interrupts are for gdb while it runs.
  void (*const before)(int) = signal(SIGINT, SIG_IGN);
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == pid || (ended < 0 && errno != EINTR)) break;
    const timespec little{0, 1'000'000};
    nanosleep(&little, nullptr);
    answer_scan(*segment);
  }
  signal(SIGINT, before);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return Error{"gdb is not installed: apt-get install gdb"};
  return {};
}

}  // namespace mazurka
