// pthread_once, and the guards of C++ static locals: calls become operations on kinds/sync/once.h.
//
// Compilers look at a guard themselves and call us only while its first byte is 0. That look is
// invisible to us, so if another thread's release set the byte, what a thread does next would
// depend on something outside its happens-before past. So the byte is set only by a thread that is
// alone; otherwise each thread calls us, and the first time that it learns that the work is done is
// a visible operation. From then on it knows, and a bit of its own says so. The same for
// pthread_once.
#include "runtime/sync/once_calls.h"

#include <unwind.h>

#include <cerrno>
#include <cstring>

#include "runtime/core/state.h"

extern "C" {
int __cxa_guard_acquire(uint64_t* guard);
void __cxa_guard_release(uint64_t* guard);
void __cxa_guard_abort(uint64_t* guard);
void mazurka_call_once_routine(void (*routine)());
_Unwind_Reason_Code mazurka_once_personality(int version, _Unwind_Action actions,
                                             _Unwind_Exception_Class, _Unwind_Exception*,
                                             _Unwind_Context*);
}

namespace mazurka {
namespace {

// A control or guard as we use it: four bytes that were zero when they were set up.
struct Marks {
  uint32_t* word;
  uint32_t first_thread_bit;  // this bit and those above: threads that know that it is done
  const void* address;        // of the whole

  uint32_t my_bit() const {
    const uint32_t bit = first_thread_bit + index(current_thread());
    return bit < 32 ? uint32_t{1} << bit : 0;
  }
  bool i_know() const { return (*word & my_bit()) != 0; }
  uint32_t registered() const { return uint32_t{1} << (first_thread_bit - 1); }
};

// glibc's own value for "done": it stands in controls that were used before we were there, too.
constexpr int kDoneForAll = 2;

Marks marks_of(pthread_once_t* control) {
  return {reinterpret_cast<uint32_t*>(control), 3, control};
}
Marks marks_of(uint64_t* guard) { return {reinterpret_cast<uint32_t*>(guard) + 1, 1, guard}; }
uint8_t& done_byte(uint64_t* guard) { return *reinterpret_cast<uint8_t*>(guard); }

ObjectId object_of(const Marks& marks) {
  const bool fresh = (*marks.word & marks.registered()) == 0;
  *marks.word |= marks.registered();
  return object_by_address(marks.address, ObjectKind::Once, fresh);
}

// The C++ library sets up its own parts when they are first needed (locales, the unwinder). Who
// does that makes no difference to the program, so it is invisible.
bool is_of_cxx_library(const void* address) {
  constexpr const char* kLibraries[] = {"/libstdc++.so", "/libgcc_s.so", "/libc++.so",
                                        "/libc++abi.so"};
  const Segment& s = segment();
  const auto number = reinterpret_cast<uintptr_t>(address);
  for (uint32_t i = 0; i < s.module_count; ++i) {
    const Module& module = s.modules[i];
    if (number < module.start || number >= module.end) continue;
    for (const char* library : kLibraries) {
      if (strstr(s.kept_text + module.path, library) != nullptr) return true;
    }
    return false;
  }
  return false;
}

Effect step(const Operation& op, const Marks& marks, Call call) {
  const bool invisible =
      is_of_cxx_library(marks.address) && enabled(world(), current_thread(), op).any();
  return invisible ? happen_at_once(op, call) : reach(op, call);
}

// True: this thread must do the work and call `end` then.
bool begin(const Marks& marks, Call call) {
  if (marks.i_know()) return false;
  const Operation op{.kind = OpKind::OnceBegin, .object = object_of(marks)};
  if (step(op, marks, call).error == EAGAIN) return true;
  *marks.word |= marks.my_bit();
  return false;
}

// The object is looked up again: the work may have forked, and this be the child with its own copy.
// True: nobody need ask any more.
bool end(const Marks& marks, bool done, Call call) {
  step({.kind = OpKind::OnceEnd, .object = object_of(marks), .value = done ? 1 : 0}, marks, call);
  if (!done) return false;
  *marks.word |= marks.my_bit();
  // What we make libgcc do is done for the children of this process, too: they unwind at each step.
  return !state.scheduling || world().alone(current_thread()) || is_of_cxx_library(marks.address);
}

// The routines that a thread is inside of, innermost first.
struct RunningRoutine {
  pthread_once_t* control;
  Call call;
  RunningRoutine* outer;
};
__thread RunningRoutine* running;

// A longjmp leaves frames without telling us. What lies deeper than the present frame is gone.
void forget_left_frames(const void* frame) {
  while (running != nullptr && static_cast<const void*>(running) < frame) running = running->outer;
}

}  // namespace

void run_once(pthread_once_t* control, void (*routine)(), Call call) {
  const Marks marks = marks_of(control);
  if ((*control & kDoneForAll) != 0 || !begin(marks, call)) return;
  forget_left_frames(__builtin_frame_address(0));
  RunningRoutine frame{control, call, running};
  running = &frame;
  mazurka_call_once_routine(routine);
  running = frame.outer;
  if (end(marks, true, call)) *control |= kDoneForAll;
}

}  // namespace mazurka

using namespace mazurka;

// Something unwinds through the frame of the innermost routine. We only take note: with no landing
// pad there is nothing to resume, so neither libgcc nor the C++ library is needed, and any unwinder
// will do.
_Unwind_Reason_Code mazurka_once_personality(int, _Unwind_Action actions, _Unwind_Exception_Class,
                                             _Unwind_Exception*, _Unwind_Context*) {
  if ((actions & _UA_CLEANUP_PHASE) == 0) return _URC_CONTINUE_UNWIND;
  forget_left_frames(__builtin_frame_address(0));
  if (running == nullptr) return _URC_CONTINUE_UNWIND;
  const RunningRoutine left = *running;
  running = left.outer;
  end(marks_of(left.control), false, left.call);
  return _URC_CONTINUE_UNWIND;
}

MAZURKA_EXPORT int pthread_once(pthread_once_t* control, void (*routine)()) {
  if (!attached()) return REAL(pthread_once)(control, routine);
  run_once(control, routine, MAZURKA_HERE);
  return 0;
}

MAZURKA_EXPORT int __cxa_guard_acquire(uint64_t* guard) {
  if (!attached()) return REAL(__cxa_guard_acquire)(guard);
  if (done_byte(guard) != 0) return 0;
  return begin(marks_of(guard), MAZURKA_HERE) ? 1 : 0;
}

MAZURKA_EXPORT void __cxa_guard_release(uint64_t* guard) {
  if (!attached()) return REAL(__cxa_guard_release)(guard);
  if (end(marks_of(guard), true, MAZURKA_HERE)) done_byte(guard) = 1;
}

MAZURKA_EXPORT void __cxa_guard_abort(uint64_t* guard) {
  if (!attached()) return REAL(__cxa_guard_abort)(guard);
  end(marks_of(guard), false, MAZURKA_HERE);
}
