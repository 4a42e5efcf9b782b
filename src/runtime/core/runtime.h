// What the interposers of this folder build on. We live in a stranger's process: libc only, no
// exceptions, no malloc in a hook, no static constructors. Exactly one thread of the whole program
// runs at a time: the one that holds the baton.
//
// An interposer turns a call into an Operation and calls reach(): the thread stands before it until
// the scheduler chooses it; then the model has done it, and the Effect says what the call returns.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "objects/operation.h"
#include "objects/world.h"
#include "protocol/segment.h"

#define MAZURKA_EXPORT extern "C" __attribute__((visibility("default")))

// The body of an exported function whose entry is in assembler (note_caller.inc).
#define MAZURKA_INNER extern "C" __attribute__((visibility("hidden")))

namespace mazurka {

// False: this process is not run by Mazurka (somebody preloaded us by accident). Pass every call on
// to libc.
bool attached();

// Requires attached().
inline Segment& segment() { return *reinterpret_cast<Segment*>(kSegmentAddress); }
inline World& world() { return segment().world; }
ThreadId current_thread();
ProcessId current_process();

// Where the program called us. Make it in the exported function itself: MAZURKA_HERE.
struct Call {
  uint64_t pc = 0;
  const char* text = nullptr;  // for people: the assertion, what was misused
  // The call stack, where it cannot be taken from here any more (a crash); innermost first.
  void* const* frames = nullptr;
  int frame_count = 0;
};
// Functions of ours that stand in the place of libc's for instrumented code (libc/seen_calls.h) lie
// in a section of their own, and have said on whose behalf they call.
extern void* place_behind;
extern "C" __attribute__((visibility("hidden"))) char __start_mazurka_seen_calls[];
extern "C" __attribute__((visibility("hidden"))) char __stop_mazurka_seen_calls[];
inline uint64_t place_of_call(void* caller) {
  const auto size = static_cast<size_t>(__stop_mazurka_seen_calls - __start_mazurka_seen_calls);
  const bool is_behind = reinterpret_cast<uintptr_t>(caller) -
                             reinterpret_cast<uintptr_t>(__start_mazurka_seen_calls) <
                         size;
  return reinterpret_cast<uint64_t>(is_behind ? place_behind : caller);
}
#define MAZURKA_HERE \
  ::mazurka::Call { .pc = ::mazurka::place_of_call(__builtin_return_address(0)) }

// Stands before the operation, and returns when it has happened. Does not return if it was a misuse
// or ended the process. Before main, while there is one thread and nothing to choose, it happens at
// once.
Effect reach(const Operation& op, const Call& call);

// Does the operation as part of the transition under way: for what is invisible (init) or while
// World::alone.
Effect happen_at_once(const Operation& op, const Call& call);

// Destroying and resetting an object: visible, but invisible while the thread is alone
// (World::alone), so that tidying up after the last join or setting up before the first thread adds
// no transitions.
inline Effect destroy(const Operation& op, const Call& call) {
  return world().alone(current_thread()) ? happen_at_once(op, call) : reach(op, call);
}

// A call whose behaviour is undefined: a finding, and the end of the process.
[[noreturn]] void misuse(Misuse what, Call call, ObjectId object = kNoObject);

// A call without a model: counted and named once in the report. `costs_complete`: it could matter
// for the verdict.
void name_unmodelled(const char* name, Call call, bool costs_complete = true);

// Our own trouble (a table is full, a system call failed): ends the execution with this sentence.
[[noreturn]] void runtime_error(const char* sentence);

// --- objects (tags.cc)

// The objects of libc are named by a tag that we keep in their bytes (all but the smallest): so a
// copy of the memory made by fork is found again, and bytes that were set up anew are a new object.

// The object whose tag these bytes are, or kNoObject: they hold no tag, or that of another kind or
// place.
ObjectId tagged_object(const void* address, ObjectKind kind);
// A new object at this address: makes it in the world and writes the tag over the first 16 bytes.
// Requires 16 bytes.
ObjectId make_tagged_object(void* address, ObjectKind kind);
// For what has no room for a tag (spin locks, once controls, guards, futexes): the object by its
// address alone. `fresh`: the bytes say that it was set up anew. Made if there is none.
ObjectId object_by_address(const void* address, ObjectKind kind, bool fresh = false);
// An object that is named, not placed: by a string ("/sem") or key. Shared between processes. Made
// if there is none.
ObjectId object_by_name(const char* text, uint64_t salt, ObjectKind kind, Storage storage,
                        uint32_t number = 0);
// The same by the hash alone; the text is for people.
ObjectId object_by_hash(uint64_t hash, const char* text, ObjectKind kind);

// Memory that processes share: objects in it belong to all. `identity` is the same in every process
// that maps it.
void remember_shared_mapping(const void* start, size_t length, uint64_t identity, uint64_t offset);
void forget_mapping(const void* start, size_t length);
// Whose memory this address lies in, and where in it. False: it is private.
bool find_shared_mapping(const void* address, uint64_t& identity, uint64_t& offset);

// --- threads and processes

// The id that a new thread or process created by the current thread has.
ThreadId next_child();
// Virtual pid of a process, virtual tid of a thread, and back (kNoThread: not one of ours).
int virtual_pid(ThreadId first_thread);
ThreadId thread_of_virtual_pid(int pid);

// Ends the calling process as exit_group does: a transition if anybody can notice. Status as
// waitpid gives it.
[[noreturn]] void end_process(int wait_status, Call call);

// --- time: virtual, a Lamport clock per thread

// Nanoseconds since the program's epoch for this thread; each reading lets a little time pass.
int64_t read_clock_ns();
// Time passes for the current thread, up to `ns` at least.
void advance_clock_to(int64_t ns);
// CLOCK_REALTIME is the monotonic clock plus this.
inline constexpr int64_t kRealtimeOffset_ns = 1'700'000'000'000'000'000;

// --- helpers for interposers

// The real function behind the one that we export under the same name.
void* real_function(const char* name);

// Functions of libc that are a system call and hardly more. What they do on our behalf is no call
// of the program's, so the kernel need not tell us (syscalls/watched_calls.h).
// NOLINTNEXTLINE(readability-function-size): a list
constexpr bool is_thin_function(const char* name) {
  constexpr const char* kThin[] = {"accept",
                                   "accept4",
                                   "bind",
                                   "clock_nanosleep",
                                   "close",
                                   "close_range",
                                   "closefrom",
                                   "connect",
                                   "dup",
                                   "dup2",
                                   "dup3",
                                   "epoll_create",
                                   "epoll_create1",
                                   "epoll_ctl",
                                   "epoll_pwait",
                                   "epoll_pwait2",
                                   "epoll_wait",
                                   "eventfd",
                                   "execve",
                                   "execveat",
                                   "fcntl",
                                   "flock",
                                   "getpeername",
                                   "getsockname",
                                   "getsockopt",
                                   "ioctl",
                                   "kill",
                                   "listen",
                                   "mq_getattr",
                                   "mq_notify",
                                   "mq_open",
                                   "mq_setattr",
                                   "mq_timedreceive",
                                   "mq_timedsend",
                                   "mq_unlink",
                                   "msgctl",
                                   "msgget",
                                   "msgrcv",
                                   "msgsnd",
                                   "nanosleep",
                                   "pause",
                                   "pipe",
                                   "pipe2",
                                   "poll",
                                   "ppoll",
                                   "pselect",
                                   "recvmsg",
                                   "sched_yield",
                                   "select",
                                   "semctl",
                                   "semget",
                                   "semop",
                                   "semtimedop",
                                   "send",
                                   "sendmsg",
                                   "setitimer",
                                   "setsockopt",
                                   "shmat",
                                   "shmctl",
                                   "shmdt",
                                   "shmget",
                                   "shutdown",
                                   "sigaction",
                                   "sigpending",
                                   "sigprocmask",
                                   "sigqueue",
                                   "sigsuspend",
                                   "sigtimedwait",
                                   "socket",
                                   "socketpair",
                                   "splice",
                                   "tee",
                                   "tgkill",
                                   "timer_create",
                                   "timer_delete",
                                   "timer_settime",
                                   "timerfd_create",
                                   "timerfd_gettime",
                                   "timerfd_settime",
                                   "vmsplice",
                                   "wait4",
                                   "waitid",
                                   "waitpid",
                                   "signalfd",
                                   "inotify_init",
                                   "inotify_init1",
                                   "fanotify_init",
                                   "ptrace",
                                   "process_vm_readv",
                                   "process_vm_writev"};
  for (const char* thin : kThin) {
    const char* rest = name;
    while (*thin != '\0' && *thin == *rest) ++thin, ++rest;
    if (*thin == '\0' && *rest == '\0') return true;
  }
  return false;
}

// While it lives, system calls of libc are the runtime's own. May be nested.
class OwnCalls {
 public:
  OwnCalls();
  ~OwnCalls();
  OwnCalls(const OwnCalls&) = delete;
  OwnCalls& operator=(const OwnCalls&) = delete;

 private:
  char before_;
};

template <typename Function>
struct ThinFunction {
  Function function;
  template <typename... Arguments>
  auto operator()(Arguments... arguments) const {
    OwnCalls own;
    return function(arguments...);
  }
};

// Usage: return REAL(pthread_create)(t, a, f, x);
// What was found stays found over a reset in place (memory_image.cc): hence a section of its own.
#define REAL(name)                                                                      \
  ([]() {                                                                               \
    __attribute__((section("mazurka_found"))) static decltype(&::name) found = nullptr; \
    if (found == nullptr)                                                               \
      found = reinterpret_cast<decltype(&::name)>(::mazurka::real_function(#name));     \
    if constexpr (::mazurka::is_thin_function(#name)) {                                 \
      return ::mazurka::ThinFunction<decltype(&::name)>{found};                         \
    } else {                                                                            \
      return found;                                                                     \
    }                                                                                   \
  }())

// Runs the statements with the heap of the runtime itself, so that the program's addresses do not
// depend on us.
class RuntimeHeap {
 public:
  RuntimeHeap();
  ~RuntimeHeap();
  RuntimeHeap(const RuntimeHeap&) = delete;
  RuntimeHeap& operator=(const RuntimeHeap&) = delete;

 private:
  uint32_t slot_;
};

}  // namespace mazurka
