// Explores a function inside a unit test: every order in which its threads can run. For C++17 and
// later, with GoogleTest, Catch2 or none.
//
//   TEST(Queue, LosesNothing) {
//     EXPECT_TRUE(mazurka::check([] {
//       Queue queue;
//       std::thread producer([&] { queue.push(1); });
//       mz_assert(queue.pop() == 1);
//       producer.join();
//     }));
//   }
//
// The function runs in processes of its own, under `mazurka check`: instead of the test program's
// main, after its static objects are made. Variables of the test do not exist there, so it must not
// capture any, not even by value: a copy may point to what is not there. Constants, static objects
// and what it makes itself are fine. What it changes is not seen by the test. What must hold in it
// is said by mz_assert, by assert, or by EXPECT_... of GoogleTest, if that is included before this
// header.
#ifndef MAZURKA_CHECK_H
#define MAZURKA_CHECK_H

#include <mazurka/mazurka.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Of the runtime, which is there under `mazurka check`, and in what mazurka-c++ has built.
extern "C" void mazurka_rt_run_instead(int (*body)(int, char**, char**)) __attribute__((weak));
extern "C" int mazurka_rt_is_attached() __attribute__((weak));

namespace mazurka {

struct CheckOptions {
  // Of `mazurka check`: {"--bound=20", "--keep-going", "--schedules=out"}.
  std::vector<std::string> flags = {};
  // The command. Empty: what MAZURKA in the environment says, then what find_package(mazurka)
  // found, then `mazurka` in PATH.
  std::string command = {};
};

// What came of it. True if nothing was found and the search was complete; printing it prints the
// whole report, with the schedule and the command that replays it.
class CheckVerdict {
 public:
  CheckVerdict(int exit_code, std::string report)
      : exit_code_(exit_code), report_(std::move(report)) {}

  bool ok() const { return exit_code_ == 0; }
  bool found_something() const { return exit_code_ == 1; }
  // Nothing was found, but not everything was explored.
  bool is_incomplete() const { return exit_code_ == 3; }
  // As `mazurka check` exits.
  int exit_code() const { return exit_code_; }
  const std::string& report() const { return report_; }

  explicit operator bool() const { return ok(); }

  // GoogleTest's AssertionResult, so that EXPECT_TRUE(mazurka::check(...)) shows the report.
  template <typename T,
            typename = decltype(static_cast<const char*>(std::declval<const T&>().message())),
            typename = decltype(std::declval<T&>() << std::string())>
  operator T() const {
    return T(ok()) << report_;
  }

  friend std::ostream& operator<<(std::ostream& out, const CheckVerdict& verdict) {
    return out << verdict.report_;
  }

 private:
  int exit_code_;
  std::string report_;
};

namespace check_detail {

using Main = int (*)(int, char**, char**);

inline constexpr char kFlag[] = "--mazurka-body=";

inline void anchor() {}

// Which function it is: the same number in every process of this program.
inline std::string name_of(Main body) {
  const auto place = reinterpret_cast<std::intptr_t>(body);
  return std::to_string(place - reinterpret_cast<std::intptr_t>(&anchor));
}

// What the program was called with. Before main there is no other way to know.
inline std::string first_argument() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string argument;
  std::getline(file, argument, '\0');
  std::getline(file, argument, '\0');
  return argument;
}

// Whether `mazurka check` runs this program. That the runtime is there does not say so.
inline bool offer(Main body) {
  if (mazurka_rt_is_attached == nullptr || mazurka_rt_is_attached() == 0) return false;
  if (first_argument() == kFlag + name_of(body)) mazurka_rt_run_instead(body);
  return true;
}

inline int status_after_body() {
#ifdef GTEST_TEST
  return ::testing::UnitTest::GetInstance()->Failed() ? 1 : 0;
#else
  return 0;
#endif
}

template <typename F>
struct Entry {
  static_assert(std::is_empty_v<F> && std::is_trivially_destructible_v<F>,
                "mazurka::check: the function that is explored must not capture anything, because "
                "it runs in a process of its "
                "own where the test's variables do not exist. Make what it needs inside of it, or "
                "use constants (static constexpr) "
                "and static objects");

  static int run(int, char**, char**) {
    // It has no state, so any byte is one of it; in C++17 it has no constructor.
    alignas(F) static const char nothing[sizeof(F)] = {};
    (*reinterpret_cast<const F*>(nothing))();
    return status_after_body();
  }

  // Before main, so that the runtime knows in time.
  static inline const bool is_offered = offer(&run);
};

inline std::string command_of(const CheckOptions& options) {
  if (!options.command.empty()) return options.command;
  if (const char* named = std::getenv("MAZURKA"); named != nullptr && *named != '\0') return named;
#ifdef MAZURKA_COMMAND
  return MAZURKA_COMMAND;
#else
  return "mazurka";
#endif
}

inline std::string own_path() {
  std::string path(4096, '\0');
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  path.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
  return path;
}

// Runs it, and reads what it prints.
inline CheckVerdict run_command(const std::vector<std::string>& words) {
  int ends[2];
  if (pipe(ends) != 0) return {4, std::string("mazurka::check: ") + std::strerror(errno) + "\n"};
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    execvp(argv[0], argv.data());
    dprintf(STDERR_FILENO, "mazurka::check: cannot run %s: %s\n", argv[0], std::strerror(errno));
    _exit(4);
  }
  close(ends[1]);
  std::string report;
  char part[4096];
  for (ssize_t size; (size = read(ends[0], part, sizeof part)) != 0;) {
    if (size > 0) report.append(part, static_cast<std::size_t>(size));
    if (size < 0 && errno != EINTR) break;
  }
  close(ends[0]);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return {child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 4, report};
}

}  // namespace check_detail

// Under `mazurka check` itself it only calls the function: somebody explores the whole program
// already.
template <typename F>
CheckVerdict check(F body, const CheckOptions& options = {}) {
  using Entry = check_detail::Entry<F>;
  if (Entry::is_offered) {
    body();
    return {0, ""};
  }
  std::vector<std::string> words = {check_detail::command_of(options), "check"};
  words.insert(words.end(), options.flags.begin(), options.flags.end());
  words.push_back("--");
  words.push_back(check_detail::own_path());
  words.push_back(check_detail::kFlag + check_detail::name_of(&Entry::run));
  return check_detail::run_command(words);
}

}  // namespace mazurka

#endif
