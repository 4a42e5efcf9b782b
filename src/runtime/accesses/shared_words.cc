#include "runtime/accesses/shared_words.h"

#include "protocol/known_words.h"
#include "runtime/accesses/lock_discipline.h"
#include "runtime/accesses/race_shadow.h"
#include "runtime/accesses/seen_memory.h"
#include "runtime/core/state.h"
#include "runtime/core/tags.h"

namespace mazurka {
namespace {

// The ends of a word are always cuts.
constexpr uint32_t kInnerCuts = 0xfe;

// The pieces of a word that accesses tell apart: each begins at a cut, and is a resource. Only cuts
// that the search is based on count, so that a resource is the same in all its executions.
void log_pieces(const MemoryWord& word, uint32_t number, uint32_t begin, uint32_t end, Mode mode) {
  Segment& s = segment();
  if (s.log.step_count == 0) return;  // nobody else has moved yet
  LoggedStep& step = s.steps[s.log.step_begin + s.log.step_count - 1];
  AccessList list{s.accesses + step.access_begin, kMaxStepAccesses, step.access_count,
                  step.accesses_everything != 0};
  while (begin > 0 && (word.cuts >> begin & 1) == 0) --begin;
  for (uint32_t piece = begin; piece < end; ++piece) {
    if (piece != begin && (word.cuts >> piece & 1) == 0) continue;
    const Resource resource = memory_resource(number, static_cast<uint8_t>(piece));
    s.free_run.note_late(resource, mode);
    list.add(resource, mode);
  }
  // They are the last in the log.
  s.log.access_end += list.count - step.access_count;
  step.access_count = list.count;
  step.accesses_everything = list.overflow;
}

[[noreturn]] void too_much() {
  runtime_error(
      "the program shares more memory than composed transitions can depend on (131072 bytes)");
}

// Where the access begins and ends within the word. The tool learns of cuts that it does not know.
void note_cuts(KnownWords& known, MemoryWord& word, uint32_t begin, uint32_t end) {
  const auto cuts = static_cast<uint16_t>(((1u << begin) | (1u << end)) & kInnerCuts);
  if ((cuts & ~word.new_cuts) == 0) return;
  word.new_cuts |= cuts;
  if (!tell_word(known, {word.address, word.space, word.new_cuts, word.new_cuts})) too_much();
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
void note_words(uintptr_t address, size_t size, Mode mode) {
  if (!segment().plan.composed || current_epoch == 0 || !state.scheduling ||
      world().alone(state.current))
    return;
  KnownWords& known = segment().known_words;
  const uintptr_t end = address + size;
  for (uintptr_t at = address & ~(kWordBytes - 1); at < end; at += kWordBytes) {
    const auto first = static_cast<uint32_t>(address > at ? address - at : 0);
    const auto last = static_cast<uint32_t>(end < at + kWordBytes ? end - at : kWordBytes);
    const MemoryPlace place = place_of(reinterpret_cast<const void*>(at));
    const MemoryWord word{place.address, place.space, 0, 0};
    uint32_t number = find_word(known, word);
    if (number == kNoWord && meet(word, mode != Mode::Read)) {
      if (!add_word(known, word)) too_much();
      number = known.count - 1;
    }
    if (number == kNoWord) continue;
    note_cuts(known, known.words[number], first, last);
    log_pieces(known.words[number], number, first, last, mode);
  }
}

}  // namespace mazurka
