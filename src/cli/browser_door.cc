#include "cli/browser_door.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <thread>

extern char** environ;

namespace mazurka {
namespace {

bool has_display() {
  return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
}

// It has a session of its own: Ctrl-C is not for it.
void start_browser(const std::string& file) {
  const char* const words[] = {"xdg-open", file.c_str(), nullptr};
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null", O_WRONLY, 0);
  }
  posix_spawnattr_t own;
  posix_spawnattr_init(&own);
  posix_spawnattr_setflags(&own, POSIX_SPAWN_SETSID);
  pid_t pid = 0;
  const int failed =
      posix_spawnp(&pid, words[0], &quiet, &own, const_cast<char* const*>(words), environ);
  posix_spawnattr_destroy(&own);
  posix_spawn_file_actions_destroy(&quiet);
  if (failed == 0) std::thread([pid] { waitpid(pid, nullptr, 0); }).detach();
}

}  // namespace

void BrowserDoor::open(const std::string& address) {
  if (has_display() && write(address)) start_browser(file_);
}

bool BrowserDoor::write(const std::string& address) {
  std::error_code error;
  const std::filesystem::path place = std::filesystem::temp_directory_path(error);
  if (error) return false;
  std::string folder = (place / "mazurka-sim-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return false;
  folder_ = folder;
  const std::string file = folder + "/simulator.html";
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  file_ = file;
  const std::string text = fmt::format(
      "<!doctype html>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"refresh\" content=\"0; "
      "url={0}\">\n"
      "<title>Mazurka</title>\n<a href=\"{0}\">the simulator</a>\n",
      address);
  const bool written = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  return close(fd) == 0 && written;
}

BrowserDoor::~BrowserDoor() {
  if (!file_.empty()) unlink(file_.c_str());
  if (!folder_.empty()) rmdir(folder_.c_str());
}

}  // namespace mazurka
