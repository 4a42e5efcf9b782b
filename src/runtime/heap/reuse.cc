#include "runtime/heap/reuse.h"

#include "execution/channel_options.h"
#include "runtime/accesses/race_shadow.h"
#include "runtime/accesses/spin_trail.h"
#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/state.h"
#include "runtime/core/tags.h"
#include "runtime/heap/allocator.h"
#include "runtime/heap/stale_addresses.h"
#include "runtime/reset/memory_image.h"
#include "runtime/threads/threads.h"

namespace mazurka {

// Stays over a reset in place.
__attribute__((section("mazurka_found"))) bool reuse_is_watched = false;

namespace {

// Without the option: so many batches of executions are looked at, and so many blocks in each.
constexpr uint32_t kMostLooked = 16;
constexpr uint32_t kMostLookedBlocks = 64;

constexpr uint32_t kClasses = 256;
constexpr uint32_t kOfHandles = kClasses;  // the variable after those of the blocks
uint64_t given_back[kClasses + 1];

// What was given back, in that order. What is in use again is found out when it is looked at.
constexpr uint32_t kMostBlocks = 4096;
struct GivenBlock {
  void* block;
  ThreadId by;
};
GivenBlock blocks[kMostBlocks];
uint32_t block_count;
constexpr uint32_t kMostHandles = 256;
pthread_t handles[kMostHandles];
uint32_t handle_count;
bool asks_for_handles;

uint8_t taken[kMaxThreads];            // by each thread
uint64_t own_classes[kMaxThreads][4];  // those of which it has freed a block that it may get again

bool is_chosen() { return segment().control.reuse != 0; }
bool may_take() { return taken[index(current_thread())] < segment().control.reuse; }

uint64_t& class_bits(uint32_t which) { return own_classes[index(current_thread())][which / 64]; }
uint64_t class_bit(uint32_t which) { return uint64_t{1} << which % 64; }

// Who gets something comes after those who gave things back.
void stand(uint32_t variable, bool takes, const Call& call) {
  if (!may_interleave()) return;
  leave_spin_trail();
  Operation op{.kind = OpKind::VarUpdate, .update = Update::Add, .value = 1};
  op.flags = takes ? kAcquire | kRelease : kRelease;
  op.object = variable_object(&given_back[variable], sizeof given_back[variable]);
  refresh_variable(op.object, static_cast<int64_t>(given_back[variable]));
  reach(op, call);
  ++given_back[variable];
  refresh_variable(op.object, static_cast<int64_t>(given_back[variable]));
}

// Which of them the thread gets; `count`: none.
uint32_t choose(uint32_t count, const Call& call) {
  if (count == 0) return count;
  if (count == 1) return 0;
  const Operation toss{.kind = OpKind::Toss, .flags = kForReuse, .value = count - 1};
  return static_cast<uint32_t>(reach(toss, call).value);
}

bool gets_something(const Call& call) {
  if (!may_take()) return false;
  const Operation toss{.kind = OpKind::Toss, .flags = kForReuse, .value = 1};
  if (reach(toss, call).value == 0) return false;
  ++taken[index(current_thread())];
  return true;
}

// By their addresses: which of them is meant does not depend on who gave one back first. Forgets
// those that are in use again.
uint32_t find_blocks(uint32_t size_class, uint32_t* found, uint32_t most) {
  uint32_t kept = 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < block_count; ++i) {
    if (!heap_is_freed(blocks[i].block)) continue;
    blocks[kept++] = blocks[i];
    if (count == most || heap_class_of(blocks[i].block) != size_class) continue;
    uint32_t at = count++;
    for (; at > 0 && blocks[found[at - 1]].block > blocks[i].block; --at) found[at] = found[at - 1];
    found[at] = kept - 1;
  }
  block_count = kept;
  return count;
}

bool may_matter() {
  const Control& control = segment().control;
  return is_chosen() || ((control.unasked & kUnaskedReuse) == 0 && control.done < kMostLooked);
}

bool still_matters() {
  if (may_matter()) return true;
  reuse_is_watched = false;
  note_found_function();  // it stays so
  return false;
}

// Without the option: whether it would have had something to give that somebody still knows.
void note_what_could_come(uint32_t size_class) {
  Control& control = segment().control;
  uint32_t found[16];
  const uint32_t count = find_blocks(size_class, found, 16);
  for (uint32_t i = 0; i < count; ++i) {
    const GivenBlock& given = blocks[found[i]];
    HeapPlace place;
    const bool is_own = given.by == current_thread() && allocator_describe(given.block, &place) &&
                        place.slot == slot_of(current_thread());
    if (!is_own && is_address_kept(reinterpret_cast<uintptr_t>(given.block)))
      control.unasked |= kUnaskedReuse;
  }
}

}  // namespace

void begin_reuse() { reuse_is_watched = may_matter(); }

void* take_reused_block(size_t size, const void* caller) {
  if (!state.scheduling || !still_matters()) return nullptr;
  const uint32_t size_class = heap_class_for(size);
  if (size_class >= kClasses) return nullptr;
  if (!is_chosen()) {
    if (block_count != 0) note_what_could_come(size_class);
    return nullptr;
  }
  const Call call = {.pc = reinterpret_cast<uint64_t>(caller)};
  const bool none_can_come = block_count == 0 && !may_interleave();
  if (!none_can_come && gets_something(call)) {
    stand(size_class, true, call);
    uint32_t found[64];
    const uint32_t count = find_blocks(size_class, found, 64);
    const uint32_t chosen = choose(count, call);
    if (chosen < count) {
      void* const block = blocks[found[chosen]].block;
      if (heap_take_freed(block, size)) {
        forget_accesses(reinterpret_cast<uintptr_t>(block), size);
        return block;
      }
    }
  } else if ((class_bits(size_class) & class_bit(size_class)) != 0) {
    stand(size_class, false, call);  // it may get its own one again
  }
  return nullptr;
}

void give_back_block(void* block, const void* caller) {
  if (!state.scheduling || block == nullptr || !still_matters()) return;
  const uint32_t size_class = heap_class_of(block);
  if (size_class >= kClasses) return;
  if (is_chosen()) {
    stand(size_class, false, {.pc = reinterpret_cast<uint64_t>(caller)});
    class_bits(size_class) |= class_bit(size_class);
  }
  for (uint32_t i = 0; i < block_count; ++i) {
    if (blocks[i].block != block) continue;
    blocks[i].by = current_thread();
    return;
  }
  if (block_count == (is_chosen() ? kMostBlocks : kMostLookedBlocks)) {
    if (is_chosen()) runtime_error("more than 4096 freed blocks that may come back (--reuse)");
    return;
  }
  blocks[block_count++] = {block, current_thread()};
}

void take_reused_handle(ThreadId child, const Call& call) {
  if (!is_chosen()) {
    Control& control = segment().control;
    for (uint32_t i = 0; asks_for_handles && i < handle_count; ++i) {
      if (is_address_kept(handles[i])) control.unasked |= kUnaskedReuse;
    }
    return;
  }
  const bool none_can_come = handle_count == 0 && !may_interleave();
  if (none_can_come || !gets_something(call)) return;
  stand(kOfHandles, true, call);
  const uint32_t chosen = choose(handle_count, call);
  if (chosen >= handle_count) return;
  // Whoever had it can be asked for no more.
  const ThreadId before = thread_of_handle(handles[chosen]);
  if (before != kNoThread) context(before).handle = 0;
  context(child).handle = handles[chosen];
  handles[chosen] = handles[--handle_count];
}

void give_back_handle(pthread_t handle, const Call& call) {
  if (!state.scheduling) return;
  if (is_chosen()) stand(kOfHandles, false, call);
  if (handle_count < kMostHandles) handles[handle_count++] = handle;
}

void note_handle_asked() { asks_for_handles = true; }

}  // namespace mazurka
