#include "runtime/accesses/annotated_blocks.h"

#include <execinfo.h>

#include "runtime/accesses/annotated_code.h"
#include "runtime/accesses/lock_discipline.h"
#include "runtime/core/state.h"
#include "runtime/heap/allocator.h"

namespace mazurka {

bool allocations_are_annotated;

namespace {

constexpr Claim kNoClaim = {Sharing::Shared, 0};

struct AnnotatedBlock {
  uint64_t name;  // slot and count; 0: none
  Claim claim;
};
constexpr uint32_t kBlockTableSize = 1u << 14;
AnnotatedBlock blocks[kBlockTableSize];
uint32_t block_count;
bool stacks_are_annotated;

uint64_t name_of_block(const HeapPlace& at) { return (uint64_t{at.slot} << 32 | at.count) + 1; }

// Its place in the table, or where it would be.
AnnotatedBlock& block_named(uint64_t name) {
  uint64_t place = name * 0x9e37'79b9'7f4a'7c15 >> 40;
  while (blocks[place % kBlockTableSize].name != 0 && blocks[place % kBlockTableSize].name != name)
    ++place;
  return blocks[place % kBlockTableSize];
}

// Of the innermost function that says something about what it allocates.
Claim claim_about_allocation(const void* caller) {
  RuntimeHeap own;
  constexpr int kMost = 64;
  void* frames[kMost];
  const int count = backtrace(frames, kMost);
  int first = 0;
  while (first < count && frames[first] != caller) ++first;
  for (int i = first; i < count; ++i) {
    const AnnotatedCode* const code = code_before(reinterpret_cast<uint64_t>(frames[i]));
    if (code != nullptr && code->allocates != Sharing::Shared)
      return {code->allocates, code->entry};
  }
  return kNoClaim;
}

}  // namespace

void begin_annotated_blocks() {
  const Segment& s = segment();
  allocations_are_annotated = stacks_are_annotated = false;
  for (uint32_t i = 0; i < s.annotated_code_count; ++i) {
    const AnnotatedCode& code = s.annotated_code[i];
    allocations_are_annotated = allocations_are_annotated || code.allocates != Sharing::Shared;
    stacks_are_annotated = stacks_are_annotated || code.starts != Sharing::Shared;
  }
}

bool blocks_are_annotated() { return allocations_are_annotated || stacks_are_annotated; }

void note_allocation(const void* block, const void* caller) {
  HeapPlace at;
  if (!allocations_are_annotated || !state.scheduling || block == nullptr ||
      !allocator_describe(block, &at))
    return;
  const Claim claim = claim_about_allocation(caller);
  if (claim.sharing == Sharing::Shared) return;
  AnnotatedBlock& known = block_named(name_of_block(at));
  if (known.name != 0) return;  // it has grown
  if (++block_count > kBlockTableSize / 2)
    runtime_error(
        "the program allocates more blocks that are annotated than Mazurka can follow (8192)");
  known = {name_of_block(at), claim};
  end_discipline_of(reinterpret_cast<uintptr_t>(block), at.size);
}

Claim claim_about_block(const void* address) {
  HeapPlace at;
  if (block_count == 0 || !allocator_describe(address, &at)) return kNoClaim;
  const AnnotatedBlock& known = block_named(name_of_block(at));
  return known.name != 0 ? known.claim : kNoClaim;
}

Claim claim_about_stack(ThreadId thread) {
  if (!stacks_are_annotated) return kNoClaim;
  const Segment& s = segment();
  const uint64_t start = place(thread).start_routine;
  for (uint32_t i = 0; i < s.annotated_code_count; ++i) {
    const AnnotatedCode& code = s.annotated_code[i];
    const bool begins_here = start == 0 ? code.is_main != 0 : code.entry == start;
    if (code.starts != Sharing::Shared && begins_here) return {code.starts, code.entry};
  }
  return kNoClaim;
}

}  // namespace mazurka
