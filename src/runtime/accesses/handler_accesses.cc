#include "runtime/accesses/handler_accesses.h"

#include "execution/channel_options.h"
#include "runtime/accesses/race_shadow.h"
#include "runtime/accesses/seen_memory.h"
#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/state.h"
#include "runtime/signals/alternate_stack.h"
#include "runtime/signals/signal_actions.h"

namespace mazurka {

bool handlers_are_watched;

namespace {

bool is_in_handler() {
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (is_on_alternate_stack(here)) return true;
  return here < reinterpret_cast<uintptr_t>(context(state.current).handler_frame);
}

uint8_t bytes_in_word(uintptr_t word, uintptr_t address, size_t size) {
  uint64_t bytes = kEpochBytes;
  if (word < address) bytes &= kEpochBytes << (address - word);
  if (word + kWordBytes > address + size)
    bytes &= kEpochBytes >> (word + kWordBytes - address - size);
  return static_cast<uint8_t>(bytes & kEpochBytes);
}

void add(uintptr_t word, uint8_t bytes, bool writes) {
  SharedPart& shared = shared_part();
  HandlerWord* at = nullptr;
  for (uint32_t i = 0; i < shared.handler_word_count; ++i) {
    if (shared.handler_words[i].address == word) at = &shared.handler_words[i];
  }
  if (at == nullptr) {
    if (shared.handler_word_count == kMaxHandlerWords) return;
    at = &shared.handler_words[shared.handler_word_count++];
    *at = {word, 0, 0, {}};
  }
  uint8_t& known = writes ? at->written : at->read;
  known = static_cast<uint8_t>(known | bytes);
}

bool conflicts(uintptr_t word, uint8_t bytes, bool writes) {
  const SharedPart& shared = shared_part();
  for (uint32_t i = 0; i < shared.handler_word_count; ++i) {
    const HandlerWord& known = shared.handler_words[i];
    if (known.address != word) continue;
    const int accessed = writes ? known.read | known.written : known.written;
    return (accessed & bytes) != 0;
  }
  return false;
}

// A transition in which such an access was made: its thread, and how many came before it.
ThreadId last_thread = kNoThread;
uint32_t last_step;

void note_access(const SignalTable& table) {
  const uint32_t step = segment().log.step_count;
  const bool is_second = last_thread == state.current && last_step == step;
  last_thread = state.current;
  last_step = step;
  if (is_second && (table.handled & ~blocked_signals()) != 0)
    segment().control.unasked |= kUnaskedHandlers;
}

}  // namespace

void watch_handlers() {
  if (!memory_is_seen() || accesses_are_visible) return;
  handlers_are_watched = accesses_are_special = true;
}

void note_beside_handlers(uintptr_t address, size_t size, bool writes) {
  if (!state.scheduling || (segment().control.unasked & kUnaskedHandlers) != 0) return;
  const bool is_inside = is_in_handler();
  if (!is_inside && shared_part().handler_word_count == 0) return;
  for (uintptr_t word = address & ~(kWordBytes - 1); word < address + size; word += kWordBytes) {
    const uint8_t bytes = bytes_in_word(word, address, size);
    if (is_inside) {
      add(word, bytes, writes);
    } else if (conflicts(word, bytes, writes)) {
      note_access(signal_table(world(), current_process()));
    }
  }
}

}  // namespace mazurka
