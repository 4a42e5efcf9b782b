#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace mazurka {
namespace {

constexpr size_t kNarrowest = 40;

bool wants_colours() {
  const char* no = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (no != nullptr && no[0] != '\0') return false;
  return terminal != nullptr && std::string(terminal) != "dumb";
}

}  // namespace

TextStyle terminal_style() {
  TextStyle style;
  style.clips = isatty(STDOUT_FILENO) == 1;
  if (!style.clips) return style;
  style.colours = wants_colours();
  style.wraps = true;
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    style.width = std::max<size_t>(size.ws_col, kNarrowest);
  }
  return style;
}

}  // namespace mazurka
