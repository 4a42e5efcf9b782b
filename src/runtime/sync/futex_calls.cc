// Futexes: what the C++ standard library's atomics, latches, barriers, semaphores and futures wait
// on. The word's value is the program's; who waits is in kinds/sync/futex.h.
#include "runtime/sync/futex_calls.h"

#include <linux/futex.h>
#include <time.h>

#include <cerrno>
#include <climits>

#include "objects/clock.h"
#include "runtime/accesses/seen_memory.h"
#include "runtime/accesses/visible_accesses.h"
#include "runtime/patches/access_watch.h"
#include "runtime/patches/patches.h"
#include "runtime/patches/unseen_stores.h"
#include "runtime/sync/mutex_calls.h"

namespace mazurka {
namespace {

struct Timeout {
  bool given = false;
  int64_t deadline_ns = 0;
};

// False if the time is invalid. Only FUTEX_WAIT counts from now.
bool read_timeout(const timespec* time, bool relative, clockid_t clock, Timeout& timeout) {
  if (time == nullptr) return true;
  if (!is_valid(*time) || time->tv_sec < 0) return false;
  timeout.given = true;
  timeout.deadline_ns =
      relative ? read_clock_ns() + deadline_of(CLOCK_MONOTONIC, *time) : deadline_of(clock, *time);
  return true;
}

// Where the program's atomics are operations, the model compares: who stores into the word is
// dependent with who waits for it.
ObjectId word_as_variable(const uint32_t* word, const Call& call) {
  if (atomics_are_seen() && may_interleave())
    note_locked_bytes(reinterpret_cast<const uint8_t*>(word), sizeof *word);
  if (watched_word_count != 0) make_unseen_stores_visible(call);
  Operation on_word;
  find_variables(word, sizeof *word, on_word);
  refresh_variable(on_word.object, variable_value(word, sizeof *word));
  return on_word.object;
}

// The comparison belongs to the transition that joins the waiters: nobody else runs in between.
long wait(const uint32_t* word, uint32_t expected, Timeout timeout, Call call) {
  const ObjectId object = object_by_address(word, ObjectKind::Futex);
  Operation begin{.kind = OpKind::FutexWait, .object = object, .value = expected};
  if (variables_are_seen()) begin.second = word_as_variable(word, call);
  const Effect effect = reach(begin, call);
  if (effect.error != 0) return -effect.error;
  if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != expected) {
    stop_waiting(world().thread(current_thread()));
    return -EAGAIN;
  }
  Operation blocked{.kind = OpKind::FutexBlocked, .object = object};
  if (timeout.given) blocked.flags = kTimed;
  blocked.deadline_ns = timeout.deadline_ns;
  return -reach(blocked, call).error;
}

// The kernel takes 0 for 1.
long wake(const uint32_t* word, int most, Call call) {
  const ObjectId object = object_by_address(word, ObjectKind::Futex);
  return reach({.kind = OpKind::FutexWake, .object = object, .value = most > 0 ? most : 1}, call)
      .value;
}

// Waiters may wake up for no reason, so waking those that should go to another futex is allowed;
// but it is not all that could happen.
long requeue(const uint32_t* word, Call call) {
  name_unmodelled("futex(FUTEX_REQUEUE)", call);
  return wake(word, INT_MAX, call);
}

void check_bitset(uint32_t bits, Call call) {
  if (bits != FUTEX_BITSET_MATCH_ANY) name_unmodelled("futex with a bitset", call);
}

}  // namespace

long futex(const long (&arguments)[6], Call call) {
  auto* word = reinterpret_cast<uint32_t*>(arguments[0]);
  const int flags = static_cast<int>(arguments[1]);
  const auto value = static_cast<uint32_t>(arguments[2]);
  const auto* time = reinterpret_cast<const timespec*>(arguments[3]);
  const auto last = static_cast<uint32_t>(arguments[5]);
  const clockid_t clock = flags & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  const int operation = flags & FUTEX_CMD_MASK;
  if (reinterpret_cast<uintptr_t>(word) % sizeof *word != 0) return -EINVAL;
  Timeout timeout;
  switch (operation) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
      if (operation == FUTEX_WAIT_BITSET && last == 0) return -EINVAL;
      if (!read_timeout(time, operation == FUTEX_WAIT, clock, timeout)) return -EINVAL;
      if (operation == FUTEX_WAIT_BITSET) check_bitset(last, call);
      return wait(word, value, timeout, call);
    case FUTEX_WAKE_BITSET:
      if (last == 0) return -EINVAL;
      check_bitset(last, call);
      return wake(word, static_cast<int>(value), call);
    case FUTEX_WAKE:
      return wake(word, static_cast<int>(value), call);
    case FUTEX_CMP_REQUEUE:
      if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != last) return -EAGAIN;
      return requeue(word, call);
    case FUTEX_REQUEUE:
      return requeue(word, call);
    default:
      name_unmodelled("futex (another operation than wait, wake and requeue)", call);
      return -ENOSYS;
  }
}

}  // namespace mazurka
