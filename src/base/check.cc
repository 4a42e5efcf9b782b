#include "base/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace mazurka {
namespace {

constexpr int kMaxDigits = 11;

// A failed or short write is ignored: we are about to abort, and there is nobody left to tell.
void say(const char* text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

void say(int number) {
  char digits[kMaxDigits + 1] = {};
  int first = kMaxDigits;
  do {
    digits[--first] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number > 0);
  say(digits + first);
}

}  // namespace

void check_failed(const char* file, int line, const char* condition) {
  say(file);
  say(":");
  say(line);
  say(": check failed: ");
  say(condition);
  say("\n");
  abort();
}

}  // namespace mazurka
