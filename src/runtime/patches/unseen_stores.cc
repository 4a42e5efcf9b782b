#include "runtime/patches/unseen_stores.h"

#include <cstring>

#include "runtime/accesses/seen_memory.h"
#include "runtime/accesses/spin_trail.h"
#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/crash.h"
#include "runtime/core/limits.h"
#include "runtime/core/state.h"

namespace mazurka {

uint32_t watched_word_count;

namespace {

struct WatchedWord {
  const uint8_t* address;
  ObjectId variable;
  uint8_t size;
  uint64_t loop;  // 0: locked instructions use it; else a loop that waits reads it, here
};
constexpr uint32_t kMaxWatchedWords = 1024;
WatchedWord watched[kMaxWatchedWords];

// By variable: 0, or one more than the thread that uses it, or kSeveral.
constexpr uint16_t kSeveral = 0xffff;
uint16_t users[kMaxObjects];

void add_word(const WatchedWord& word) {
  if (watched_word_count == kMaxWatchedWords) {
    name_unmodelled("spinning on more than 1024 words that locked instructions use", {});
    return;
  }
  watched[watched_word_count++] = word;
}

void forget_word(uint32_t place) { watched[place] = watched[--watched_word_count]; }

bool is_changed(const WatchedWord& word) {
  const Variable& variable = world().object(word.variable).variable;
  return variable.value != variable.fit(variable_value(word.address, word.size));
}

void forget_unmapped_words() {
  for (uint32_t i = 0; i < watched_word_count;) {
    if (can_read(watched[i].address)) {
      ++i;
    } else {
      forget_word(i);
    }
  }
}

// Stores that are put off, of one thread.
struct PutOff {
  static constexpr uint32_t kMost = 16;
  WatchedWord words[kMost];
  uint64_t values[kMost];
  uint32_t count;
};

void write_word(const WatchedWord& word, uint64_t value) {
  memcpy(const_cast<uint8_t*>(word.address), &value, word.size);
}

// The model knows the bytes of small words only.
bool can_be_put_off(const WatchedWord& word) {
  const bool is_own = reinterpret_cast<uintptr_t>(word.address) - own_stack_low < own_stack_size;
  return !is_own && word.size <= sizeof(uint64_t);
}

void put_off_stores(PutOff& stores) {
  for (uint32_t i = 0; i < watched_word_count && stores.count < PutOff::kMost; ++i) {
    const WatchedWord& word = watched[i];
    if (!is_changed(word) || !can_be_put_off(word)) continue;
    // Where the loop read it, before it was a variable, is not explored.
    if (word.loop != 0) name_unmodelled(kPlainLoop, {.pc = word.loop});
    stores.words[stores.count] = word;
    stores.values[stores.count++] = static_cast<uint64_t>(variable_value(word.address, word.size));
  }
  for (uint32_t i = 0; i < stores.count; ++i) {
    const Variable& variable = world().object(stores.words[i].variable).variable;
    write_word(stores.words[i], static_cast<uint64_t>(variable.value));
  }
}

// In which order they were made is not known: so all of them are one operation.
Operation operation_of(const PutOff& stores) {
  World& w = world();
  Operation op{.kind = OpKind::VarStore, .flags = kPlain, .object = stores.words[0].variable};
  if (w.part_count + stores.count > kMaxParts)
    limit_reached("the log is full of variables that are stored together");
  op.part_begin = w.part_count;
  for (uint32_t i = 1; i < stores.count; ++i) {
    w.parts[w.part_count++] = in_same_bytes(stores.words[i].variable);
    ++op.part_count;
  }
  return op;
}

// The memory may have gone while others moved.
void make_stores(const PutOff& stores) {
  for (uint32_t i = 0; i < stores.count; ++i) {
    const WatchedWord& word = stores.words[i];
    if (!can_read(word.address)) continue;
    write_word(word, stores.values[i]);
    refresh_variable(word.variable, static_cast<int64_t>(stores.values[i]));
  }
}

}  // namespace

void watch_word(ObjectId variable, const uint8_t* address, uint8_t size) {
  uint16_t& user = users[index(variable)];
  const auto me = static_cast<uint16_t>(index(state.current) + 1u);
  if (user == me || user == kSeveral) return;
  if (user == 0) {
    user = me;
    return;
  }
  user = kSeveral;
  add_word({address, variable, size, 0});
}

ObjectId watch_word_of_loop(const uint8_t* address, uint8_t size, uint64_t pc) {
  Operation look{};
  const uint32_t part_count = world().part_count;
  find_variables(address, size, look);
  world().part_count = part_count;  // those in the same bytes are words of their own
  uint16_t& user = users[index(look.object)];
  if (user == kSeveral) return look.object;
  user = kSeveral;
  refresh_variable(look.object, variable_value(address, size));
  add_word({address, look.object, size, pc});
  return look.object;
}

void make_unseen_stores_visible(const Call& call) {
  settle_store();
  if (memory_is_seen()) return;  // then plain accesses are checked for races
  forget_unmapped_words();
  PutOff stores;
  stores.count = 0;
  if (may_interleave()) put_off_stores(stores);
  name_unseen_stores(call);
  if (stores.count == 0) return;
  leave_spin_trail();
  reach(operation_of(stores), call);
  make_stores(stores);
}

void name_unseen_stores(const Call& call) {
  settle_store();
  if (memory_is_seen()) return;
  forget_unmapped_words();
  for (uint32_t i = 0; i < watched_word_count; ++i) {
    const WatchedWord& word = watched[i];
    if (!is_changed(word)) continue;
    refresh_variable(word.variable, variable_value(word.address, word.size));
    if (may_interleave()) name_unmodelled(kUnseenStore, call);
  }
}

void forget_words(const void* begin, size_t size) {
  const auto first = reinterpret_cast<uintptr_t>(begin);
  for (uint32_t i = 0; i < watched_word_count;) {
    if (reinterpret_cast<uintptr_t>(watched[i].address) - first < size) {
      users[index(watched[i].variable)] = 0;
      forget_word(i);
    } else {
      ++i;
    }
  }
}

}  // namespace mazurka
