// What a failed MAZURKA_CHECK does inside the program under test: it must be told as our trouble,
// not as the program's. base/check.cc calls write and abort, which are our own interposers here:
// the one could wait for another thread, the other would be a finding.
#include "base/check.h"

#include <signal.h>

#include <cstring>

#include "runtime/core/raw.h"
#include "runtime/core/state.h"

namespace mazurka {
namespace {

constexpr int kMostText = 512;
constexpr int kMostDigits = 11;

// What does not fit is cut off.
void append(char* text, const char* more) {
  strncat(text, more, static_cast<size_t>(kMostText) - 1 - strlen(text));
}

void append(char* text, int number) {
  char digits[kMostDigits + 1] = {};
  int first = kMostDigits;
  do {
    digits[--first] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number > 0);
  append(text, digits + first);
}

// True while a failure is told: what fails then is told by nobody.
bool is_failing = false;

}  // namespace

void check_failed(const char* file, int line, const char* condition) {
  char text[kMostText] = "";
  append(text, file);
  append(text, ":");
  append(text, line);
  append(text, ": check failed: ");
  append(text, condition);
  if (state.segment != nullptr && state.scheduling && !is_failing) {
    is_failing = true;
    runtime_error(text);
  }
  append(text, "\n");
  raw_syscall(SYS_write, 2, address_of(text), static_cast<long>(strlen(text)));
  raw_exit_group(128 + SIGABRT);
}

}  // namespace mazurka
