// Runs a command whose system calls fail where we say so: a test tool for faults_test.py.
//
//   fail_call --call=mmap[,mremap] --error=ENOMEM [--nth=N | --from=N] [--in=tool|program]
//             [--path=PART] --report=FILE COMMAND...
//
// The kernel asks us about each of these calls of the command and of all that it starts (seccomp's
// user notification), also about those that Mazurka's runtime makes past libc. The N-th fails, or
// all from the N-th on; without N none does. The report is the number of calls that were met. Calls
// of the dynamic linker do not count, nor do futex calls but those that wait.
//   --in=tool     only those of COMMAND's own image; program: only those of other images
//   --path=PART   only those whose descriptor or path (openat, rename) has this in its name
//
// Ends as the command does (128 + N for a signal), or with 98 if processes of it are left, with 99
// if this tool fails.
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int kLeftProcesses = 98;
constexpr int kOurTrouble = 99;
constexpr int kPatienceMs = 5000;

struct Name {
  const char* name;
  long number;
};

constexpr Name kCalls[] = {
    {"mmap", SYS_mmap},
    {"mremap", SYS_mremap},
    {"munmap", SYS_munmap},
    {"mprotect", SYS_mprotect},
    {"brk", SYS_brk},
    {"memfd_create", SYS_memfd_create},
    {"ftruncate", SYS_ftruncate},
    {"fork", SYS_fork},
    {"vfork", SYS_vfork},
    {"clone", SYS_clone},
    {"clone3", SYS_clone3},
    {"execve", SYS_execve},
    {"futex", SYS_futex},
    {"userfaultfd", SYS_userfaultfd},
    {"ioctl", SYS_ioctl},
    {"pipe2", SYS_pipe2},
    {"openat", SYS_openat},
    {"write", SYS_write},
    {"writev", SYS_writev},
    {"fsync", SYS_fsync},
    {"close", SYS_close},
    {"rename", SYS_rename},
    {"prctl", SYS_prctl},
    {"fcntl", SYS_fcntl},
    {"read", SYS_read},
    {"pread64", SYS_pread64},
    {"mkdir", SYS_mkdir},
    {"socket", SYS_socket},
    {"bind", SYS_bind},
    {"listen", SYS_listen},
    {"wait4", SYS_wait4},
    {"sched_setaffinity", SYS_sched_setaffinity},
    {"lseek", SYS_lseek},
    {"dup3", SYS_dup3},
    {"rt_sigaction", SYS_rt_sigaction},
    {"sigaltstack", SYS_sigaltstack},
    {"personality", SYS_personality},
    {"getrusage", SYS_getrusage},
};

constexpr Name kErrors[] = {{"ENOMEM", ENOMEM},        {"EAGAIN", EAGAIN}, {"EMFILE", EMFILE},
                            {"ENFILE", ENFILE},        {"ENOSPC", ENOSPC}, {"EPERM", EPERM},
                            {"ENOSYS", ENOSYS},        {"EIO", EIO},       {"EACCES", EACCES},
                            {"EINVAL", EINVAL},        {"EINTR", EINTR},   {"EDQUOT", EDQUOT},
                            {"EADDRINUSE", EADDRINUSE}};

enum class Scope { All, Tool, Program };

struct Options {
  std::vector<long> calls;
  int error = 0;
  uint64_t first = 0;  // 0: none fails
  bool fails_on = false;
  Scope scope = Scope::All;
  std::string path;
  std::string report;
  char** command = nullptr;
};

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "fail_call: %s: %s\n", why.c_str(), std::strerror(errno));
  std::exit(kOurTrouble);
}

template <size_t N>
long number_of(const Name (&names)[N], const std::string& name) {
  for (const Name& known : names) {
    if (name == known.name) return known.number;
  }
  errno = EINVAL;
  give_up(name);
}

Options read_options(char** argv) {
  Options options;
  for (++argv; *argv != nullptr && std::strncmp(*argv, "--", 2) == 0; ++argv) {
    const std::string argument = *argv;
    const size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (name == "--call") {
      std::istringstream names(value);
      for (std::string call; std::getline(names, call, ',');) {
        options.calls.push_back(number_of(kCalls, call));
      }
    } else if (name == "--error") {
      options.error = static_cast<int>(number_of(kErrors, value));
    } else if (name == "--nth" || name == "--from") {
      options.first = std::strtoull(value.c_str(), nullptr, 10);
      options.fails_on = name == "--from";
    } else if (name == "--in") {
      options.scope = value == "tool" ? Scope::Tool : Scope::Program;
    } else if (name == "--path") {
      options.path = value;
    } else if (name == "--report") {
      options.report = value;
    } else {
      errno = EINVAL;
      give_up(argument);
    }
  }
  options.command = argv;
  if (options.calls.empty() || options.report.empty() || *argv == nullptr) {
    errno = EINVAL;
    give_up("--call, --report and a command are needed");
  }
  return options;
}

// --- the command

std::vector<sock_filter> filter_of(const std::vector<long>& calls) {
  std::vector<sock_filter> code = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
  };
  for (const long call : calls) {
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1));
    code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF));
  }
  code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  return code;
}

// What the child tells its parent before it becomes the command.
struct Handover {
  int listener;
  int done;
};

[[noreturn]] void become_command(const Options& options, Handover& handover) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  std::vector<sock_filter> code = filter_of(options.calls);
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  const long listener =
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  handover.listener = listener < 0 ? -errno : static_cast<int>(listener);
  __atomic_store_n(&handover.done, 1, __ATOMIC_RELEASE);
  if (listener < 0) _exit(kOurTrouble);
  execvp(options.command[0], options.command);
  _exit(127);
}

// The child shares our descriptors until it executes the command: so its listener is ours.
pid_t start(const Options& options, int& listener) {
  auto* handover = static_cast<Handover*>(
      mmap(nullptr, sizeof(Handover), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (handover == MAP_FAILED) give_up("mmap");
  const auto child = static_cast<pid_t>(syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0));
  if (child < 0) give_up("clone");
  if (child == 0) become_command(options, *handover);
  while (__atomic_load_n(&handover->done, __ATOMIC_ACQUIRE) == 0) usleep(100);
  listener = handover->listener;
  if (listener < 0) {
    errno = -listener;
    give_up("seccomp");
  }
  return child;
}

// --- which calls count

std::string link_at(const std::string& path) {
  char text[4096];
  const ssize_t length = readlink(path.c_str(), text, sizeof text);
  return length < 0 ? "" : std::string(text, static_cast<size_t>(length));
}

std::string of_process(uint32_t pid, const std::string& what) {
  return "/proc/" + std::to_string(pid) + "/" + what;
}

bool is_of_dynamic_linker(const seccomp_notif& call) {
  std::ifstream maps(of_process(call.pid, "maps"));
  for (std::string line; std::getline(maps, line);) {
    uint64_t begin = 0;
    uint64_t end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx", &begin, &end) != 2) continue;
    if (call.data.instruction_pointer < begin || call.data.instruction_pointer >= end) continue;
    return line.find("/ld-linux") != std::string::npos || line.find("/ld-2") != std::string::npos;
  }
  return false;
}

std::string text_at(uint32_t pid, uint64_t address) {
  char text[4096] = {};
  const int memory = open(of_process(pid, "mem").c_str(), O_RDONLY | O_CLOEXEC);
  if (memory < 0) return "";
  const ssize_t length = pread(memory, text, sizeof text - 1, static_cast<off_t>(address));
  close(memory);
  return length <= 0 ? "" : std::string(text);
}

std::string path_of(const seccomp_notif& call) {
  switch (call.data.nr) {
    case SYS_openat:
      return text_at(call.pid, call.data.args[1]);
    case SYS_rename:
    case SYS_mkdir:
    case SYS_execve:
      return text_at(call.pid, call.data.args[0]);
    default:
      return link_at(of_process(call.pid, "fd/" + std::to_string(call.data.args[0])));
  }
}

// Waking nobody is no failure that a kernel knows, and who waits would do so for ever.
bool waits(const seccomp_notif& call) {
  const auto operation = static_cast<int>(call.data.args[1]) & FUTEX_CMD_MASK;
  return operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET;
}

bool counts(const Options& options, const std::string& tool, const seccomp_notif& call) {
  const std::string image = link_at(of_process(call.pid, "exe"));
  static const std::string own = link_at("/proc/self/exe");
  if (image == own) return false;
  if (options.scope == Scope::Tool && image != tool) return false;
  if (options.scope == Scope::Program && image == tool) return false;
  if (!options.path.empty() && path_of(call).find(options.path) == std::string::npos) return false;
  if (call.data.nr == SYS_futex && !waits(call)) return false;
  return !is_of_dynamic_linker(call);
}

// --- answers

class Judge {
 public:
  Judge(const Options& options, int listener)
      : options_(options), tool_(real_path(options.command[0])), listener_(listener) {}

  // A caller that was killed meanwhile needs no answer.
  void answer_one() {
    seccomp_notif call{};
    if (ioctl(listener_, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) return;
    seccomp_notif_resp answer{};
    answer.id = call.id;
    if (counts(options_, tool_, call) && fails()) {
      // brk has no errors: it returns where the memory ends, and less than was asked is a failure.
      if (call.data.nr != SYS_brk) answer.error = -options_.error;
    } else {
      answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    }
    ioctl(listener_, SECCOMP_IOCTL_NOTIF_SEND, &answer);
  }

  uint64_t met() const { return met_; }

 private:
  static std::string real_path(const char* path) {
    char* found = realpath(path, nullptr);
    if (found == nullptr) give_up(path);
    std::string text = found;
    std::free(found);
    return text;
  }

  bool fails() {
    ++met_;
    if (options_.first == 0) return false;
    return options_.fails_on ? met_ >= options_.first : met_ == options_.first;
  }

  const Options& options_;
  std::string tool_;
  int listener_;
  uint64_t met_ = 0;
};

// Until nobody is left who could ask. False: somebody is, long after the command has ended.
bool answer_all(Judge& judge, int listener, pid_t child, int& status) {
  bool ended = false;
  for (int waited = 0; waited < kPatienceMs;) {
    pollfd asked{listener, POLLIN, 0};
    const int found = poll(&asked, 1, 20);
    if (!ended && waitpid(child, &status, WNOHANG) == child) ended = true;
    if (found > 0 && (asked.revents & POLLIN) != 0) {
      judge.answer_one();
    } else if (found > 0 && ended) {
      return true;
    } else if (ended) {
      waited += 20;
    }
  }
  return false;
}

}  // namespace

int main(int, char** argv) {
  const Options options = read_options(argv);
  int listener = -1;
  const pid_t child = start(options, listener);
  Judge judge(options, listener);
  int status = 0;
  const bool all_gone = answer_all(judge, listener, child, status);
  std::ofstream(options.report) << judge.met() << '\n';
  if (!all_gone) return kLeftProcesses;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
