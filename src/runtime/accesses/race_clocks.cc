#include "runtime/accesses/race_clocks.h"

#include <poll.h>
#include <signal.h>

#include <cerrno>
#include <cstring>

#include "kinds/signals/signal_parts.h"
#include "objects/misuse.h"
#include "objects/op_table.h"
#include "runtime/accesses/seen_memory.h"
#include "runtime/core/hot.h"
#include "runtime/core/limits.h"
#include "runtime/core/state.h"

namespace mazurka {

MAZURKA_HOT(2) Epoch current_epoch;
MAZURKA_HOT(2) const uint32_t* current_clocks;

namespace {

// Each thread has three rows: what it knows; what it knew at its last release fence; what an
// acquire fence would tell it.
enum ThreadRow : uint32_t { kKnows, kFenced, kSeen, kThreadRows };
// Objects have up to four. Reader-writer locks: of writers, of readers; barriers: of even and odd
// rounds; files: as reader-writer locks, and again for records; channels: of writers, and of the
// ends of writers and readers.
constexpr uint32_t kFirstObjectRow = kThreadRows * kMaxThreads;
constexpr uint32_t kFirstStride = 16;

uint32_t* row_at(uint32_t row) {
  return shared_part().clocks + uint64_t{row} * shared_part().clock_stride;
}

uint32_t width() {
  const uint32_t stride = shared_part().clock_stride;
  return world().thread_limit < stride ? world().thread_limit : stride;
}

void clear_row(uint32_t row) {
  memset(row_at(row), 0, shared_part().clock_stride * sizeof(uint32_t));
}

// There is a thread that has no column yet.
void widen(uint32_t threads) {
  SharedPart& shared = shared_part();
  const uint32_t old_stride = shared.clock_stride;
  uint32_t stride = old_stride;
  while (stride < threads) stride *= 2;
  if (uint64_t{shared.clock_rows} * stride > kClockWords)
    limit_reached("too many threads and objects for vector clocks");
  for (uint32_t row = shared.clock_rows; row-- > 0;) {
    uint32_t* const from = shared.clocks + uint64_t{row} * old_stride;
    uint32_t* const to = shared.clocks + uint64_t{row} * stride;
    memmove(to, from, old_stride * sizeof *to);
    memset(to + old_stride, 0, (stride - old_stride) * sizeof *to);
  }
  shared.clock_stride = stride;
}

// Its first in this execution. May move all rows.
__attribute__((noinline)) void begin_thread_rows(ThreadId thread) {
  SharedPart& shared = shared_part();
  if (index(thread) >= shared.clock_stride) widen(index(thread) + 1u);
  shared.thread_generations[index(thread)] = shared.generation;
  for (uint32_t row = 0; row < kThreadRows; ++row) clear_row(index(thread) * kThreadRows + row);
  row_at(index(thread) * kThreadRows)[index(thread)] = 1;
}

// A thread beyond the stride has no rows of this execution: they would have made it wider.
inline uint32_t* thread_row(ThreadId thread, ThreadRow which = kKnows) {
  const SharedPart& shared = shared_part();
  if (shared.thread_generations[index(thread)] != shared.generation) [[unlikely]]
    begin_thread_rows(thread);
  return row_at(index(thread) * kThreadRows + which);
}

// nullptr: nobody has released anything there.
uint32_t* find_object_row(ObjectId object, uint32_t side) {
  const SharedPart::Row& found = shared_part().object_rows[side][index(object)];
  return found.generation == shared_part().generation ? row_at(found.row) : nullptr;
}

uint32_t* object_row(ObjectId object, uint32_t side) {
  if (uint32_t* found = find_object_row(object, side)) return found;
  SharedPart& shared = shared_part();
  if (uint64_t{shared.clock_rows + 1} * shared.clock_stride > kClockWords) {
    limit_reached("too many threads and objects for vector clocks");
  }
  const uint32_t row = shared.clock_rows++;
  shared.object_rows[side][index(object)] = {shared.generation, row};
  clear_row(row);
  return row_at(row);
}

// Several at a time, as signed numbers, which every processor can compare so: no clock has more
// than 26 bits. Strides are multiples of them; what is behind the threads is 0.
using Lanes = int32_t __attribute__((vector_size(16), aligned(4), may_alias));
constexpr uint32_t kLanes = sizeof(Lanes) / sizeof(int32_t);
static_assert(kFirstStride % kLanes == 0);

void join(uint32_t* into, const uint32_t* from) {
  const uint32_t count = width();
  for (uint32_t i = 0; i < count; i += kLanes) {
    auto& to = *reinterpret_cast<Lanes*>(into + i);
    const auto with = *reinterpret_cast<const Lanes*>(from + i);
    to = to < with ? with : to;
  }
}

// A bit for each that is not 0.
uint32_t bits_of(const Lanes& lanes) {
  using Floats = float __attribute__((vector_size(16)));
  return static_cast<uint32_t>(__builtin_ia32_movmskps(reinterpret_cast<Floats>(lanes != 0)));
}

void copy(uint32_t* into, const uint32_t* from) {
  const uint32_t count = width();
  for (uint32_t i = 0; i < count; i += kLanes)
    *reinterpret_cast<Lanes*>(into + i) = *reinterpret_cast<const Lanes*>(from + i);
}

// --- acquire and release

void acquire(ThreadId thread, ObjectId object, uint32_t side = 0) {
  uint32_t* const mine = thread_row(thread);
  if (const uint32_t* from = find_object_row(object, side)) join(mine, from);
}

void release(ThreadId thread, ObjectId object, uint32_t side = 0) {
  uint32_t* const mine = thread_row(thread);
  join(object_row(object, side), mine);
  ++mine[index(thread)];
}

void acquire_thread(ThreadId thread, ThreadId other) {
  thread_row(other);  // may move the rows
  uint32_t* const mine = thread_row(thread);
  join(mine, thread_row(other));
}

void acquire_process(ThreadId thread, ProcessId ended) {
  for (uint32_t i = 0; i < world().thread_limit; ++i) {
    const ThreadState& other = world().threads[i];
    if (other.status != ThreadStatus::Absent && other.process == ended)
      acquire_thread(thread, ThreadId(i));
  }
}

// --- variables, as C and C++ have it

void read_variable(ThreadId thread, ObjectId variable, uint8_t flags) {
  const uint32_t* const from = find_object_row(variable, 0);
  if (from == nullptr) return;
  join(thread_row(thread, flags & kAcquire ? kKnows : kSeen), from);
}

// --- release sequences. An update continues all that lead up to it. A store ends them, but by the
// languages up to C++17 and C17 those that its own thread has begun; what these tell is the clock
// of that thread's last release among them. So for each variable it is known who has begun
// sequences that go on: mostly one thread or none, and what it told is all that the variable's row
// has.
constexpr uint32_t kOfVariable = 0;
constexpr uint32_t kOfBeginners = 1;  // side: a row with the number of a row for each thread
constexpr uint32_t kNobody = ~uint32_t{0};
constexpr uint32_t kOneThread = uint32_t{1} << 31;  // or instead of the row: that thread

uint32_t& beginners(ObjectId variable) {
  SharedPart::Row& found = shared_part().object_rows[kOfBeginners][index(variable)];
  if (found.generation != shared_part().generation) found = {shared_part().generation, kNobody};
  return found.row;
}

uint32_t new_row() {
  SharedPart& shared = shared_part();
  if (uint64_t{shared.clock_rows + 1} * shared.clock_stride > kClockWords)
    limit_reached("too many threads and objects for vector clocks");
  clear_row(shared.clock_rows);
  return shared.clock_rows++;
}

// The row with what the thread's sequences tell, by the directory. Made if there is none.
uint32_t* told_by(uint32_t directory, ThreadId thread) {
  if (row_at(directory)[index(thread)] == 0) {
    const uint32_t made = new_row();
    row_at(directory)[index(thread)] = made;
  }
  return row_at(row_at(directory)[index(thread)]);
}

// The thread has begun a sequence by an update, which tells what is in row `from` of it. Before
// that is added to what the variable tells.
void begin_sequence(ThreadId thread, ObjectId variable, ThreadRow from) {
  uint32_t known = beginners(variable);
  if (known == kNobody || known == (kOneThread | index(thread))) {
    beginners(variable) = kOneThread | index(thread);
    return;
  }
  if ((known & kOneThread) != 0) {
    const auto only = ThreadId(known & ~kOneThread);
    known = beginners(variable) = new_row();
    copy(told_by(known, only), object_row(variable, kOfVariable));
  }
  uint32_t* const told = told_by(known, thread);
  join(told, thread_row(thread, from));
}

// By a store, all sequences end but those of its own thread, if these go on: then the variable
// tells what they tell. False: there are none.
bool keep_own_sequences(ThreadId thread, ObjectId variable) {
  const uint32_t known = beginners(variable);
  if (known == (kOneThread | index(thread))) return true;
  if (known == kNobody || (known & kOneThread) != 0 || row_at(known)[index(thread)] == 0)
    return false;
  copy(object_row(variable, kOfVariable), told_by(known, thread));
  beginners(variable) = kOneThread | index(thread);
  return true;
}

// By how the standard of the code has it that the thread runs.
bool stores_go_on(ThreadId thread) {
  const Segment& s = segment();
  const uint64_t pc = place(thread).pc - 1;
  for (uint32_t i = 0; i < s.older_code_count; ++i) {
    if (pc - s.older_code[i].begin < s.older_code[i].end - s.older_code[i].begin) return true;
  }
  return false;
}

void write_variable(ThreadId thread, ObjectId variable, uint8_t flags, bool is_update) {
  thread_row(thread);
  uint32_t* into = object_row(variable, kOfVariable);
  const bool releases = (flags & kRelease) != 0;
  const ThreadRow source = releases ? kKnows : kFenced;
  const bool tells = thread_row(thread, source)[index(thread)] != 0;
  if (is_update) {
    if (tells) begin_sequence(thread, variable, source);
    into = object_row(variable, kOfVariable);
    join(into, thread_row(thread, source));
  } else if (!releases && stores_go_on(thread) && keep_own_sequences(thread, variable)) {
    into = object_row(variable, kOfVariable);
    join(into, thread_row(thread, source));
  } else {
    copy(into, thread_row(thread, source));
    beginners(variable) = tells ? kOneThread | index(thread) : kNobody;
  }
  if (releases) ++thread_row(thread)[index(thread)];
}

void order_variable(ThreadId thread, const Operation& op, const Effect& effect) {
  const bool writes = op.kind != OpKind::VarLoad && effect.error == 0;
  const bool reads = op.kind != OpKind::VarStore;
  uint8_t flags = op.flags;
  if (effect.error != 0) flags = op.flags & kAcquireOnFailure ? kAcquire : 0;
  if (reads) read_variable(thread, op.object, flags);
  if (writes) write_variable(thread, op.object, op.flags, reads);
}

// --- the rest

// Additions commute with each other, so they learn nothing; what takes away or waits for zero comes
// after them.
void order_semop(ThreadId thread, const Operation& op) {
  for (uint32_t i = 0; i < op.part_count; ++i) {
    const OpPart& part = world().parts[op.part_begin + i];
    const bool sets = op.kind == OpKind::SemctlSet;
    if (sets || part.sem.delta <= 0) acquire(thread, part.object);
    if (sets || part.sem.delta != 0) release(thread, part.object);
  }
}

void order_rwlock(ThreadId thread, const Operation& op, const Effect& effect) {
  constexpr uint32_t kOfWriters = 0;
  constexpr uint32_t kOfReaders = 1;
  if (op.kind == OpKind::RwUnlock) {
    const bool wrote = effect.value == 1;
    return release(thread, op.object, wrote ? kOfWriters : kOfReaders);
  }
  acquire(thread, op.object, kOfWriters);
  if (op.kind == OpKind::WriteLock) acquire(thread, op.object, kOfReaders);
}

// --- locks of files

uint32_t side_of(bool is_record, bool is_shared) {
  return (is_record ? 2u : 0u) + (is_shared ? 1u : 0u);
}

// Records are not told apart by their ranges.
void order_file_lock(ThreadId thread, const Operation& op, const Effect& effect) {
  const bool is_record = (op.flags & kRecord) != 0;
  if (effect.value == 1) return;  // not yet
  acquire(thread, op.object, side_of(is_record, false));
  if ((op.flags & kShared) == 0) acquire(thread, op.object, side_of(is_record, true));
}

void note_file_locks() {
  SharedPart& shared = shared_part();
  shared.locks_before_count = world().file_lock_count;
  for (uint32_t i = 0; i < shared.locks_before_count; ++i)
    shared.locks_before[i] = world().file_locks[i];
}

bool is_still_there(const FileLock& lock) {
  for (uint32_t i = 0; i < world().file_lock_count; ++i) {
    const FileLock& now = world().file_locks[i];
    const bool is_same =
        now.file == lock.file && now.owner == lock.owner && now.is_record == lock.is_record;
    if (is_same && now.is_shared == lock.is_shared && now.begin <= lock.begin &&
        now.end >= lock.end)
      return true;
  }
  return false;
}

// By an unlock, a close, an end.
void order_given_up_locks(ThreadId thread) {
  SharedPart& shared = shared_part();
  for (uint32_t i = 0; i < shared.locks_before_count; ++i) {
    const FileLock& lock = shared.locks_before[i];
    if (!is_still_there(lock)) release(thread, lock.file, side_of(lock.is_record, lock.is_shared));
  }
  shared.locks_before_count = 0;
}

// A thread that is late to leave its round has not arrived for the next but one.
void order_barrier(ThreadId thread, const Operation& op, const Effect& effect) {
  const bool arrives = op.kind == OpKind::BarrierArrive;
  const auto side = static_cast<uint32_t>(arrives ? effect.value : op.value) % 2;
  if (arrives) return release(thread, op.object, side);
  acquire(thread, op.object, side);
}

// --- channels

constexpr uint32_t kEndOfWriters = 1;
constexpr uint32_t kEndOfReaders = 2;

void order_read(ThreadId thread, const Operation& op, const Effect& effect) {
  const bool finds_end = effect.error == ECONNRESET || (effect.error == 0 && effect.value == 0);
  if (effect.error == 0) acquire(thread, op.object);
  if (finds_end) acquire(thread, op.object, kEndOfWriters);
}

void order_write(ThreadId thread, const Operation& op, const Effect& effect) {
  if (effect.error == 0) return release(thread, op.object);
  const bool finds_end = effect.error == EPIPE || effect.error == ECONNRESET;
  if (finds_end) acquire(thread, op.object, kEndOfReaders);
}

// Also where others still have it open: the last of them comes after this one.
void order_close(ThreadId thread, const Description& closed) {
  if (kind_behind(world(), closed) != ObjectKind::Channel) return;
  if (closed.writes != kNoObject) release(thread, closed.writes, kEndOfWriters);
  if (closed.reads != kNoObject) release(thread, closed.reads, kEndOfReaders);
}

void order_shutdown(ThreadId thread, const Operation& op) {
  const Description& shut = world().object(op.object).description;
  const auto change = static_cast<DescriptionChange>(op.value);
  const bool both = change == DescriptionChange::ShutBoth;
  if (both || change == DescriptionChange::ShutWrite) release(thread, shut.writes, kEndOfWriters);
  if (both || change == DescriptionChange::ShutRead) release(thread, shut.reads, kEndOfReaders);
}

void order_polled_channels(ThreadId thread, const Description& polled, int events) {
  if (polled.reads != kNoObject) {
    if (events & (POLLIN | POLLRDNORM)) acquire(thread, polled.reads);
    if (world().object(polled.reads).channel.is_at_end())
      acquire(thread, polled.reads, kEndOfWriters);
  }
  if (polled.writes != kNoObject && world().object(polled.writes).channel.is_broken())
    acquire(thread, polled.writes, kEndOfReaders);
}

void order_poll(ThreadId thread, const Operation& op) {
  for (uint32_t i = 0; i < op.part_count; ++i) {
    const OpPart& part = world().parts[op.part_begin + i];
    const int events = ready_events(world(), thread, part);
    const Description& polled = world().object(part.object).description;
    const ObjectKind kind = kind_behind(world(), polled);
    if (events == 0 || (events & POLLNVAL) != 0 || kind == ObjectKind::File) continue;
    if (kind == ObjectKind::Channel) {
      order_polled_channels(thread, polled, events);
    } else if (events & (POLLIN | POLLRDNORM)) {
      acquire(thread, polled.either());
    }
  }
}

// --- ends of threads and processes: what they held goes to others

void order_robust_mutexes(ThreadId ends, ThreadId holder) {
  World& w = world();
  for (uint32_t i = 0; w.thread(holder).robust_held > 0 && i < w.object_limit; ++i) {
    if (holds_robust(w, holder, w.objects[i])) release(ends, ObjectId(i));
  }
}

void order_robust_mutexes_of_process(ThreadId ends) {
  for (uint32_t i = 0; i < world().thread_limit; ++i) {
    const ThreadState& other = world().threads[i];
    const bool is_there =
        other.status != ThreadStatus::Absent && other.status != ThreadStatus::AtExit;
    if (is_there && other.process == world().thread(ends).process)
      order_robust_mutexes(ends, ThreadId(i));
  }
}

void order_thread_end(ThreadId thread) {
  const ProcessId process = world().thread(thread).process;
  if (world().process(process).live_threads == 1) acquire_process(thread, process);
  order_robust_mutexes(thread, thread);
}

void order_process_end(ThreadId thread) {
  const World& w = world();
  const ProcessId process = w.thread(thread).process;
  acquire_process(thread, process);
  order_robust_mutexes_of_process(thread);
  for (uint32_t i = 0; i < w.undo_count; ++i) {
    if (w.undo[i].process == process && w.undo[i].adjustment != 0)
      release(thread, w.undo[i].semaphore);
  }
  for (uint32_t i = 0; i < w.object_limit; ++i) {
    const Object& object = w.objects[i];
    if (object.kind == ObjectKind::Description && object.description.is_held_by(process))
      order_close(thread, object.description);
  }
}

// Whether the step ends its process whatever its operation does: by a signal, or as a misuse.
bool is_fatal(ThreadId thread, const Operation& op, Outcome outcome) {
  const World& w = world();
  if (is_delivery(op, outcome))
    return !handles(signal_table(w, w.thread(thread).process), signal_of(outcome));
  return !is_on_variable(op.kind) && foretell_misuse(w, thread, op) != Misuse::None;
}

void order_exec(ThreadId thread) {
  acquire_process(thread, world().thread(thread).process);
  order_robust_mutexes_of_process(thread);
}

// Who accepts comes after the one who connected.
void release_to_queue(ThreadId thread, const Effect& effect) {
  if (effect.value < 0) return;
  release(thread, world().object(ObjectId(static_cast<uint32_t>(effect.value))).description.reads);
}

// Signals are like messages. Where those for a thread or process are kept: numbers that no object
// ever has.
ObjectId mailbox(ThreadId target) { return ObjectId{kMaxObjects - 1 - index(target)}; }

void order_send(ThreadId thread, const Operation& op) {
  if ((op.flags & kToAll) == 0) return release(thread, mailbox(op.target));
  for (uint32_t i = 0; i < world().thread_limit; ++i) {
    if (world().processes[i].exists) release(thread, mailbox(ThreadId(i)));
  }
}

void order_taken_signal(ThreadId thread, const Effect& effect) {
  acquire(thread, mailbox(thread));
  acquire(thread, mailbox(world().thread(thread).process));
  if (effect.signal == SIGCHLD && world().process(effect.thread).ended)
    acquire_process(thread, effect.thread);
}

void order_open(ThreadId thread, const Operation& op, const Effect& effect) {
  acquire(thread, op.object);
  if (effect.value == 1) release(thread, op.object);  // who makes a thing sets it up
}

void order_success(ThreadId thread, const Operation& op, const Effect& effect) {
  switch (row_of(op.kind).order) {
    case Order::Undecided:
    case Order::Nothing:
    case Order::Variable:   // order_step did it, at its only place: it is inlined there
    case Order::ThreadEnd:  // order_before_step did these
    case Order::ProcessEnd:
    case Order::Exec:
    case Order::Read:  // order_step: their failures order, too
    case Order::Write:
      return;
    case Order::Poll:
      return order_poll(thread, op);
    case Order::Acquire:
      return acquire(thread, op.object);
    case Order::Release:
      return release(thread, op.object);
    case Order::AcquireSecond:
      return acquire(thread, op.second);
    case Order::ReleaseSecond:
      return release(thread, op.second);
    case Order::Join:
      return acquire_thread(thread, op.target);
    case Order::Child:
      if (effect.thread != kNoThread) acquire_process(thread, effect.thread);
      return;
    case Order::RwLock:
      return order_rwlock(thread, op, effect);
    case Order::Barrier:
      return order_barrier(thread, op, effect);
    case Order::Semaphores:
      return order_semop(thread, op);
    case Order::Name:
      return order_open(thread, op, effect);
    case Order::Connect:
      return release_to_queue(thread, effect);
    case Order::Close:
      return order_close(thread, world().object(op.object).description);
    case Order::Shutdown:
      return order_shutdown(thread, op);
    case Order::Send:
      return order_send(thread, op);
    case Order::FileLock:
      return order_file_lock(thread, op, effect);
  }
}

bool got_the_lock(const Operation& op, const Effect& effect) {
  return effect.error == EOWNERDEAD &&
         (op.kind == OpKind::MutexLock || op.kind == OpKind::CondReacquire);
}

}  // namespace

void begin_clocks() {
  SharedPart& shared = shared_part();
  if (shared.clock_stride == 0) shared.clock_stride = kFirstStride;
  shared.clock_rows = kFirstObjectRow;
  shared.locks_before_count = 0;  // an execution may break off in a step
}

uint32_t threads_known(uint32_t count) {
  const uint32_t most = width() < count ? width() : count;
  uint32_t known = 0;
  for (uint32_t i = 0; i < most; i += kLanes)
    known |= bits_of(*reinterpret_cast<const Lanes*>(current_clocks + i)) << i;
  return known;
}

namespace {

// Part of the image that a reset in place takes after they were saved.
constexpr uint32_t kMaxSavedThreads = 128;
uint32_t saved_threads;
uint32_t saved_stride;
uint32_t
    saved_rows[kThreadRows * kMaxSavedThreads * kMaxSavedThreads];  // as they lie in the clocks

}  // namespace

bool save_clocks() {
  const SharedPart& shared = shared_part();
  saved_threads = world().thread_limit;
  saved_stride = shared.clock_stride;
  if (saved_threads > kMaxSavedThreads || saved_stride > kMaxSavedThreads ||
      shared.clock_rows != kFirstObjectRow)
    return false;
  for (uint32_t i = 0; i < saved_threads; ++i) thread_row(ThreadId(i));
  if (shared.clock_stride != saved_stride) return false;
  memcpy(saved_rows, row_at(0),
         size_t{saved_threads} * kThreadRows * saved_stride * sizeof *saved_rows);
  return true;
}

// Rows that are wider by now have zeroes behind.
void restore_clocks() {
  SharedPart& shared = shared_part();
  shared.locks_before_count = 0;
  const bool is_as_wide = shared.clock_stride == saved_stride;
  if (is_as_wide)
    memcpy(row_at(0), saved_rows,
           size_t{saved_threads} * kThreadRows * saved_stride * sizeof *saved_rows);
  for (uint32_t row = 0; row < saved_threads * kThreadRows && !is_as_wide; ++row) {
    clear_row(row);
    memcpy(row_at(row), saved_rows + size_t{row} * saved_stride, saved_stride * sizeof *saved_rows);
  }
  for (uint32_t i = 0; i < saved_threads; ++i) shared.thread_generations[i] = shared.generation;
}

void show_clock(ThreadId thread) {
  if (!memory_is_seen()) return;
  current_clocks = thread_row(thread);
  current_epoch = uint64_t{shared_part().generation} << kEpochGenerationShift |
                  uint64_t{index(thread)} << kEpochThreadShift |
                  uint64_t{current_clocks[index(thread)]} << kEpochClockShift;
}

void order_creation(ThreadId creator, ThreadId created) {
  thread_row(created);
  thread_row(creator);
  uint32_t* const made = thread_row(created);
  uint32_t* const maker = thread_row(creator);
  join(made, maker);
  ++maker[index(creator)];
}

void order_before_step(ThreadId thread, const Operation& op, Outcome outcome) {
  note_file_locks();
  if (is_fatal(thread, op, outcome)) return order_process_end(thread);
  if (is_delivery(op, outcome)) return;
  switch (row_of(op.kind).order) {
    case Order::ThreadEnd:
      return order_thread_end(thread);
    case Order::ProcessEnd:
      return order_process_end(thread);
    case Order::Exec:
      return order_exec(thread);
    default:
      return;
  }
}

void order_last_thread(ThreadId thread) {
  acquire_process(thread, world().thread(thread).process);
  show_clock(thread);
}

void order_step(ThreadId thread, const Operation& op, const Effect& effect) {
  order_given_up_locks(thread);
  if (effect.misuse != Misuse::None) return;
  if (effect.signal != 0) order_taken_signal(thread, effect);
  if (effect.signal != 0 && effect.error != 0) return;
  const Order order = row_of(op.kind).order;
  if (order == Order::Variable) return order_variable(thread, op, effect);
  if (order == Order::Read) return order_read(thread, op, effect);
  if (order == Order::Write) return order_write(thread, op, effect);
  const bool connects = op.kind == OpKind::SocketConnect && effect.error == EINPROGRESS;
  const bool done =
      effect.error == 0 || connects || got_the_lock(op, effect) || (op.kind == OpKind::OnceBegin);
  if (done) order_success(thread, op, effect);
}

void order_fence(uint8_t flags) {
  if (!memory_is_seen() || !state.scheduling) return;
  const ThreadId me = state.current;
  uint32_t* const knows = thread_row(me);
  if (flags & kAcquire) join(knows, thread_row(me, kSeen));
  if (flags & kRelease) {
    copy(thread_row(me, kFenced), knows);
    ++knows[index(me)];
  }
  show_clock(me);
}

}  // namespace mazurka
