#include "program/launcher.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/clock.h"
#include "base/faulting_time_stamps.h"
#include "base/processors.h"
#include "program/module_scans.h"
#include "program/segment_reader.h"

extern char** environ;

namespace mazurka {
namespace {

// How long a program may take to come to its own code.
constexpr std::chrono::seconds kPatience{60};
constexpr uint32_t kCpusTold = 2;
constexpr int kHighestInherited = 1024;

bool starts_with(const std::string& text, const std::string& beginning) {
  return text.compare(0, beginning.size(), beginning) == 0;
}

// The user's value moves to a variable of ours; the runtime puts it back before the program sees
// it.
void add_variable(std::vector<std::string>& all, const std::string& name, const std::string& value,
                  char separator) {
  const char* user = std::getenv(name.c_str());
  std::string joined = value;
  if (user != nullptr) {
    all.push_back("MAZURKA_USER_" + name + "=" + user);
    if (*user != '\0') joined += separator + std::string(user);
  }
  all.push_back(name + "=" + joined);
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (const std::string& s : strings) result.push_back(const_cast<char*>(s.c_str()));
  result.push_back(nullptr);
  return result;
}

// The descriptors that the tool got from whoever started it: the program gets these, and no others.
// One that the tool opens later (a connection of the simulator's page) must not move the numbers of
// the program's own.
const std::vector<int>& inherited_descriptors() {
  static const std::vector<int> all = [] {
    std::vector<int> found;
    for (int fd = STDERR_FILENO + 1; fd < kHighestInherited; ++fd) {
      const int flags = fcntl(fd, F_GETFD);
      if (flags >= 0 && (flags & FD_CLOEXEC) == 0) found.push_back(fd);
    }
    return found;
  }();
  return all;
}

// In a forked child: system calls only.
void leave_behind_all_but(const std::vector<int>& descriptors) {
  unsigned next = STDERR_FILENO + 1;
  for (const int fd : descriptors) {
    const auto kept = static_cast<unsigned>(fd);
    if (kept > next) syscall(SYS_close_range, next, kept - 1, CLOSE_RANGE_CLOEXEC);
    next = kept + 1;
  }
  syscall(SYS_close_range, next, ~0u, CLOSE_RANGE_CLOEXEC);
}

struct Child {
  const char* path;
  char** argv;
  char** environment;
  pid_t parent;
  int messages;  // descriptor for what it says before it is under control
  const std::vector<int>* inherited;
};

[[noreturn]] void become_program(const Child& child) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != child.parent) _exit(127);
  personality(ADDR_NO_RANDOMIZE);
  const int refused = allow_time_stamps() ? 0 : errno;  // where there are none, it needs none
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null, STDIN_FILENO);
  dup2(child.messages, STDOUT_FILENO);
  dup2(child.messages, STDERR_FILENO);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) ::signal(signal, SIG_DFL);
  leave_behind_all_but(*child.inherited);
  setpgid(0, 0);  // the terminal's interrupt is for the tool
  if (refused != 0 && refused != EINVAL) {
    dprintf(STDERR_FILENO, "it cannot be let read time stamps: %s\n", std::strerror(refused));
    _exit(127);
  }
  execve(child.path, child.argv, child.environment);
  dprintf(STDERR_FILENO, "cannot execute it: %s\n", std::strerror(errno));
  _exit(127);
}

std::string read_all(int fd) {
  std::string text(1000, '\0');
  const ssize_t length = pread(fd, text.data(), text.size(), 0);
  text.resize(length > 0 ? static_cast<size_t>(length) : 0);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string describe_end(int status) {
  if (WIFSIGNALED(status)) return "was killed by signal " + std::to_string(WTERMSIG(status));
  return "exited with status " + std::to_string(WEXITSTATUS(status));
}

// What the runtime could not do is written in the segment, if it could map that.
std::string why_not_ready(const LaunchOptions& options, const Segment& segment, int status,
                          int messages) {
  if (is_intact(segment) && segment.log.ending == Ending::RuntimeError)
    return "cannot start " + options.program_path + ": " + segment_text(segment, segment.log.text);
  const std::string said = read_all(messages);
  return options.program_path + " " + describe_end(status) + " before its main function" +
         (said.empty() ? "" : ": " + said);
}

void futex_wait(const uint32_t& word, uint32_t value, std::chrono::milliseconds timeout) {
  const timespec time{timeout.count() / 1000, (timeout.count() % 1000) * 1'000'000};
  syscall(SYS_futex, &word, FUTEX_WAIT, value, &time, nullptr, 0);
}

// Where the runtime has not taken control, what the program has forked is nobody's: all of it goes,
// the process itself and the group that it leads.
void end_all(pid_t pid) {
  kill(-pid, SIGKILL);
  kill(pid, SIGKILL);
}

Result<void> await_ready(const LaunchOptions& options, Segment& segment, pid_t pid, int messages,
                         const Stop* stop) {
  const auto give_up = Clock::now() + kPatience;
  while (__atomic_load_n(&segment.control.ready, __ATOMIC_ACQUIRE) == 0) {
    siginfo_t ended{};
    waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOHANG | WNOWAIT);
    const bool is_stopped = stop != nullptr && stop->is_overdue();
    if (ended.si_pid == pid || is_stopped || Clock::now() > give_up) {
      end_all(pid);
      int status = 0;
      waitpid(pid, &status, 0);
      if (ended.si_pid == pid) return Error{why_not_ready(options, segment, status, messages)};
      return Error{options.program_path + " did not reach its main function " +
                   (is_stopped ? "before the search had to stop" : "within 60 seconds")};
    }
    futex_wait(segment.control.ready, 0, std::chrono::milliseconds(20));
    answer_scan(segment);
  }
  return {};
}

}  // namespace

std::vector<std::string> environment_for(const LaunchOptions& options,
                                         const std::string& segment_path) {
  const std::string& runtime_path = options.runtime_path;
  std::vector<std::string> all;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    if (starts_with(text, "LD_PRELOAD=") || starts_with(text, "GLIBC_TUNABLES=") ||
        starts_with(text, "LD_BIND_NOW=") || starts_with(text, "LD_LIBRARY_PATH=") ||
        starts_with(text, "MAZURKA_")) {
      continue;
    }
    all.push_back(text);
  }
  add_variable(all, "LD_PRELOAD", runtime_path, ':');
  add_variable(all, "GLIBC_TUNABLES", "glibc.pthread.rseq=0", ':');
  // Otherwise each execution would look up each function again.
  add_variable(all, "LD_BIND_NOW", "1", ' ');
  // OpenMP's threads look at a word for a while before they sleep, 300,000 times unless told.
  if (options.atomics == Atomics::Seen && getenv("GOMP_SPINCOUNT") == nullptr)
    all.emplace_back("GOMP_SPINCOUNT=0");
  // A program that was linked with ThreadSanitizer's runtime gets ours in its place.
  add_variable(all, "LD_LIBRARY_PATH", runtime_path.substr(0, runtime_path.rfind('/') + 1) + "tsan",
               ':');
  all.push_back(std::string(kSegmentVariable) + "=" + segment_path);
  // The program's stack begins below its environment: the length of a pid must not move it.
  constexpr size_t kRoom = 64;
  all.push_back(std::string(kPaddingVariable) + "=" +
                std::string(segment_path.size() < kRoom ? kRoom - segment_path.size() : 0, 'x'));
  return all;
}

void prepare_control(const LaunchOptions& options, SharedSegment& segment) {
  segment->control = {};
  segment->control.carrier = static_cast<uint8_t>(options.carrier);
  segment->control.reset = static_cast<uint8_t>(options.reset);
  segment->control.memory = static_cast<uint8_t>(options.memory);
  segment->control.discipline = static_cast<uint8_t>(options.discipline);
  segment->control.atomics = static_cast<uint8_t>(options.atomics);
  segment->control.watches = static_cast<uint8_t>(options.watches ? Watches::Armed : Watches::Off);
  segment->control.lossy_udp = options.channels.lossy_udp;
  segment->control.partial_io = options.channels.partial_io;
  segment->control.spurious = options.channels.spurious;
  segment->control.reuse = options.channels.reuse;
  segment->control.cpus = kCpusTold;
  segment->control.stdin_text = keep_text(*segment, options.stdin_file);
}

Result<Server> Server::start(const LaunchOptions& options, SharedSegment& segment,
                             const Stop* stop) {
  prepare_control(options, segment);
  const Result<int> messages = new_memory_file("mazurka-messages");
  if (!messages.ok()) return messages.error();
  std::vector<std::string> environment = environment_for(options, segment.path());
  std::vector<char*> environment_pointers = pointers(environment);
  std::vector<char*> argv = pointers(options.argv);
  const Child child{options.program_path.c_str(),
                    argv.data(),
                    environment_pointers.data(),
                    getpid(),
                    messages.value(),
                    &inherited_descriptors()};
  stay_on_this_processor();
  const pid_t pid = fork();
  if (pid == 0) become_program(child);
  if (pid < 0) {
    close(messages.value());
    return Error{std::string("cannot start a process: ") + std::strerror(errno)};
  }
  const Result<void> ready = await_ready(options, *segment, pid, messages.value(), stop);
  close(messages.value());
  if (!ready.ok()) return ready.error();
  return Server(pid);
}

Server::Server(Server&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}

Server& Server::operator=(Server&& other) noexcept {
  std::swap(pid_, other.pid_);
  return *this;
}

Server::~Server() { stop(); }

bool Server::alive() {
  if (pid_ < 0) return false;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) == 0) return true;
  pid_ = -1;
  return false;
}

void Server::stop() {
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);  // its children are told to die with it
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

}  // namespace mazurka
