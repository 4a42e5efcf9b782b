#include "program/watchdog.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>

#include "base/clock.h"
#include "program/module_scans.h"

namespace mazurka {
namespace {

using std::chrono::milliseconds;

constexpr double kLongestEnd = 60;  // seconds
constexpr double kLikelyLoop_s = 0.2;

// Meanwhile the program may want to know something.
bool wait_until_done(Segment& segment, uint32_t done, milliseconds timeout) {
  const uint32_t& word = segment.control.done;
  const auto give_up = Clock::now() + timeout;
  while (__atomic_load_n(&word, __ATOMIC_ACQUIRE) == done) {
    const auto left = give_up - Clock::now();
    if (left <= Clock::duration::zero()) return false;
    const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
    const timespec time{static_cast<time_t>(ns / 1'000'000'000),
                        static_cast<long>(ns % 1'000'000'000)};
    syscall(SYS_futex, &word, FUTEX_WAIT, done, &time, nullptr, 0);
    answer_scan(segment);
  }
  return true;
}

struct ProcessLook {
  char status = '?';
  pid_t parent = 0;
  double cpu_s = 0;
};

std::optional<ProcessLook> look_at(pid_t pid) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  std::FILE* file = std::fopen(path, "re");
  if (file == nullptr) return std::nullopt;
  char text[1024] = {};
  const size_t length = std::fread(text, 1, sizeof text - 1, file);
  std::fclose(file);
  // The name in parentheses may hold anything, also parentheses.
  const std::string line(text, length);
  const size_t end = line.rfind(')');
  if (end == std::string::npos) return std::nullopt;
  ProcessLook look;
  unsigned long user = 0;
  unsigned long system = 0;
  const int fields =
      std::sscanf(line.c_str() + end + 1, " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                  &look.status, &look.parent, &user, &system);
  if (fields != 4) return std::nullopt;
  look.cpu_s = static_cast<double>(user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
  return look;
}

// Who should be moving. The segment may say anything: only the server or a child of it will do.
std::optional<pid_t> baton_holder(const Segment& segment, const Server& server) {
  const uint16_t holder = index(segment.control.baton_holder);
  if (holder >= kMaxThreads) return std::nullopt;
  const pid_t pid = segment.processes[holder].real_pid;
  if (pid <= 1) return std::nullopt;
  const std::optional<ProcessLook> look = look_at(pid);
  const bool is_server = pid == server.pid();  // where executions are reset in place
  if (!look || (!is_server && look->parent != server.pid())) return std::nullopt;
  return pid;
}

// What has happened since the last visible operation.
class Stillness {
 public:
  explicit Stillness(double limit_s) : limit_s_(limit_s) {}

  std::optional<Watched> look(const Segment& segment, const Server& server) {
    const uint64_t progress = __atomic_load_n(&segment.control.progress, __ATOMIC_RELAXED);
    const std::optional<pid_t> pid = baton_holder(segment, server);
    const std::optional<ProcessLook> look = pid ? look_at(*pid) : std::nullopt;
    const double cpu_s = look ? look->cpu_s : 0;
    const bool runs = look && look->status == 'R';
    // What is left is the server's own: it ends the processes, and that may take as long as they
    // are many.
    const bool has_ended = segment.log.ending != Ending::None;
    if (!begun_ || progress != progress_ || pid != pid_ || has_ended != has_ended_) {
      begun_ = true;
      next_trace_s_ = kLikelyLoop_s;
      has_ended_ = has_ended;
      progress_ = progress;
      pid_ = pid;
      cpu_s_ = cpu_s;
      last_run_ = Clock::now();
      return std::nullopt;
    }
    const Clock::time_point now = Clock::now();
    if (runs) last_run_ = now;
    // By its processor time alone: a machine that is busy with other things must not make it look
    // like a loop, or what it computes come out differently.
    if (!has_ended && cpu_s - cpu_s_ >= limit_s_) return Watched::Divergence;
    const std::chrono::duration<double> asleep = now - last_run_;
    if (asleep.count() >= (has_ended ? kLongestEnd : limit_s_)) return Watched::Hung;
    return std::nullopt;
  }

  std::optional<pid_t> pid() const { return pid_; }

  // It runs for long enough to ask whether it waits in a loop. Later again: it may have been in
  // code of the runtime.
  bool wants_trace(const Segment& segment, const Server& server) {
    // Programs that compute for long would pay for each trace.
    if (segment.control.atomics_are_seen == 0) return false;
    const std::optional<pid_t> pid = baton_holder(segment, server);
    const std::optional<ProcessLook> look = pid ? look_at(*pid) : std::nullopt;
    if (!begun_ || has_ended_ || !look || look->cpu_s - cpu_s_ < next_trace_s_) return false;
    next_trace_s_ *= 2;
    return true;
  }

 private:
  double limit_s_;
  bool begun_ = false;
  bool has_ended_ = false;
  double next_trace_s_ = kLikelyLoop_s;
  uint64_t progress_ = 0;
  std::optional<pid_t> pid_;
  double cpu_s_ = 0;
  Clock::time_point last_run_;
};

// First asks it to say where it is; then the hard way.
void end_execution(Segment& segment, Server& server, uint32_t done, std::optional<pid_t> pid) {
  if (pid) {
    kill(*pid, kInterruptSignal);
    if (wait_until_done(segment, done, milliseconds(1000))) return;
    kill(*pid, SIGKILL);
    if (wait_until_done(segment, done, milliseconds(5000))) return;
  }
  server.stop();
}

}  // namespace

Watched await_execution(Segment& segment, Server& server, uint32_t done, double divergence_s,
                        const Stop* stop) {
  // The usual execution takes less than a millisecond; who takes longer is looked at now and then.
  if (wait_until_done(segment, done, milliseconds(100))) return Watched::Ended;
  Stillness stillness(divergence_s);
  for (;;) {
    if (!server.alive()) return Watched::ServerLost;
    if (stop != nullptr && stop->is_overdue()) {
      server.stop();
      return Watched::Stopped;
    }
    if (const std::optional<Watched> verdict = stillness.look(segment, server)) {
      end_execution(segment, server, done, stillness.pid());
      return *verdict;
    }
    if (stillness.wants_trace(segment, server)) kill(*stillness.pid(), kTraceSignal);
    if (wait_until_done(segment, done, milliseconds(50))) return Watched::Ended;
  }
}

}  // namespace mazurka
