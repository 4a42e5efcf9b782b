// What the runtime knows about this process. Private memory: fork copies it, a reset rolls it back.
#pragma once

#include <pthread.h>

#include "runtime/core/runtime.h"

namespace mazurka {

struct ThreadLocalDestructor;
struct __attribute__((may_alias)) CleanupBuffer;

// Of a thread that may be spinning (spin_trail.h).
struct SpinTrail {
  uint64_t activity;
  uint32_t count;        // of its visits
  uint32_t clock_looks;  // in a row (time_calls.cc)
  uint32_t transitions;  // of the thread, at the last of these
};

// How a thread of this process is carried.
struct Context {
  void* stack_pointer;  // fibers: where it stopped
  void* fs_base;        // fibers: its TCB
  pthread_t handle;
  char* stack_low;          // lowest usable byte
  const void* first_frame;  // of the program's own frames none lies above
  size_t stack_size;
  void* (*start)(void*);
  void* argument;
  void* result;
  ThreadLocalDestructor* destructors;
  CleanupBuffer* cleanups;
  SpinTrail trail;
  const void*
      handler_frame;  // of a handler of a signal that runs, or ran when it was left by a jump
  int exit_status;    // what it called exit() with
  uint32_t turn;      // kernel threads: futex, 1 when it may go on
  bool has_shell;
};

struct State {
  Segment* segment;  // null: not attached
  bool tried_to_attach;
  bool scheduling;  // in an execution; before it, things happen at once
  bool has_fsgsbase;
  Carrier carrier;
  ProcessId process;
  ThreadId current;
  char segment_path[64];  // for the image after an exec
  Context contexts[kMaxThreads];
};

extern State state;

inline Context& context(ThreadId id) { return state.contexts[index(id)]; }
inline ThreadPlace& place(ThreadId id) { return segment().places[index(id)]; }
inline ProcessSlot& process_slot(ProcessId id) { return segment().processes[index(id)]; }
inline uint16_t slot_of(ThreadId id) { return segment().names.threads[index(id)].slot; }

// Maps the segment if the environment names one. Called by everything that may come first.
void attach();

// Text for the log of this execution, and text for the whole search. 0: none, or no room.
uint32_t add_text(const char* text);
uint32_t keep_text(const char* text);

// Lists the modules of this process, so that the tool can name addresses.
void record_modules();

}  // namespace mazurka
