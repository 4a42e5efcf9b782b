#include "runtime/core/places.h"

#include <execinfo.h>

#include "base/check.h"
#include "protocol/look.h"
#include "runtime/core/state.h"
#include "runtime/threads/unwind.h"

namespace mazurka {
namespace {

constexpr int kMostFrames = 64;

void log_frames(ThreadPlace& here, void* const* frames, int count) {
  Segment& s = segment();
  if (s.log.frame_end + kMostFrames > kMaxFrames) return;
  here.frame_begin = s.log.frame_end;
  here.frame_count = static_cast<uint16_t>(count);
  for (int i = 0; i < count; ++i)
    s.frames[s.log.frame_end++] = reinterpret_cast<uint64_t>(frames[i]);
}

void log_look(ThreadPlace& here, ThreadId id, uint64_t pc) {
  RuntimeHeap own;
  auto* frames = reinterpret_cast<LookFrame*>(segment().frames + look_begin(id));
  const int count = frames_with_registers(pc, frames, kMostLookFrames);
  here.frame_begin = look_begin(id);
  here.frame_count = static_cast<uint16_t>(count * static_cast<int>(kLookWords));
}

// Not inlined: its frames must not be in the way of those who come here without a need for stacks.
__attribute__((noinline)) void log_stack(ThreadPlace& here, const Call& call) {
  if (call.frames != nullptr) return log_frames(here, call.frames, call.frame_count);
  RuntimeHeap own;
  void* frames[kMostFrames];
  const int count = backtrace(frames, kMostFrames);
  // Ours are on top: the first that counts is the place of the call.
  int first = 0;
  while (first < count && reinterpret_cast<uint64_t>(frames[first]) != call.pc) ++first;
  if (first == count) first = 0;
  log_frames(here, frames + first, count - first);
}

}  // namespace

void record_place(ThreadId id, const Call& call) {
  MAZURKA_DEBUG_CHECK(id == state.current);
  const PlanHeader& plan = segment().plan;
  ThreadPlace& here = place(id);
  here.pc = call.pc;
  here.text = call.text != nullptr ? add_text(call.text) : 0;
  here.frame_count = 0;
  if (plan.show_output == kShowsAndStands) return log_look(here, id, call.pc);
  if (plan.stacks) log_stack(here, call);
}

void record_interruption(uint64_t pc, void* const* frames, int count) {
  place(state.current).pc = pc;
  log_frames(place(state.current), frames, count);
}

}  // namespace mazurka
