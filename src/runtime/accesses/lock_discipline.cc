#include "runtime/accesses/lock_discipline.h"

#include "runtime/accesses/annotated_calls.h"
#include "runtime/accesses/guard_log.h"
#include "runtime/accesses/race_log.h"
#include "runtime/accesses/race_shadow.h"
#include "runtime/accesses/seen_memory.h"
#include "runtime/accesses/shared_words.h"
#include "runtime/core/state.h"
#include "runtime/core/tags.h"
#include "runtime/heap/allocator.h"
#include "runtime/threads/fiber.h"

namespace mazurka {

bool discipline_is_checked;

namespace {

uint64_t mix(uint64_t x) {
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15;
  return x ^ (x >> 29);
}

// --- locks

void add(LockSet& set, ObjectId lock) {
  if (set.count == kMostDisciplineLocks)
    runtime_error("a thread holds more locks than the locking discipline is checked for (15)");
  set.locks[set.count++] = lock;
}

bool has(const LockSet& set, ObjectId lock) {
  for (uint32_t i = 0; i < set.count; ++i) {
    if (set.locks[i] == lock) return true;
  }
  return false;
}

void intersect(LockSet& set, const LockSet& other) {
  LockSet both{};
  for (uint32_t i = 0; i < set.count; ++i) {
    if (has(other, set.locks[i])) add(both, set.locks[i]);
  }
  set = both;
}

bool reads(const RwLock& lock, ThreadId thread) {
  for (uint32_t i = 0; i < lock.known_readers; ++i) {
    if (lock.readers[i].thread == thread) return true;
  }
  return false;
}

// What the thread holds does not change between two of its operations.
struct Held {
  uint64_t moves = ~uint64_t{0};
  ThreadId thread = kNoThread;
  LockSet for_writes;
  LockSet for_reads;  // and what it holds as a reader
};
Held held;

const Held& held_now() {
  const World& w = world();
  if (held.moves == w.moves && held.thread == state.current) return held;
  held = {w.moves, state.current, {}, {}};
  for (uint32_t i = 0; i < w.object_limit; ++i) {
    const Object& object = w.objects[i];
    const bool owns = (object.kind == ObjectKind::Mutex && object.mutex.owner == state.current) ||
                      (object.kind == ObjectKind::RwLock && object.rwlock.writer == state.current);
    if (owns) add(held.for_writes, ObjectId(i));
    const bool is_reader = object.kind == ObjectKind::RwLock && reads(object.rwlock, state.current);
    if (owns || is_reader) add(held.for_reads, ObjectId(i));
  }
  return held;
}

// --- one byte

// The thread that may initialise it; kNoThread: none.
ThreadId initialiser(uintptr_t address) {
  const ObjectPlace at = place_for_people(reinterpret_cast<const void*>(address));
  return at.storage == Storage::Heap || at.storage == Storage::Stack ? at.thread : kNoThread;
}

// `now.epoch` has all bytes of the access in this word.
void report(uintptr_t address, DisciplinedByte& byte, const SeenAccess& now) {
  byte.reported = true;
  const SeenAccess before{byte.last_epoch, byte.last_pc, byte.last_flags};
  log_conflict(ConflictKind::Discipline, address & ~(kWordBytes - 1), now.epoch & kEpochBytes,
               before, now);
}

bool is_shared_modified(const DisciplinedByte& byte) { return byte.shared && byte.written; }

// Not as a part of its initialisation.
void use_byte(uintptr_t address, DisciplinedByte& byte, const SeenAccess& now) {
  const bool writes = (now.flags & kWrites) != 0;
  const uint32_t locks_before =
      is_shared_modified(byte) ? byte.locks.count : kMostDisciplineLocks + 1;
  byte.state = DisciplinedByte::State::Used;
  byte.shared = byte.shared || byte.first != state.current;
  byte.written = byte.written || writes;
  const LockSet& locks = writes ? held_now().for_writes : held_now().for_reads;
  if (byte.has_locks) {
    intersect(byte.locks, locks);
  } else {
    byte.locks = locks;
    byte.has_locks = true;
  }
  if (!is_shared_modified(byte) || byte.last_epoch == 0) return;
  if (byte.locks.count == 0) {
    if (!byte.reported) report(address, byte, now);
  } else if (guards_are_logged() && byte.locks.count < locks_before) {
    log_guard(address, byte.locks, now);
  }
}

void check_byte(uintptr_t address, DisciplinedByte& byte, const SeenAccess& now) {
  const ThreadId me = state.current;
  const uint32_t transitions = world().thread(me).transitions;
  if (byte.state == DisciplinedByte::State::Virgin) {
    byte.owner = initialiser(address);
    byte.begun = transitions;
    byte.state =
        byte.owner == me ? DisciplinedByte::State::Initialised : DisciplinedByte::State::Used;
    byte.first = me;
  }
  const bool initialises = byte.state == DisciplinedByte::State::Initialised && byte.owner == me &&
                           byte.begun == transitions;
  if (!initialises) use_byte(address, byte, now);
  byte.last_epoch = now.epoch;
  byte.last_pc = now.pc;
  byte.last_flags = now.flags;
}

Mode mode_of(bool writes, uint64_t pc) {
  if (calls_are_annotated && is_in_commuting_operation(pc)) return Mode::Add;
  return writes ? Mode::Write : Mode::Read;
}

template <typename F>
void each_byte(uintptr_t address, size_t size, F&& f) {
  const uintptr_t end = address + size;
  for (uintptr_t word = address & ~(kWordBytes - 1); word < end; word += kWordBytes) {
    MemoryPlace at = place_of(reinterpret_cast<const void*>(word));
    DisciplinedWord& disciplined = disciplined_word(at.space, at.address);
    for (uintptr_t byte = 0; byte < kWordBytes; ++byte) {
      if (word + byte >= address && word + byte < end) f(word + byte, disciplined.bytes[byte]);
    }
  }
}

}  // namespace

DisciplinedWord& disciplined_word(uint32_t space, uint64_t address) {
  SharedPart& shared = shared_part();
  uint64_t place = mix(address ^ (uint64_t{space} << 40)) % kMaxDisciplinedWords;
  for (uint32_t tried = 0; tried < kMaxDisciplinedWords / 2; ++tried) {
    DisciplinedWord& word = shared.disciplined[place];
    if (word.generation != shared.generation) {
      word = {};
      word.address = address;
      word.space = space;
      word.generation = shared.generation;
      return word;
    }
    if (word.address == address && word.space == space) return word;
    place = (place + 1) % kMaxDisciplinedWords;
  }
  runtime_error("the program uses more memory than the locking discipline can be checked for");
}

void check_discipline(uintptr_t address, size_t size, bool writes, uint64_t pc) {
  note_words(address, size, mode_of(writes, pc));
  // Nobody else is there, or will see what was before but by being created later.
  if (current_epoch == 0 || world().alone(state.current)) return;
  SeenAccess now{current_epoch, pc, writes ? kWrites : kReads};
  if (segment().plan.watched == (address & ~(kWordBytes - 1))) remember_watched(now);
  each_byte(address, size, [&](uintptr_t at, DisciplinedByte& byte) {
    const uintptr_t word = at & ~(kWordBytes - 1);
    const uintptr_t begin = address > word ? address - word : 0;
    const uintptr_t end = address + size < word + kWordBytes ? address + size - word : kWordBytes;
    now.epoch = current_epoch | ((kEpochBytes << begin) & (kEpochBytes >> (kWordBytes - end)));
    check_byte(at, byte, now);
  });
}

void end_discipline_of(uintptr_t address, size_t size) {
  if (current_epoch == 0) return;
  each_byte(address, size, [](uintptr_t, DisciplinedByte& byte) { byte = {}; });
}

}  // namespace mazurka
