// semget, semop, semtimedop, semctl: calls become operations on kinds/sync/sem_set.h. Making a
// private set is invisible; a key is a name (kinds/processes/named.h). Each semaphore of a set is
// an object of its own, so operations on different ones are independent.
//
// Not modelled: who may use a set (EACCES), the times of IPC_STAT, and GETPID.
#include <sys/ipc.h>
#include <sys/sem.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstring>

#include "runtime/core/failure.h"
#include "runtime/processes/shared_memory.h"
#include "runtime/sync/mutex_calls.h"
#include "runtime/sync/sysv_names.h"
#include "runtime/sync/sysv_sets.h"

namespace mazurka {
namespace {

constexpr char kSpace[] = "semaphores";
constexpr int kMostInSet = 32000;        // SEMMSL
constexpr size_t kMostOperations = 500;  // SEMOPM

union SemArgument {  // as the manual wants callers to declare it
  int value;
  semid_ds* data;
  unsigned short* array;
};

int answer(const Effect& effect) { return effect.error == 0 ? 0 : fail(effect.error); }

int get_by_key(key_t key, int count, int flags, Call call) {
  const ObjectId name = sysv_name(kSpace, key);
  const int64_t how = count > 0 ? sysv_open_flags(flags) : 0;
  const Effect opened = reach_name(OpKind::NameOpen, name, how, call);
  if (opened.error != 0)
    return fail(opened.error == ENOENT && (flags & IPC_CREAT) != 0 ? EINVAL : opened.error);
  Named& named = world().object(name).named;
  if (opened.value == 1) {
    const int id = id_from_key(key, named.generation);
    named.value = id;
    return make_set(id, key, name, static_cast<uint32_t>(count), flags).id;
  }
  const SemSetRecord* const set = find_set(static_cast<int>(named.value));
  return set == nullptr || static_cast<uint32_t>(count) > set->count ? fail(EINVAL) : set->id;
}

int operate(int id, const sembuf* operations, size_t count, const timespec* timeout, Call call) {
  if (count == 0 || id < 0) return fail(EINVAL);
  if (count > kMostOperations) return fail(E2BIG);
  if (timeout != nullptr && (!is_valid(*timeout) || timeout->tv_sec < 0)) return fail(EINVAL);
  const SemSetRecord* const set = find_set(id);
  if (set == nullptr) return fail(EINVAL);
  OpPart* const parts = room_for_parts(static_cast<uint32_t>(count));
  for (size_t i = 0; i < count; ++i) {
    const sembuf& one = operations[i];
    if (one.sem_num >= set->count) return fail(EFBIG);
    parts[i] =
        semaphore_part(semaphore_of(*set, one.sem_num), one.sem_op, (one.sem_flg & IPC_NOWAIT) != 0,
                       (one.sem_flg & SEM_UNDO) != 0, one.sem_num);
  }
  Operation op{.kind = OpKind::Semop, .object = set->set};
  if (timeout != nullptr) {
    op.flags = kTimed;
    op.deadline_ns = read_clock_ns() + timeout->tv_sec * 1'000'000'000 + timeout->tv_nsec;
  }
  add_parts(op, static_cast<uint32_t>(count));
  return answer(reach(op, call));
}

// One operation on the semaphores from `first` on; values for SemctlSet.
template <typename F>
Operation on_semaphores(OpKind kind, const SemSetRecord& set, uint32_t first, uint32_t count,
                        F&& value) {
  Operation op{.kind = kind, .object = set.set};
  OpPart* const parts = room_for_parts(count);
  for (uint32_t i = 0; i < count; ++i) {
    parts[i] = semaphore_part(semaphore_of(set, first + i), value(i), false, false,
                              static_cast<uint16_t>(first + i));
  }
  add_parts(op, count);
  return op;
}

int value_of(const SemSetRecord& set, uint32_t number) {
  return world().object(semaphore_of(set, number)).semaphore.value;
}

int set_values(const SemSetRecord& set, uint32_t first, uint32_t count, const int* one,
               const unsigned short* all, Call call) {
  const Operation op =
      on_semaphores(OpKind::SemctlSet, set, first, count,
                    [&](uint32_t i) -> int32_t { return one != nullptr ? *one : all[i]; });
  return answer(destroy(op, call));
}

// Reads one value, or all of them into `array`.
int get_values(const SemSetRecord& set, uint32_t first, uint32_t count, unsigned short* array,
               Call call) {
  const Operation op =
      on_semaphores(OpKind::SemctlGet, set, first, count, [](uint32_t) { return 0; });
  const Effect effect = reach(op, call);
  if (effect.error != 0) return fail(effect.error);
  if (array == nullptr) return static_cast<int>(effect.value);
  // Nobody has moved since.
  for (uint32_t i = 0; i < count; ++i)
    array[i] = static_cast<unsigned short>(value_of(set, first + i));
  return 0;
}

// Threads that stand before a semop that this semaphore holds up. Whether the real ones would have
// called already is open.
int count_waiters(ObjectId semaphore, bool for_zero) {
  const World& w = world();
  int count = 0;
  for (uint32_t i = 0; i < w.thread_limit; ++i) {
    const ThreadState& thread = w.threads[i];
    if (thread.status != ThreadStatus::AtOperation || thread.pending.kind != OpKind::Semop)
      continue;
    if (enabled(w, ThreadId(i), thread.pending).any()) continue;
    for (uint32_t j = 0; j < thread.pending.part_count; ++j) {
      const OpPart& part = w.parts[thread.pending.part_begin + j];
      const bool blocks = part.sem.delta == 0 ? for_zero : part.sem.delta < 0 && !for_zero;
      if (part.object == semaphore && blocks) ++count;
    }
  }
  return count;
}

int get_waiters(const SemSetRecord& set, uint32_t number, bool for_zero, Call call) {
  name_unmodelled("semctl GETNCNT or GETZCNT (whether a thread waits already is not decided)",
                  call);
  return get_values(set, number, 1, nullptr, call) < 0
             ? -1
             : count_waiters(semaphore_of(set, number), for_zero);
}

int describe(const SemSetRecord& set, semid_ds& to, Call call) {
  const Effect effect = reach({.kind = OpKind::SemctlGet, .object = set.set}, call);
  if (effect.error != 0) return fail(effect.error);
  memset(&to, 0, sizeof to);
  to.sem_perm.__key = set.key;
  to.sem_perm.uid = to.sem_perm.cuid = getuid();
  to.sem_perm.gid = to.sem_perm.cgid = getgid();
  to.sem_perm.mode = static_cast<unsigned short>(set.mode);
  to.sem_nsems = set.count;
  return 0;
}

int control_set(SemSetRecord& set, int command, SemArgument argument, Call call) {
  switch (command) {
    case SETALL:
      return set_values(set, 0, set.count, nullptr, argument.array, call);
    case GETALL:
      return get_values(set, 0, set.count, argument.array, call);
    case IPC_RMID:  // the key is free at the same moment
      return answer(
          destroy({.kind = OpKind::SemctlRemove, .object = set.set, .second = set.name}, call));
    case IPC_STAT:
      return describe(set, *argument.data, call);
    case IPC_SET:
      set.mode = argument.data->sem_perm.mode & 0777u;
      return 0;
    default:
      name_unmodelled("semctl with this command", call);
      return fail(EINVAL);
  }
}

int control_one(const SemSetRecord& set, uint32_t number, int command, SemArgument argument,
                Call call) {
  switch (command) {
    case SETVAL:
      return set_values(set, number, 1, &argument.value, nullptr, call);
    case GETVAL:
      return get_values(set, number, 1, nullptr, call);
    case GETPID:
      name_unmodelled("semctl GETPID", call);
      return get_values(set, number, 1, nullptr, call) < 0 ? -1 : 0;
    default:
      return get_waiters(set, number, command == GETZCNT, call);
  }
}

bool is_for_one(int command) {
  return command == SETVAL || command == GETVAL || command == GETPID || command == GETNCNT ||
         command == GETZCNT;
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int semget(key_t key, int count, int flags) noexcept {
  if (!attached()) return REAL(semget)(key, count, flags);
  if (count < 0 || count > kMostInSet) return fail(EINVAL);
  if (key != IPC_PRIVATE) return get_by_key(key, count, flags, MAZURKA_HERE);
  if (count == 0) return fail(EINVAL);
  const int id = id_for_private([](int32_t i) { return find_set(i) != nullptr; });
  return make_set(id, key, kNoObject, static_cast<uint32_t>(count), flags).id;
}

MAZURKA_EXPORT int semop(int id, sembuf* operations, size_t count) noexcept {
  if (!attached()) return REAL(semop)(id, operations, count);
  return operate(id, operations, count, nullptr, MAZURKA_HERE);
}

MAZURKA_EXPORT int semtimedop(int id, sembuf* operations, size_t count,
                              const timespec* timeout) noexcept {
  if (!attached()) return REAL(semtimedop)(id, operations, count, timeout);
  return operate(id, operations, count, timeout, MAZURKA_HERE);
}

MAZURKA_EXPORT int semctl(int id, int number, int command, ...) noexcept {
  SemArgument argument;
  va_list rest;
  va_start(rest, command);
  argument.data = va_arg(rest, semid_ds*);  // callers that pass nothing use no such command
  va_end(rest);
  if (!attached()) return REAL(semctl)(id, number, command, argument);
  const Call call = MAZURKA_HERE;
  SemSetRecord* const set = find_set(id);
  if (set == nullptr) return fail(EINVAL);
  if (!is_for_one(command)) return control_set(*set, command, argument, call);
  if (number < 0 || static_cast<uint32_t>(number) >= set->count) return fail(EINVAL);
  return control_one(*set, static_cast<uint32_t>(number), command, argument, call);
}
