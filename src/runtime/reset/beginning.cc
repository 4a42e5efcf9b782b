#include "runtime/reset/beginning.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "base/check.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/files/private_files.h"

namespace mazurka {
namespace {

// Part of the image that a reset in place takes after it was saved, so it stays what it is.
struct Beginning {
  uint32_t thread_limit, object_limit, part_count, undo_count, has_timers;
  uint32_t touched_count, created_count;
  uint32_t sem_set_count, shared_file_count;
  uint64_t unmodelled_calls;
  ThreadId current;
  ThreadState* threads;
  ThreadPlace* places;
  ObjectId* touched;
  ThreadId* created;
  OpPart* parts;
  Object* objects;
  ProcessState process;  // the first one
};
Beginning beginning;

template <typename T>
T* saved(const T* from, size_t count) {
  const long address = raw_syscall(SYS_mmap, 0, static_cast<long>(count * sizeof(T) + 1),
                                   PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw_failed(address)) runtime_error("no memory to save the world in");
  return static_cast<T*>(
      memcpy(reinterpret_cast<void*>(address), static_cast<const void*>(from), count * sizeof(T)));
}

template <typename T>
void restore(T* to, const T* from, size_t count) {
  memcpy(static_cast<void*>(to), from, count * sizeof(T));
}

uint64_t count_unmodelled() {
  const Segment& s = segment();
  uint64_t calls = 0;
  for (uint32_t i = 0; i < s.unmodelled_count; ++i) calls += s.unmodelled[i].count;
  return calls;
}

}  // namespace

void list_what_is_there() {
  World& w = world();
  w.created_count = 0;
  w.created[w.created_count++] = kMainThread;
  w.touched_count = 0;
  for (uint32_t i = 0; i < w.object_limit; ++i) {
    if (w.objects[i].kind != ObjectKind::None) w.touch(ObjectId(i));
  }
}

void save_beginning() {
  const Segment& s = segment();
  const World& w = s.world;
  beginning = {w.thread_limit,
               w.object_limit,
               w.part_count,
               w.undo_count,
               w.has_timers,
               w.touched_count,
               w.created_count,
               s.sem_set_count,
               s.shared_file_count,
               count_unmodelled(),
               state.current,
               saved(w.threads, w.thread_limit),
               saved(s.places, w.thread_limit),
               saved(w.touched, w.touched_count),
               saved(w.created, w.created_count),
               saved(w.parts, w.part_count),
               saved(w.objects, w.object_limit),
               w.processes[0]};
}

void clear_last_execution() {
  Segment& s = segment();
  for (uint32_t i = 0; i < s.world.thread_limit; ++i) {
    s.processes[i] = {};
    s.places[i] = {};
  }
  for (SharedMemory& memory : s.shared_memories) {
    if (memory.used && memory.server_fd >= 0) raw_syscall(SYS_ftruncate, memory.server_fd, 0);
    memory.used = 0;
  }
  s.sem_set_count = beginning.sem_set_count;
  s.shared_file_count = beginning.shared_file_count;
  s.descriptor_count = 0;
  s.queue_count = 0;
  s.socket_count = 0;
  s.file_count = 0;
  s.opened_count = 0;
  s.closed_count = 0;
  prepare_private_files();
  s.control.lost = 0;
  s.control.baton_holder = kMainThread;
  s.control.running = beginning.current;
  s.processes[0].attached = 1;
  s.processes[0].alive = 1;
  s.processes[0].running = kMainThread;
}

void restore_beginning() {
  Segment& s = segment();
  World& w = s.world;
  w.clear(beginning.thread_limit, beginning.object_limit);
  w.thread_limit = beginning.thread_limit;
  w.object_limit = beginning.object_limit;
  w.part_count = beginning.part_count;
  w.undo_count = beginning.undo_count;
  w.has_timers = beginning.has_timers;
  w.touched_count = beginning.touched_count;
  w.created_count = beginning.created_count;
  restore(w.threads, beginning.threads, w.thread_limit);
  restore(s.places, beginning.places, w.thread_limit);
  restore(w.touched, beginning.touched, w.touched_count);
  restore(w.created, beginning.created, w.created_count);
  restore(w.parts, beginning.parts, w.part_count);
  restore(w.objects, beginning.objects, w.object_limit);
  w.processes[0] = beginning.process;
}

namespace {

bool has_logged_nothing(const LogHeader& log) {
  return log.setting_begin == log.setting_end && log.creation_begin == log.creation_end &&
         log.race_begin == log.race_end && log.guard_begin == log.guard_end &&
         log.remembered == 0 && segment().known_words.count == log.word_begin;
}

// Ids that other instances of the program have not agreed to may come to mean something else.
bool has_no_new_names(const Segment& s) {
  return s.names.thread_count == s.batch.thread_names &&
         s.names.object_count == s.batch.object_names;
}

bool has_no_records(const Segment& s) {
  for (const SharedMemory& memory : s.shared_memories) {
    if (memory.used) return false;
  }
  return s.sem_set_count == beginning.sem_set_count &&
         s.shared_file_count == beginning.shared_file_count &&
         s.descriptor_count + s.queue_count + s.socket_count + s.file_count + s.opened_count +
                 s.closed_count ==
             0 &&
         static_cast<PrivateFiles>(s.control.private_files) == PrivateFiles::None;
}

bool is_plain(const World& w) {
  return w.moves == 0 && w.undo_count == beginning.undo_count && w.message_limit == 0 &&
         w.file_lock_count == 0 && w.signal_count == 0 && w.signal_table_count == 1;
}

bool is_plain(const ProcessSlot& slot) {
  return slot.execs == 0 && slot.left_group == 0 && slot.directory == 0;
}

// What an assertion says lies in the text of the present batch.
bool has_texts(const Segment& s) {
  for (uint32_t i = 0; i < s.world.thread_limit; ++i) {
    if (s.places[i].text != 0 || s.places[i].frame_count != 0) return true;
  }
  return false;
}

bool has_other_processes(const World& w) {
  for (uint32_t i = 1; i < w.thread_limit; ++i) {
    if (w.processes[i].exists) return true;
  }
  return false;
}

}  // namespace

bool may_begin_here() {
  const Segment& s = segment();
  MAZURKA_CHECK(s.log.step_count == 0);
  return has_logged_nothing(s.log) && has_no_new_names(s) && has_no_records(s) &&
         is_plain(s.world) && is_plain(s.processes[0]) && !has_other_processes(s.world) &&
         !has_texts(s) && count_unmodelled() == beginning.unmodelled_calls;
}

}  // namespace mazurka
