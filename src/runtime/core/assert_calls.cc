// Failed assertions, and what a program may say to us (include/mazurka/mazurka.h). An assertion
// that holds never gets here.
#include <assert.h>
#include <signal.h>
#include <stdlib.h>

#include <cstring>

#include "runtime/core/runtime.h"
#include "runtime/core/state.h"
#include "runtime/reset/server.h"

namespace mazurka {
namespace {

constexpr int kLargestToss = 65534;  // one outcome number is taken: kNobody
constexpr size_t kLongestEvent = 255;
constexpr uint64_t kEventSalt = 0x6576656e74;  // so that no other name is taken for an event's

// In static memory: a failing program's heap is not ours to use, and its stack may be short.
char sentence_bytes[1024];

class Sentence {
 public:
  Sentence& operator<<(const char* text) {
    while (text != nullptr && *text != '\0' && length_ + 1 < sizeof sentence_bytes)
      sentence_bytes[length_++] = *text++;
    sentence_bytes[length_] = '\0';
    return *this;
  }

  Sentence& operator<<(long number) {
    char digits[24];
    char* next = digits + sizeof digits;
    *--next = '\0';
    unsigned long left =
        number < 0 ? 0ul - static_cast<unsigned long>(number) : static_cast<unsigned long>(number);
    do *--next = static_cast<char>('0' + left % 10);
    while ((left /= 10) != 0);
    if (number < 0) *--next = '-';
    return *this << next;
  }

  const char* text() const { return sentence_bytes; }

 private:
  size_t length_ = 0;
};

// The process ends here, when the schedule says so. Assertions before main are found in the first
// execution, like all others.
[[noreturn]] void fail(const Sentence& sentence, Call call) {
  if (!state.scheduling) begin_executions();
  call.text = sentence.text();
  reach({.kind = OpKind::Assertion, .value = SIGABRT}, call);
  vanish();
}

[[noreturn]] void fail_assertion(const char* expression, const char* file, unsigned line,
                                 const char* function, Call call) {
  Sentence sentence;
  sentence << file << ":" << long{line} << ": ";
  if (function != nullptr) sentence << function << ": ";
  fail(sentence << "assertion `" << expression << "' failed", call);
}

int toss(int largest, Call call) {
  if (largest < 0 || largest > kLargestToss) {
    fail(Sentence() << "mz_toss(" << long{largest}
                    << "): the largest result must lie between 0 and " << long{kLargestToss},
         call);
  }
  if (!state.scheduling) begin_executions();
  return static_cast<int>(reach({.kind = OpKind::Toss, .value = largest}, call).value);
}

void event(const char* name, Call call) {
  const size_t length = name == nullptr ? 0 : strnlen(name, kLongestEvent + 1);
  if (length == 0 || length > kLongestEvent) {
    fail(Sentence() << "mz_event: the name of an event must have 1 to " << long{kLongestEvent}
                    << " bytes",
         call);
  }
  if (!state.scheduling) begin_executions();
  const ObjectId object = object_by_name(name, kEventSalt, ObjectKind::Event, Storage::Name);
  if (segment().names.places[index(object)].text == 0) {
    runtime_error("more names of events than Mazurka can keep (128 kB)");
  }
  reach({.kind = OpKind::Event, .object = object}, call);
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT void __assert_fail(const char* expression, const char* file, unsigned line,
                                  const char* function) {
  if (attached()) fail_assertion(expression, file, line, function, MAZURKA_HERE);
  REAL(__assert_fail)(expression, file, line, function);
  abort();
}

MAZURKA_EXPORT void __assert_perror_fail(int error, const char* file, unsigned line,
                                         const char* function) {
  if (attached()) fail_assertion(strerrordesc_np(error), file, line, function, MAZURKA_HERE);
  REAL(__assert_perror_fail)(error, file, line, function);
  abort();
}

MAZURKA_EXPORT void __assert(const char* expression, const char* file, int line) {
  if (attached())
    fail_assertion(expression, file, static_cast<unsigned>(line), nullptr, MAZURKA_HERE);
  REAL(__assert)(expression, file, line);
  abort();
}

// --- what mazurka.h finds when we are there

MAZURKA_EXPORT int mazurka_rt_toss(int largest) {
  return attached() ? toss(largest, MAZURKA_HERE) : 0;
}

MAZURKA_EXPORT void mazurka_rt_event(const char* name) {
  if (attached()) event(name, MAZURKA_HERE);
}

MAZURKA_EXPORT void mazurka_rt_assertion_failed(const char* expression, const char* file,
                                                unsigned line, const char* function) {
  if (attached()) fail_assertion(expression, file, line, function, MAZURKA_HERE);
  REAL(__assert_fail)(expression, file, line, function);
}

// --- for programs that declare these themselves, as VeriSoft's did
// NOLINTBEGIN(readability-identifier-naming)

MAZURKA_EXPORT int VS_toss(int largest) { return attached() ? toss(largest, MAZURKA_HERE) : 0; }

MAZURKA_EXPORT void VS_assert(int condition) {
  if (condition != 0) return;
  if (attached()) fail(Sentence() << "VS_assert failed", MAZURKA_HERE);
  abort();
}
// NOLINTEND(readability-identifier-naming)
