#include "runtime/shared_words.h"

#include "protocol/known_words.h"
#include "runtime/lock_discipline.h"
#include "runtime/race_shadow.h"
#include "runtime/seen_memory.h"
#include "runtime/state.h"
#include "runtime/tags.h"

namespace mazurka {
namespace {

// Adds it to the accesses of the transition that runs: theirs are the last in the log.
void log_word(uint32_t word, bool writes) {
  Segment& s = segment();
  if (s.log.step_count == 0) return;  // nobody else has moved yet
  LoggedStep& step = s.steps[s.log.step_begin + s.log.step_count - 1];
  const Resource resource = memory_resource(word);
  const Mode mode = writes ? Mode::Write : Mode::Read;
  s.free_run.note_late(resource, mode);
  AccessList list{s.accesses + step.access_begin, kMaxStepAccesses, step.access_count, step.accesses_everything != 0};
  list.add(resource, mode);
  s.log.access_end += list.count - step.access_count;
  step.access_count = list.count;
  step.accesses_everything = list.overflow;
}

// Whether it is shared now.
bool meet(const MemoryWord& word, bool writes) {
  DisciplinedWord& seen = disciplined_word(word.space, word.address);
  if (!seen.is_touched) {
    seen.is_touched = true;
    seen.toucher = state.current;
  }
  seen.is_touched_by_many = seen.is_touched_by_many || seen.toucher != state.current;
  seen.is_touched_to_write = seen.is_touched_to_write || writes;
  return seen.is_touched_by_many && seen.is_touched_to_write;
}

}  // namespace

// What a thread does that is alone is ordered with all that others do.
void note_words(uintptr_t address, size_t size, bool writes) {
  if (!segment().plan.composed || current_epoch == 0 || !state.scheduling || world().alone(state.current)) return;
  KnownWords& known = segment().known_words;
  const uintptr_t end = address + size;
  for (uintptr_t at = address & ~(kWordBytes - 1); at < end; at += kWordBytes) {
    const MemoryPlace place = place_of(reinterpret_cast<const void*>(at));
    const MemoryWord word{place.address, place.space, 0};
    uint32_t number = find_word(known, word);
    if (number == kNoWord && meet(word, writes)) {
      if (!add_word(known, word)) runtime_error("the program shares more memory than composed transitions can depend on (131072 bytes)");
      number = known.count - 1;
    }
    if (number != kNoWord) log_word(number, writes);
  }
}

}  // namespace mazurka
