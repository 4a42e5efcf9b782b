#include "runtime/unshared_memory.h"

#include <algorithm>

#include "runtime/lock_discipline.h"
#include "runtime/race_log.h"
#include "runtime/race_shadow.h"
#include "runtime/seen_memory.h"
#include "runtime/state.h"
#include "runtime/tags.h"

namespace mazurka {

bool memory_is_annotated;

namespace {

// The first that ends behind the address; the end of all if none does.
const AnnotatedMemory* first_behind(uintptr_t address) {
  const Segment& s = segment();
  return std::upper_bound(s.annotated, s.annotated + s.annotated_count, address,
                          [](uintptr_t at, const AnnotatedMemory& memory) { return at < memory.end; });
}

// The bytes of the word that lie in [begin, end), as a mask.
uint64_t mask_of(uintptr_t word, uintptr_t begin, uintptr_t end) {
  const uintptr_t first = begin > word ? begin - word : 0;
  const uintptr_t last = end < word + kWordBytes ? end - word : kWordBytes;
  return (kEpochBytes << first) & (kEpochBytes >> (kWordBytes - last)) & kEpochBytes;
}

void check_word(uintptr_t word, uint64_t bytes, ConflictKind kind, uint32_t flags, uint64_t pc) {
  const MemoryPlace at = place_of(reinterpret_cast<const void*>(word));
  DisciplinedWord& known = disciplined_word(at.space, at.address);
  const SeenAccess now{current_epoch | bytes, pc, flags};
  if (segment().plan.watched == word) remember_watched(now);
  for (uint32_t i = 0; i < kWordBytes; ++i) {
    if ((bytes >> i & 1) == 0) continue;
    DisciplinedByte& byte = known.bytes[i];
    if (byte.last_epoch == 0) byte.first = state.current;
    if (byte.first != state.current && !byte.reported) {
      byte.reported = true;
      log_conflict(kind, word, bytes, {byte.last_epoch, byte.last_pc, byte.last_flags}, now);
    }
    byte.last_epoch = now.epoch;
    byte.last_pc = pc;
    byte.last_flags = flags;
  }
}

void check_part(uintptr_t begin, uintptr_t end, Sharing sharing, bool writes, uint64_t pc) {
  const ConflictKind kind = sharing == Sharing::Unshared ? ConflictKind::Unshared : ConflictKind::Tentative;
  for (uintptr_t word = begin & ~(kWordBytes - 1); word < end; word += kWordBytes) {
    check_word(word, mask_of(word, begin, end), kind, writes ? kWrites : kReads, pc);
  }
}

}  // namespace

bool check_unshared(uintptr_t address, size_t size, bool writes, uint64_t pc) {
  const Segment& s = segment();
  const uintptr_t end = address + size;
  const bool counts = current_epoch != 0 && state.scheduling && !world().alone(state.current);
  uintptr_t covered = 0;
  const AnnotatedMemory* memory = first_behind(address);
  for (; memory != s.annotated + s.annotated_count && memory->begin < end; ++memory) {
    if (memory->sharing == Sharing::Shared) continue;
    const uintptr_t from = std::max<uintptr_t>(address, memory->begin);
    const uintptr_t to = std::min<uintptr_t>(end, memory->end);
    if (counts) check_part(from, to, memory->sharing, writes, pc);
    covered += to - from;
  }
  return covered == size;
}

}  // namespace mazurka
