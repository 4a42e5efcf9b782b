// A visible operation: what a thread stands before in a global state. The interposers in the
// runtime make them, the models in this folder say when they are enabled and what they do, the
// searches and reports read them.
//
// Plain data with a fixed layout: operations travel through the shared segment.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "objects/op_part.h"

namespace mazurka {

enum class OpKind : uint8_t {
  None,

  // Threads. `target` is the thread joined. With kTry or kTimed a join that cannot happen now
  // fails.
  Join,
  // A thread's end, where others can notice it. Then the thread stands at exit; but the last one of
  // its process (value 1 in the effect) goes on to do what exit does.
  ThreadExit,

  // Processes. `value` is the wait status (as waitpid gives it) with which the process ends.
  ProcessEnd,  // exit, _exit, return from main, where somebody can notice it
  Fork,  // where the process has other threads that nobody has joined: the copy shows what they did
  Exec,  // a new image, where the process has other threads: they are gone
  Crash,      // `value`: the signal
  Assertion,  // assert, mz_assert
  Misuse,     // a call whose behaviour is undefined; `value` is a Misuse
  // `target`: the child (its first thread), or kNoThread for any. kTry is WNOHANG. The outcome is
  // the child.
  WaitChild,

  // `value`: the largest result; outcomes 0..value. kForNoReason: whether `object` does what it
  // may; kForSignals: the thread stands where it can take signals, and there is nothing to choose;
  // kForReuse: whether it gets something that was given back, or which.
  Toss,
  // mz_event: `object` is its name. The value of its effect: how many events came before it.
  Event,

  // Mutexes and spin locks. Lock takes kTry and kTimed.
  MutexLock,
  MutexUnlock,
  MutexDestroy,
  MutexConsistent,

  // Condition variables: `object` is the condition, `second` the mutex.
  CondWait,       // release the mutex and join the waiters
  CondReacquire,  // after CondWait without a timeout: woken, and the mutex is free
  CondWake,  // after CondWait with a timeout: outcome 0 woken, 1 timed out; the mutex is locked by
             // MutexLock then
  CondSignal,  // the outcome is the thread woken, or kNobody
  CondBroadcast,
  CondDestroy,

  // Reader-writer locks. The locks take kTry and kTimed.
  ReadLock,
  WriteLock,
  RwUnlock,
  RwDestroy,

  BarrierArrive,
  BarrierLeave,  // `value`: the round
  BarrierDestroy,

  // POSIX semaphores. SemWait takes kTry and kTimed.
  SemWait,
  SemPost,
  SemGetValue,
  SemDestroy,

  // System V semaphores: `object` is the set; the parts name its semaphores.
  Semop,         // all parts at once; takes kTimed
  SemctlSet,     // SETVAL, SETALL: parts carry the new values
  SemctlGet,     // GETVAL, GETALL, GETNCNT, GETPID...
  SemctlRemove,  // IPC_RMID; `second`: the name of its key, which is free then, or kNoObject

  // Opening, making and removing objects by name or key: `object` is the name.
  NameOpen,
  NameUnlink,

  // pthread_once, call_once, guards of static locals.
  OnceBegin,  // enabled unless another thread is inside; result EAGAIN: this thread must run it and
              // end it
  OnceEnd,    // `value`: 1 done, 0 abandoned (exception, fork)

  // Futexes, as the C++ standard library uses them.
  // Join the waiters. `second`: the word as a variable, if the program's atomics are seen: then it
  // is compared with `value` first, and the error is EAGAIN where it differs; otherwise the
  // comparison is the runtime's.
  FutexWait,
  FutexBlocked,  // outcome 0 woken, 1 timed out (only with kTimed)
  // `value`: how many at most. One of several: the outcome is the thread woken (kNobody if none
  // waits). Otherwise the longest waiting ones are woken.
  FutexWake,

  // Shared variables. `value`: what is stored, the operand of an update, what a compare-exchange
  // expects. With kSpinning they wait until one of the variables of their parts has changed. Other
  // parts are variables in the same bytes.
  VarLoad,
  VarStore,
  VarUpdate,           // reads, calculates and writes at once; `update` says how
  VarCompareExchange,  // writes `desired` if it finds `value`, otherwise it only reads (and its
                       // error is EAGAIN)

  // Pipes, sockets and eventfds: `object` is the channel, `second` the description. `value`: bytes
  // wanted. kTry: MSG_DONTWAIT; kTimed: SO_RCVTIMEO and SO_SNDTIMEO. Whether the description is
  // non-blocking the model knows.
  ChannelRead,
  ChannelWrite,
  // Open descriptions: `object`, and `second` where a call makes two.
  DescriptionOpen,   // where the process has other threads: which numbers its descriptors get
                     // depends on what those do
  DescriptionClose,  // the last descriptor of this process
  DescriptionSet,    // fcntl, shutdown; `value` is a DescriptionChange
  // poll, select, epoll_wait: the parts name descriptions and the events wanted. kTry: does not
  // wait; kTimed.
  Poll,

  // Message queues (kinds/channels/queue.h).
  QueueSend,
  QueueReceive,
  QueueGet,     // mq_getattr, IPC_STAT
  QueueSet,     // IPC_SET
  QueueRemove,  // IPC_RMID
  // Sockets that find each other by name (kinds/sockets/socket.h). `value`: the host, `desired`:
  // flags.
  SocketBind,     // `object`: the address; `second`: the description
  SocketListen,   // `object`: the description; `value`: the backlog
  SocketConnect,  // as SocketBind
  SocketAccept,   // `object`: the queue; `second`: the description that listens; `value`: the new
                  // description
  DatagramSend,  // as SocketBind, but `value` is how many bytes, and the host is in `desired`; with
                 // kLossy outcome 1: it is lost
  AddressLook,   // `object`: the address, a path: whether it exists; or to change its permissions
                 // (socket.h)
  AddressUnlink,  // `object`: the address, a path
  // FIFOs: `object` is the address, `second` the description (of FifoMake: the channel). `desired`:
  // kIsReal.
  FifoMake,
  FifoOpen,  // fails, or opens; the effect's value is 1 if it must wait for the other side
  FifoWait,  // `object`: the channel; `value`: how often the other side had been opened

  // Signals (signals.h). Sets of signals and masks: bit n-1 for signal n.
  SignalSend,  // `value`: the signal, 0 for none; `target`: to whom; `desired`: what is sent along
  SignalAction,  // `value`: the signal; `desired`: what its handler blocks
  SignalMask,    // `value`: what the thread blocks from now on
  SignalLook,    // sigpending
  SignalPause,   // until a handler has run: pause, sigsuspend; `value`: what it blocks meanwhile
  SignalWait,    // sigwait and its kin; `value`: which ones; takes kTry and kTimed
  SignalCancel,  // what a timer would send: `value`

  // Timers that are descriptors (kinds/channels/timer.h).
  TimerRead,
  TimerSet,
  TimerGet,

  // Locks of files (kinds/files/file_lock.h): `object` is the file.
  FileLock,
  FileUnlock,
  FileLook,
  FileForget,
  // Files on disk (kinds/files/file_use.h): `object` is the file or name that the call is about,
  // `second` the other name (rename, link) or kNoObject; `value` is a FileVerb. The parts name all
  // that it uses.
  FileUse,

  // Random numbers of libc (kinds/processes/generator.h): `object` is the sequence.
  GeneratorDraw,
  GeneratorSeed,  // `value`: the seed, -1 where it is none

  // A yield or sleep of the program: without effect. `value`: how long, in ns.
  Pause,
  // Waits until another thread has moved.
  WaitForOthers,

  kCount,
};

enum OpFlag : uint8_t {
  kTry = 1,         // fails instead of blocking
  kTimed = 2,       // times out instead of blocking
  kNoWait = 4,      // Semop: IPC_NOWAIT on the part that cannot proceed
  kSpinning = 8,    // on a variable: the thread has come round without effect
  kGoesOn = 16,     // on a channel: the rest of a write that has transferred some
  kPeek = 32,       // on a channel: a read that leaves everything there
  kExcept = 64,     // on a queue: MSG_EXCEPT
  kMayExpire = 64,  // of a Poll: a timer is among what it looks at
  kCut = 128,       // on a queue: MSG_NOERROR
  kLossy = 64,  // on datagrams: they may be lost, and overtake each other; the outcome of a read is
                // which one it gets
  kOwnMask = 128,  // of a Poll: `desired` are the signals that are blocked while it waits
  kPartial = 128,  // on a stream: outcome 1: one byte is transferred, 2: half of what could be
  kShared = 16,    // on the locks of a file
  kRecord = 32,
  kOfDescription = 64,
  kAcquire = 16,  // on a variable: what it orders
  kRelease = 32,
  kAcquireOnFailure = 64,  // of a compare-exchange that fails
  kPlain = 128,            // a plain access; what a store stores is not known here
  kForNoReason = 16,       // of a Toss
  kForSignals = 32,
  kForReuse = 64,
};

// What an update of a variable makes of its old value and the operand.
enum class Update : uint8_t { Exchange, Add, And, Or, Xor, Nand, Negate };

struct Operation {
  OpKind kind = OpKind::None;
  uint8_t flags = 0;
  ThreadId target = kNoThread;
  ObjectId object = kNoObject;
  ObjectId second = kNoObject;
  uint32_t part_begin = 0;  // in World::parts
  uint32_t part_count = 0;
  Update update = Update::Exchange;  // VarUpdate
  uint8_t padding[3] = {};
  int64_t value = 0;
  int64_t deadline_ns = 0;  // kTimed: when, on the virtual clock
  int64_t desired =
      0;  // VarCompareExchange; on a queue: the type; TimerSet: the interval; of a record: its end
};
static_assert(sizeof(Operation) == 48);

enum class Misuse : uint8_t {
  None,
  UnlockNotOwned,  // a mutex, spin lock or reader-writer lock that the thread does not hold
  DestroyBusy,     // a locked mutex, a condition or barrier with waiters
  NotInitialised,  // the bytes are no object
  Destroyed,       // used after destroy
  RelockedOwn,     // a spin lock or writer lock that the thread holds itself
  WaitNotOwned,    // a condition wait with a mutex that the thread does not hold
  TwoMutexes,      // a condition wait with another mutex than the other waiters'
  JoinTwice,       // a thread that was joined already, or is detached
  BadThread,       // a thread id that is none
  Overflow,        // more than the object can count
};

// What an operation did to the thread that did it.
struct Effect {
  int32_t error = 0;  // an errno value: what the call returns or sets; 0 for success
  Misuse misuse = Misuse::None;
  uint8_t signal = 0;           // that was taken (signals.h)
  ThreadId thread = kNoThread;  // who was woken, joined or reaped; who sent the signal
  int64_t value = 0;            // toss result, semaphore value, wait status, threads woken
};
static_assert(sizeof(Effect) == 16);

constexpr bool is_on_channel(OpKind kind) {
  return kind == OpKind::ChannelRead || kind == OpKind::ChannelWrite;
}
constexpr bool is_queue_transfer(OpKind kind) {
  return kind == OpKind::QueueSend || kind == OpKind::QueueReceive;
}
// A thread that is about to do this goes round a loop for ever if nobody else is ever chosen.
constexpr bool lets_others_go_first(OpKind kind) {
  return kind == OpKind::Pause || kind == OpKind::WaitForOthers;
}
constexpr bool is_on_variable(OpKind kind) {
  return kind >= OpKind::VarLoad && kind <= OpKind::VarCompareExchange;
}

// "lock", "condition wait": for reports.
const char* name_of(OpKind kind);
const char* describe(Misuse misuse);

}  // namespace mazurka
