#include "runtime/accesses/annotated_calls.h"

#include <execinfo.h>

#include <algorithm>

#include "objects/op_table.h"
#include "runtime/accesses/annotated_code.h"
#include "runtime/accesses/race_clocks.h"
#include "runtime/accesses/race_log.h"
#include "runtime/core/state.h"

namespace mazurka {

bool calls_are_annotated;

namespace {

Granularity granularity_before(uint64_t pc) {
  const AnnotatedCode* const code = code_before(pc);
  return code == nullptr ? Granularity::Fields : code->granularity;
}

// --- calls under way

// The outermost one of its sort.
struct OpenCall {
  uintptr_t frame;  // when it was entered; 0: none
  uint64_t entry;   // of the function
  uint32_t inside;  // functions that were entered since, and not left
};

struct OpenCalls {
  OpenCall any;     // that is one operation
  OpenCall atomic;  // with all that it calls
  OpenCall commuting;
  bool has_released;  // the operation has given a lock back
};
OpenCalls open_calls[kMaxThreads];

OpenCalls& mine() { return open_calls[index(state.current)]; }

void open(OpenCall& call, bool opens, uintptr_t frame, uint64_t entry) {
  if (call.frame <= frame) call = {};  // left by a longjmp
  if (call.frame != 0) {
    ++call.inside;
  } else if (opens) {
    call = {frame, entry, 0};
  }
}

// An exit may be the last thing that a function jumps to, with its frame gone already: so one that
// was called from the very function may leave at the same place. But none leaves above it.
void close(OpenCall& call, uintptr_t frame) {
  if (call.frame < frame || call.inside == 0) {
    call = {};
  } else {
    --call.inside;
  }
}

// --- operations inside

bool is_part_of_no_operation(const Operation& op) {
  const bool is_plain = (op.flags & kPlain) != 0 && is_on_variable(op.kind);  // --memory=visible
  return row_of(op.kind).is_unseen || is_plain;
}

bool takes_lock(const Operation& op) {
  const bool locks =
      op.kind == OpKind::MutexLock || op.kind == OpKind::ReadLock || op.kind == OpKind::WriteLock;
  return locks && (op.flags & (kTry | kTimed)) == 0;
}

bool releases_lock(const Operation& op) {
  return op.kind == OpKind::MutexUnlock || op.kind == OpKind::RwUnlock;
}

// Where a recursive mutex is still held afterwards, nobody can tell that it was unlocked.
bool lets_others_in(const Operation& op) {
  if (op.kind != OpKind::MutexUnlock) return true;
  const Mutex& mutex = world().object(op.object).mutex;
  return mutex.owner != state.current || mutex.depth <= 1;
}

// A jump may have left the call without telling us: its frames know.
bool is_really_inside(Granularity least) {
  RuntimeHeap own;
  constexpr int kMost = 64;
  void* frames[kMost];
  const int count = backtrace(frames, kMost);
  for (int i = 0; i < count; ++i) {
    if (granularity_before(reinterpret_cast<uint64_t>(frames[i])) >= least) return true;
  }
  return false;
}

}  // namespace

void begin_annotated_calls() {
  const Segment& s = segment();
  calls_are_annotated = std::any_of(
      s.annotated_code, s.annotated_code + s.annotated_code_count,
      [](const AnnotatedCode& code) { return code.granularity != Granularity::Fields; });
}

void enter_function(uint64_t pc, uint64_t call, uintptr_t frame) {
  const AnnotatedCode* const own = code_before(pc);
  const AnnotatedCode* const around = code_before(call);
  const Granularity inside = own == nullptr ? Granularity::Fields : own->granularity;
  const Granularity outside = around == nullptr ? Granularity::Fields : around->granularity;
  const uint64_t entry = inside != Granularity::Fields    ? own->entry
                         : outside != Granularity::Fields ? around->entry
                                                          : 0;
  OpenCalls& calls = mine();
  const uintptr_t opened = calls.any.frame;
  open(calls.any, inside >= Granularity::Method || outside != Granularity::Fields, frame, entry);
  open(calls.atomic, inside >= Granularity::Atomic || outside >= Granularity::Atomic, frame, entry);
  open(calls.commuting, inside == Granularity::Commuting || outside == Granularity::Commuting,
       frame, entry);
  if (calls.any.frame != opened || frame == opened) calls.has_released = false;
}

void leave_function(uintptr_t frame) {
  OpenCalls& calls = mine();
  close(calls.any, frame);
  close(calls.atomic, frame);
  close(calls.commuting, frame);
}

bool is_in_operation(uint64_t pc) {
  return mine().atomic.frame != 0 || granularity_before(pc) >= Granularity::Method;
}

// Nobody checks that it commutes: so it must be one.
bool is_in_commuting_operation(uint64_t pc) {
  if (granularity_before(pc) == Granularity::Commuting) return true;
  return mine().commuting.frame != 0 && is_really_inside(Granularity::Commuting);
}

// Where the call was inlined, one call cannot be told from the next: only what no call may do is
// wrong there.
void check_operation_in_call(const Operation& op, const Call& call) {
  OpenCalls& calls = mine();
  const AnnotatedCode* const code = code_before(call.pc);
  const bool is_open = calls.any.frame != 0;
  const bool is_inlined = !is_open && code != nullptr && code->granularity != Granularity::Fields;
  if ((!is_open && !is_inlined) || current_epoch == 0 || is_part_of_no_operation(op) ||
      world().alone(state.current))
    return;
  if (releases_lock(op)) {
    calls.has_released = calls.has_released || (is_open && lets_others_in(op));
    return;
  }
  if (takes_lock(op) && (is_inlined || !calls.has_released)) return;
  if (!is_inlined && !is_really_inside(Granularity::Callee)) return;
  log_operation_in_call(op.kind, (is_open ? calls.any.entry : code->entry) + 1,
                        call.pc);  // as if it were a return address
}

}  // namespace mazurka
