#include "runtime/threads/unwind.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <unwind.h>

#include <csetjmp>
#include <cstring>

#include "runtime/core/state.h"

namespace mazurka {

// What pthread_cleanup_push of C code registers: a jump buffer of glibc's, then room that is ours
// to use.
struct __attribute__((may_alias)) CleanupBuffer {
  long jump[8];
  int mask_was_saved;
  void* previous;  // the first word of the padding: the buffer that encloses this one
};

namespace {

using ForcedUnwind = _Unwind_Reason_Code (*)(_Unwind_Exception*, _Unwind_Stop_Fn, void*);
ForcedUnwind forced_unwind;

// Of libgcc, which the runtime must not be linked with.
struct {
  _Unwind_Reason_Code (*backtrace)(_Unwind_Trace_Fn, void*);
  _Unwind_Word (*ip)(_Unwind_Context*);
  _Unwind_Word (*cfa)(_Unwind_Context*);
  _Unwind_Word (*reg)(_Unwind_Context*, int);
} unwinder;

struct LookWalk {
  uint64_t first_pc;
  LookFrame* out;
  int count;
  int most;
};

// What libgcc calls the CFA here is the stack pointer of the frame: its callee's canonical frame
// address.
_Unwind_Reason_Code note_frame(_Unwind_Context* context, void* argument) {
  auto* walk = static_cast<LookWalk*>(argument);
  const uint64_t pc = unwinder.ip(context);
  if (walk->count == 0 && pc != walk->first_pc) return _URC_NO_REASON;  // ours are on top
  if (walk->count == walk->most) return _URC_END_OF_STACK;
  const auto reg = [context](int number) {
    return static_cast<uint64_t>(unwinder.reg(context, number));
  };
  walk->out[walk->count++] = {pc,
                              unwinder.cfa(context),
                              reg(3),
                              reg(6),
                              reg(12),
                              reg(13),
                              reg(14),
                              reg(15),
                              reinterpret_cast<uint64_t>(__builtin_thread_pointer())};
  return _URC_NO_REASON;
}

template <typename F>
void find(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
}

_Unwind_Reason_Code stop(int, _Unwind_Action action, _Unwind_Exception_Class, _Unwind_Exception*,
                         _Unwind_Context*, void* finish) {
  if ((action & _UA_END_OF_STACK) != 0) reinterpret_cast<void (*)()>(finish)();
  return _URC_NO_REASON;
}

// C code without exceptions: jump into the innermost registered handler, which comes back by
// __pthread_unwind_next.
void run_c_cleanups() {
  Context& self = context(state.current);
  CleanupBuffer* innermost = self.cleanups;
  if (innermost == nullptr) return;
  self.cleanups = static_cast<CleanupBuffer*>(innermost->previous);
  siglongjmp(reinterpret_cast<__jmp_buf_tag*>(innermost), 1);
}

void (*finish_after_cleanups)();

}  // namespace

void prepare_unwinding() {
  RuntimeHeap own;
  void* frames[4];
  backtrace(frames, 4);
  void* library = dlopen("libgcc_s.so.1", RTLD_NOW);
  if (library == nullptr) return;
  find(library, "_Unwind_ForcedUnwind", forced_unwind);
  find(library, "_Unwind_Backtrace", unwinder.backtrace);
  find(library, "_Unwind_GetIP", unwinder.ip);
  find(library, "_Unwind_GetCFA", unwinder.cfa);
  find(library, "_Unwind_GetGR", unwinder.reg);
}

int frames_with_registers(uint64_t pc, LookFrame* out, int most) {
  if (unwinder.backtrace == nullptr || unwinder.ip == nullptr || unwinder.cfa == nullptr ||
      unwinder.reg == nullptr)
    return 0;
  LookWalk walk{pc, out, 0, most};
  unwinder.backtrace(note_frame, &walk);
  return walk.count;
}

void unwind_thread(void (*finish)()) {
  finish_after_cleanups = finish;
  run_c_cleanups();
  if (forced_unwind != nullptr) {
    static __thread _Unwind_Exception exception;
    memset(&exception, 0, sizeof exception);
    forced_unwind(&exception, stop, reinterpret_cast<void*>(finish));
  }
  finish();
  __builtin_unreachable();
}

}  // namespace mazurka

using namespace mazurka;

extern "C" {
void __pthread_register_cancel(__pthread_unwind_buf_t*);
void __pthread_unregister_cancel(__pthread_unwind_buf_t*);
void __pthread_unwind_next(__pthread_unwind_buf_t*);
}

MAZURKA_EXPORT void __pthread_register_cancel(__pthread_unwind_buf_t* buffer) {
  if (!attached()) return REAL(__pthread_register_cancel)(buffer);
  auto* cleanup = reinterpret_cast<CleanupBuffer*>(buffer);
  cleanup->previous = context(state.current).cleanups;
  context(state.current).cleanups = cleanup;
}

MAZURKA_EXPORT void __pthread_unregister_cancel(__pthread_unwind_buf_t* buffer) {
  if (!attached()) return REAL(__pthread_unregister_cancel)(buffer);
  context(state.current).cleanups =
      static_cast<CleanupBuffer*>(reinterpret_cast<CleanupBuffer*>(buffer)->previous);
}

MAZURKA_EXPORT void __pthread_unwind_next(__pthread_unwind_buf_t* buffer) {
  if (!attached()) REAL(__pthread_unwind_next)(buffer);
  unwind_thread(finish_after_cleanups);
}
