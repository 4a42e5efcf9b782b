#include "runtime/accesses/guard_log.h"

#include <cstring>

#include "base/check.h"
#include "runtime/accesses/race_shadow.h"
#include "runtime/core/tags.h"

namespace mazurka {
namespace {

bool has_locks(const LoggedGuard& guard, const LockSet& locks) {
  return guard.lock_count == locks.count &&
         memcmp(guard.locks, locks.locks, locks.count * sizeof *locks.locks) == 0;
}

// The bytes of an access come one after another.
LoggedGuard* same_access(uintptr_t word, const LockSet& locks, const SeenAccess& access) {
  Segment& s = segment();
  if (s.log.guard_end == s.log.guard_begin) return nullptr;
  LoggedGuard& last = s.guards[s.log.guard_end - 1];
  const bool is_same = last.address == word && last.position == s.log.step_count &&
                       last.access.pc == access.pc &&
                       last.access.thread == thread_of(access.epoch) && has_locks(last, locks);
  return is_same ? &last : nullptr;
}

LoggedGuard& new_guard(uintptr_t word, const LockSet& locks, const SeenAccess& access) {
  Segment& s = segment();
  if (s.log.guard_end == kMaxGuards)
    runtime_error("the program shares more memory than --discipline=strict can follow");
  LoggedGuard& guard = s.guards[s.log.guard_end++];
  guard = {};
  const auto* const pointer = reinterpret_cast<const void*>(word);
  const MemoryPlace at = place_of(pointer);
  guard.position = s.log.step_count;
  guard.space = at.space;
  guard.offset = at.address;
  guard.address = word;
  guard.place = place_for_people(pointer);
  guard.access = logged_access(access);
  guard.lock_count = static_cast<uint8_t>(locks.count);
  memcpy(guard.locks, locks.locks, locks.count * sizeof *locks.locks);
  return guard;
}

}  // namespace

void log_guard(uintptr_t byte, const LockSet& locks, const SeenAccess& access) {
  MAZURKA_DEBUG_CHECK(locks.count > 0);
  const uintptr_t word = byte & ~(kWordBytes - 1);
  LoggedGuard* guard = same_access(word, locks, access);
  if (guard == nullptr) guard = &new_guard(word, locks, access);
  guard->bytes = static_cast<uint8_t>(guard->bytes | (1u << (byte - word)));
}

}  // namespace mazurka
