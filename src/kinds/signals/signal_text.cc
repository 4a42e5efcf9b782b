#include "kinds/signals/signal_text.h"

#include <fmt/format.h>

#include <cstring>

namespace mazurka {

std::string signal_name(int signal) {
  if (signal == 0) return "nothing";
  const char* const name = sigabbrev_np(signal);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

std::string signal_names(uint64_t set) {
  constexpr int kMost = 4;
  if (set == 0) return "none";
  std::string text;
  for (int count = 0; set != 0 && count < kMost; set &= set - 1, ++count) {
    if (count > 0) text += ' ';
    text += signal_name(__builtin_ctzll(set) + 1);
  }
  return set == 0 ? text : text + " and others";
}

}  // namespace mazurka
