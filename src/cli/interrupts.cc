#include "cli/interrupts.h"

#include <initializer_list>

namespace mazurka {
namespace {

volatile std::sig_atomic_t was_interrupted = 0;

// The handler is reset when it runs (SA_RESETHAND), so the next signal kills.
void interrupt(int) { was_interrupted = 1; }

}  // namespace

const volatile std::sig_atomic_t& watch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    const bool is_for_good = signal == SIGHUP && before.sa_handler == SIG_IGN;  // nohup
    if (!is_for_good) sigaction(signal, &action, nullptr);
  }
  return was_interrupted;
}

}  // namespace mazurka
