#include "runtime/accesses/race_log.h"

#include <execinfo.h>

#include <bit>

#include "runtime/accesses/race_shadow.h"
#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/state.h"
#include "runtime/core/tags.h"

namespace mazurka {
namespace {

constexpr uint32_t kMaxRemembered = 256;
constexpr int kMostFrames = 64;

LoggedAccess as_logged(const SeenAccess& seen) {
  LoggedAccess out{};
  out.thread = thread_of(seen.epoch);
  out.process = world().thread(out.thread).process;
  out.is_write = (seen.flags & kWrites) != 0;
  out.is_atomic = (seen.flags & (kAtomic | kVisible)) == kAtomic;
  out.is_in_call = accesses_are_visible && (seen.flags & kAtomic) == 0;
  out.is_free = (seen.flags & kFrees) != 0;
  out.is_end = (seen.flags & kEnds) != 0;
  out.pc = seen.pc;
  return out;
}

void add_lock(LoggedAccess& out, ObjectId lock) {
  constexpr uint8_t kMost = sizeof out.locks / sizeof *out.locks;
  if (out.lock_count < kMost) out.locks[out.lock_count++] = lock;
}

bool holds(const RwLock& lock, ThreadId thread) {
  if (lock.writer == thread) return true;
  for (uint32_t i = 0; i < lock.known_readers; ++i) {
    if (lock.readers[i].thread == thread) return true;
  }
  return false;
}

void add_locks(LoggedAccess& out) {
  const World& w = world();
  for (uint32_t i = 0; i < w.object_limit; ++i) {
    const Object& object = w.objects[i];
    if (object.kind == ObjectKind::Mutex && object.mutex.owner == out.thread)
      add_lock(out, ObjectId(i));
    if (object.kind == ObjectKind::RwLock && holds(object.rwlock, out.thread))
      add_lock(out, ObjectId(i));
  }
}

// Of the current thread, from the access on.
void add_stack(LoggedAccess& out) {
  Segment& s = segment();
  if (s.log.frame_end + kMostFrames > kMaxFrames) return;
  RuntimeHeap own;
  void* frames[kMostFrames];
  const int count = backtrace(frames, kMostFrames);
  int first = 0;
  while (first < count && reinterpret_cast<uint64_t>(frames[first]) != out.pc) ++first;
  if (first == count) return;
  out.frame_begin = s.log.frame_end;
  out.frame_count = static_cast<uint16_t>(count - first);
  for (int i = first; i < count; ++i)
    s.frames[s.log.frame_end++] = reinterpret_cast<uint64_t>(frames[i]);
}

LoggedAccess with_details(const SeenAccess& seen) {
  LoggedAccess out = as_logged(seen);
  add_locks(out);
  add_stack(out);
  return out;
}

bool is_known_race(const LoggedRace& race) {
  const Segment& s = segment();
  for (uint32_t i = s.log.race_begin; i < s.log.race_end; ++i) {
    const LoggedRace& other = s.races[i];
    if (other.kind == race.kind && other.first.pc == race.first.pc &&
        other.second.pc == race.second.pc && other.first.thread == race.first.thread &&
        other.second.thread == race.second.thread) {
      return true;
    }
  }
  return false;
}

// The watched accesses are in the array of races, from its end downwards: one each, as the first of
// a race.
LoggedRace& remembered_at(uint32_t i) { return segment().races[kMaxRaces - 1 - i]; }

uint32_t remembered_count() { return segment().log.remembered; }

const LoggedAccess* find_remembered(const SeenAccess& seen) {
  for (uint32_t i = 0; i < remembered_count(); ++i) {
    const LoggedRace& one = remembered_at(i);
    if (one.address == (seen.epoch & ~kEpochBytes) && one.first.pc == seen.pc) return &one.first;
  }
  return nullptr;
}

}  // namespace

LoggedAccess logged_access(const SeenAccess& access) {
  return segment().plan.stacks ? with_details(access) : as_logged(access);
}

void remember_watched(const SeenAccess& access) {
  if (!segment().plan.stacks || remembered_count() == kMaxRemembered) return;
  LoggedRace& one = remembered_at(segment().log.remembered++);
  one = {};
  one.address = access.epoch & ~kEpochBytes;
  one.first = with_details(access);
}

void log_conflict(ConflictKind kind, uintptr_t word, uint64_t bytes, const SeenAccess& first,
                  const SeenAccess& second) {
  Segment& s = segment();
  if (s.log.race_end >= kMaxRaces - kMaxRemembered) {
    // The tool must learn it; of errors, those that are there will do.
    if (kind == ConflictKind::Tentative)
      runtime_error("too much memory that was tentatively unshared is shared");
    return;
  }
  LoggedRace race{};
  race.kind = kind;
  race.position = s.log.step_count;
  race.size = static_cast<uint32_t>(std::popcount(bytes));
  race.address = word + static_cast<uint32_t>(std::countr_zero(bytes));
  race.first = as_logged(first);
  race.second = as_logged(second);
  if (is_known_race(race)) return;
  if (s.plan.stacks) {
    if (const LoggedAccess* remembered = find_remembered(first)) race.first = *remembered;
    race.second = with_details(second);
  }
  race.place = place_for_people(reinterpret_cast<const void*>(race.address));
  s.races[s.log.race_end++] = race;
}

void log_operation_in_call(OpKind kind, uint64_t entry, uint64_t pc) {
  Segment& s = segment();
  if (s.log.race_end >= kMaxRaces - kMaxRemembered) return;
  LoggedRace race{};
  race.kind = ConflictKind::InsideCall;
  race.op = kind;
  race.position = s.log.step_count;
  race.first = as_logged({current_epoch, entry, kReads});
  race.second = logged_access({current_epoch, pc, kReads});
  if (!is_known_race(race)) s.races[s.log.race_end++] = race;
}

}  // namespace mazurka
