#include "runtime/accesses/unshared_memory.h"

#include <algorithm>

#include "runtime/accesses/annotated_blocks.h"
#include "runtime/accesses/lock_discipline.h"
#include "runtime/accesses/race_log.h"
#include "runtime/accesses/race_shadow.h"
#include "runtime/accesses/seen_memory.h"
#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/state.h"
#include "runtime/core/tags.h"

namespace mazurka {

bool memory_is_annotated;

namespace {

// The first that ends behind the address; the end of all if none does.
const AnnotatedMemory* first_behind(uintptr_t address) {
  const Segment& s = segment();
  return std::upper_bound(
      s.annotated, s.annotated + s.annotated_count, address,
      [](uintptr_t at, const AnnotatedMemory& memory) { return at < memory.end; });
}

// The bytes of the word that lie in [begin, end), as a mask.
uint64_t mask_of(uintptr_t word, uintptr_t begin, uintptr_t end) {
  const uintptr_t first = begin > word ? begin - word : 0;
  const uintptr_t last = end < word + kWordBytes ? end - word : kWordBytes;
  return (kEpochBytes << first) & (kEpochBytes >> (kWordBytes - last)) & kEpochBytes;
}

// What is known of bytes that have become another thread's stack is not about them.
void settle(DisciplinedByte& byte, ThreadId owner) {
  if (byte.last_epoch != 0 && byte.owner != owner) byte = {};
  byte.owner = owner;
}

// Of an access, what one thing is said about.
struct Part {
  uintptr_t begin, end;
  Claim claim;
  ThreadId owner;  // whose stack it is, kNoThread if it is none
};

// What is tentative is learned: of blocks and stacks by what was said about them.
void report(const Part& part, uintptr_t word, uint64_t bytes, const SeenAccess& before,
            const SeenAccess& now) {
  if (part.claim.sharing == Sharing::Unshared)
    return log_conflict(ConflictKind::Unshared, word, bytes, before, now);
  const bool by_code = part.claim.code != 0;
  log_conflict(ConflictKind::Tentative, by_code ? part.claim.code : word, by_code ? 1 : bytes,
               before, now);
}

void check_word(const Part& part, uintptr_t word, uint32_t flags, uint64_t pc) {
  const uint64_t bytes = mask_of(word, part.begin, part.end);
  const MemoryPlace at = place_of(reinterpret_cast<const void*>(word));
  DisciplinedWord& known = disciplined_word(at.space, at.address);
  const SeenAccess now{current_epoch | bytes, pc, flags};
  if (segment().plan.watched == word) remember_watched(now);
  for (uint32_t i = 0; i < kWordBytes; ++i) {
    if ((bytes >> i & 1) == 0) continue;
    DisciplinedByte& byte = known.bytes[i];
    settle(byte, part.owner);
    if (byte.last_epoch == 0) byte.first = state.current;
    if (byte.first != state.current && !byte.reported) {
      byte.reported = true;
      report(part, word, bytes, {byte.last_epoch, byte.last_pc, byte.last_flags}, now);
    }
    byte.last_epoch = now.epoch;
    byte.last_pc = pc;
    byte.last_flags = flags;
  }
}

void check_part(const Part& part, bool writes, uint64_t pc) {
  for (uintptr_t word = part.begin & ~(kWordBytes - 1); word < part.end; word += kWordBytes) {
    check_word(part, word, writes ? kWrites : kReads, pc);
  }
}

// The beginning of [begin, end) of which one thing is said.
Part first_part(uintptr_t begin, uintptr_t end) {
  const Segment& s = segment();
  const AnnotatedMemory* const memory = first_behind(begin);
  if (memory != s.annotated + s.annotated_count && memory->begin < end) {
    if (memory->begin <= begin)
      return {begin, std::min<uintptr_t>(end, memory->end), {memory->sharing, 0}, kNoThread};
    end = memory->begin;
  }
  if (!blocks_are_annotated()) return {begin, end, {Sharing::Shared, 0}, kNoThread};
  constexpr uintptr_t kUnit = 16;  // blocks and stacks are no smaller
  end = std::min(end, (begin / kUnit + 1) * kUnit);
  const ThreadId owner = thread_with_stack(begin);
  const Claim claim = owner == kNoThread ? claim_about_block(reinterpret_cast<const void*>(begin))
                                         : claim_about_stack(owner);
  return {begin, end, claim, owner};
}

}  // namespace

bool check_unshared(uintptr_t address, size_t size, bool writes, uint64_t pc) {
  const bool counts = current_epoch != 0 && state.scheduling && !world().alone(state.current);
  uintptr_t covered = 0;
  for (const uintptr_t end = address + size; address < end;) {
    const Part part = first_part(address, end);
    address = part.end;
    if (part.claim.sharing == Sharing::Shared) continue;
    if (counts) check_part(part, writes, pc);
    covered += part.end - part.begin;
  }
  return covered == size;
}

}  // namespace mazurka
