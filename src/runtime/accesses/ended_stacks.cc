#include "runtime/accesses/ended_stacks.h"

#include <bit>

#include "runtime/accesses/race_log.h"
#include "runtime/accesses/race_shadow.h"
#include "runtime/core/state.h"

namespace mazurka {
namespace {

// Unordered with what the stack's thread does next, maybe with its end.
struct Visit {
  ThreadId owner;
  uintptr_t word;
  SeenAccess access;
};
constexpr uint32_t kMostVisits = 512;
Visit visits[kMostVisits];
uint32_t visit_count;

Epoch ends[kMaxThreads];  // 0: it has not ended

SeenAccess end_of(ThreadId thread) {
  return {ends[index(thread)], place(thread).start_routine + 1, kWrites | kEnds};
}

// kNoThread: nobody's in this process, who is in it still or has ended there.
ThreadId owner_of(uintptr_t address) {
  const World& w = world();
  for (uint32_t i = 0; i < w.thread_limit; ++i) {
    const auto id = ThreadId(i);
    const bool is_here = w.threads[i].status != ThreadStatus::Absent &&
                         w.threads[i].process == state.process && id != state.process;
    if (is_here && holds_stack_of(id, address)) return id;
  }
  return kNoThread;
}

bool is_noted(const Visit& visit) {
  for (uint32_t i = visit_count; i > 0; --i) {
    const Visit& other = visits[i - 1];
    if (other.word == visit.word && other.access.pc == visit.access.pc &&
        other.access.flags == visit.access.flags &&
        thread_of(other.access.epoch) == thread_of(visit.access.epoch)) {
      visits[i - 1] = visit;  // what knows the later one knows the earlier one
      return true;
    }
  }
  return false;
}

}  // namespace

void visit_stack(uintptr_t word, uint64_t bytes, uint32_t flags, uint64_t pc) {
  const ThreadId owner = owner_of(word);
  if (owner == kNoThread || owner == state.current) return;
  // What the thread itself does next must not depend on an end that nothing orders with it.
  if (ends[index(owner)] != 0 && !is_known(ends[index(owner)])) {
    return log_conflict(ConflictKind::Race, word, bytes, end_of(owner), {current_epoch, pc, flags});
  }
  if (ends[index(owner)] != 0) {
    const uintptr_t address = word + static_cast<uint32_t>(std::countr_zero(bytes));
    allocator_report((flags & kWrites) != 0 ? "write to the stack of a thread that has ended"
                                            : "read of the stack of a thread that has ended",
                     reinterpret_cast<void*>(address), reinterpret_cast<void*>(pc));
    return;
  }
  const Visit visit = {owner, word, {current_epoch | bytes, pc, flags}};
  if (!is_noted(visit) && visit_count < kMostVisits) visits[visit_count++] = visit;
}

void end_stack() {
  ends[index(state.current)] = current_epoch;
  for (uint32_t i = 0; i < visit_count; ++i) {
    const auto& [owner, word, access] = visits[i];
    if (owner != state.current || is_known(access.epoch)) continue;
    log_conflict(ConflictKind::Race, word, access.epoch & kEpochBytes, access, end_of(owner));
  }
}

}  // namespace mazurka
