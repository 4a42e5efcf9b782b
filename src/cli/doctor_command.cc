// `mazurka doctor`: what works on this machine, what will be slow or impossible, and what helps.
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/ioctl.h>
#include <linux/userfaultfd.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/processors.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/target.h"
#include "cli/terminal.h"

namespace mazurka {
namespace {

enum class State { Good, Slow, Missing, Broken };

struct Diagnosis {
  std::string what;
  State state = State::Good;
  std::string finding;  // a sentence
  std::string cure;     // what helps; empty if nothing is to be done
};

// --- the checks

Diagnosis check_kernel() {
  utsname name = {};
  uname(&name);
  const bool known = std::string(name.machine) == "x86_64";
  const std::string text = fmt::format("Linux {} on {}", name.release, name.machine);
  if (known) return {"kernel", State::Good, text, ""};
  return {"kernel", State::Broken, text + ": the runtime knows x86_64 only", ""};
}

Diagnosis check_processors() {
  const size_t count = processor_count();
  return {"processors", State::Good, fmt::format("{}: so many workers at most (--jobs)", count),
          ""};
}

Diagnosis check_pinning() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0 && sched_setaffinity(0, sizeof set, &set) == 0) {
    return {"pinning", State::Good, "the tool and the program share a processor", ""};
  }
  return {"pinning", State::Slow,
          "processes cannot be kept on one processor: each hand-over costs ten times as much",
          "allow sched_setaffinity (a container's seccomp profile forbids it)"};
}

// In a child: it would stay on.
bool has_syscall_user_dispatch() {
  const pid_t child = fork();
  if (child == 0) {
    char selector = 0;
    constexpr int kSetSyscallUserDispatch = 59;
    _exit(prctl(kSetSyscallUserDispatch, 1, 0, ~0UL >> 1, &selector) == 0 ? 0 : 1);
  }
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

Diagnosis check_dispatch() {
  if (has_syscall_user_dispatch()) {
    return {"system calls", State::Good, "calls that a reset cannot undo are noticed", ""};
  }
  return {"system calls", State::Slow,
          "no Syscall User Dispatch: each execution is a new process, about 20 times slower",
          "Linux 5.11 or newer, and a seccomp profile that allows it"};
}

bool can_watch_pages() {
  constexpr int kUserModeOnly = 1;
  constexpr uint64_t kWpUnpopulated = 1 << 13, kWpAsync = 1 << 15;
  const int fd = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | kUserModeOnly));
  if (fd < 0) return false;
  uffdio_api api = {};
  api.api = UFFD_API;
  api.features = kWpUnpopulated | kWpAsync;
  const bool good = ioctl(fd, UFFDIO_API, &api) == 0;
  close(fd);
  return good;
}

Diagnosis check_pages() {
  if (can_watch_pages()) {
    return {"written pages", State::Good, "programs of up to 1 GB are reset in place", ""};
  }
  return {
      "written pages", State::Slow,
      "the kernel cannot tell which pages were written: a reset in place copies all, up to 8 MB",
      "Linux 6.7 or newer with userfaultfd (vm.unprivileged_userfaultfd=1, or a seccomp profile "
      "that allows it)"};
}

bool is_in_path(const std::string& name) {
  const char* path = getenv("PATH");
  std::string rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const size_t end = rest.find(':');
    if (access((rest.substr(0, end) + "/" + name).c_str(), X_OK) == 0) return true;
    rest = end == std::string::npos ? "" : rest.substr(end + 1);
  }
  return false;
}

Diagnosis check_debugger() {
  if (!is_in_path("gdb")) {
    return {"debugger", State::Missing, "there is no gdb, so no 'mazurka replay --gdb'",
            "install gdb"};
  }
  std::ifstream file("/proc/sys/kernel/yama/ptrace_scope");
  int scope = 0;
  if (file >> scope && scope > 1 && geteuid() != 0) {
    return {"debugger", State::Missing, "ptrace is forbidden, so no 'mazurka replay --gdb'",
            "sysctl kernel.yama.ptrace_scope=1"};
  }
  return {"debugger", State::Good, "gdb is here, for 'mazurka replay --gdb'", ""};
}

Diagnosis check_memory() {
  const int fd = memfd_create("mazurka-doctor", MFD_CLOEXEC);
  if (fd >= 0) close(fd);
  if (fd >= 0) return {"shared memory", State::Good, "memfd works", ""};
  return {"shared memory", State::Broken,
          "memfd_create fails, and the program is told its plans by it",
          "Linux 3.17 or newer, and a seccomp profile that allows it"};
}

// The proof: this command itself, run once under the runtime, as `check` would.
Diagnosis check_running(Reset reset, const char* what) {
  Invocation command;
  std::error_code error;
  command.argv = {std::filesystem::read_symlink("/proc/self/exe", error).string(), "--version"};
  command.reset = reset;
  command.only_this_reset = reset == Reset::InPlace;
  const State state = reset == Reset::Fork ? State::Broken : State::Slow;
  const Result<ProgramFile> file = inspect(command);
  if (!file) return {what, state, file.error().message, ""};
  const Result<std::unique_ptr<Target>> target = launch(command, *file);
  if (!target) return {what, state, target.error().message, ""};
  Execution execution;
  for (int i = 0; i < 2; ++i) {
    const Result<void> ran = (*target)->program().run({}, execution);
    if (!ran) return {what, state, ran.error().message, ""};
    if (execution.end != End::Finished) {
      const std::string why =
          execution.text.empty() ? "a program did not end well" : execution.text;
      return {what, state, why, ""};
    }
  }
  return {what, State::Good, "a program was run twice, and ended well", ""};
}

// --- the report

const char* word_of(State state) {
  switch (state) {
    case State::Good:
      return "good";
    case State::Slow:
      return "slow";
    case State::Missing:
      return "missing";
    case State::Broken:
      return "broken";
  }
  return "";
}

Colour colour_of(State state) {
  if (state == State::Good) return Colour::Green;
  return state == State::Broken ? Colour::Red : Colour::Yellow;
}

void print(const Diagnosis& diagnosis, const TextStyle& style) {
  const std::string word = word_of(diagnosis.state);
  fmt::print("{}{} {}: {}\n", coloured(word, colour_of(diagnosis.state), style),
             std::string(8 - word.size(), ' '), diagnosis.what, diagnosis.finding);
  if (!diagnosis.cure.empty()) fmt::print("         what helps: {}\n", diagnosis.cure);
}

}  // namespace

ExitCode doctor_command(const std::vector<std::string>& arguments) {
  ExitCode exit_code = ExitCode::Ok;
  const auto app = make_app("Looks at what works on this machine, what is slow, and what helps.",
                            "mazurka doctor");
  if (!parse(*app, arguments, exit_code)) return exit_code;
  const TextStyle style = terminal_style();
  bool is_broken = false;
  for (const Diagnosis& diagnosis :
       {check_kernel(), check_processors(), check_pinning(), check_memory(), check_dispatch(),
        check_pages(), check_debugger(), check_running(Reset::Fork, "fork server"),
        check_running(Reset::InPlace, "reset in place")}) {
    print(diagnosis, style);
    is_broken = is_broken || diagnosis.state == State::Broken;
  }
  fmt::print("\n{}\n", is_broken ? "mazurka check cannot run here" : "mazurka check can run here");
  return is_broken ? ExitCode::Trouble : ExitCode::Ok;
}

}  // namespace mazurka
