#include "runtime/patches/access_watch.h"

#include <sys/mman.h>

#include <cstring>

#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/ends.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/core/tags.h"
#include "runtime/heap/allocator.h"
#include "runtime/patches/code_room.h"
#include "runtime/patches/memory_use.h"
#include "runtime/patches/watched_stretch.h"

namespace mazurka {
namespace {

constexpr uint8_t kTrap = 0xcc;
constexpr uint32_t kLongestInstruction = 15;
constexpr uint32_t kCopyBytes = kLongestInstruction + 5;
constexpr uint64_t kWord = 8;

// The state of a place: how often it was looked at and had accessed the same before, how often it
// was come to by a thread that was alone, whether it is learned, and how many words it has
// accessed.
constexpr uint16_t kLooks = 0x0f;
constexpr uint16_t kMostLooks = 8;
constexpr uint16_t kAlone = 0x10;
constexpr uint16_t kMostAlone = 0x30;
constexpr uint16_t kAloneBits = 0x70;
constexpr uint16_t kLearned = 0x80;
constexpr uint16_t kWordSeen = 0x100;
constexpr uint16_t kMostWordsSeen = 0x4000;

struct WatchedModule {
  uint64_t base;
  uint64_t start;
  uint64_t end;
  const uint8_t* copies;
  const uint8_t* first_bytes;  // of the instructions
  uint32_t begin;
  uint32_t count;
};
constexpr uint32_t kMaxWatchedModules = 256;
WatchedModule modules[kMaxWatchedModules];
uint32_t module_count;

AccessWatch& watch() { return segment().watch; }

bool is_wanted() { return segment().control.watches != static_cast<uint8_t>(Watches::Off); }

bool is_done(uint16_t state) {
  return (state & kLooks) >= kMostLooks || (state & kAloneBits) >= kMostAlone ||
         state >= kMostWordsSeen;
}

void look_again() {
  AccessWatch& all = watch();
  for (uint32_t i = 0; i < all.place_count; ++i) all.states[i] &= kLearned;
  arm_watches_later();
}

// --- code

void write_copy(uint8_t* to, uint64_t address, const WatchPlace& place) {
  constexpr uint8_t kJump = 0xe9;
  memcpy(to, reinterpret_cast<const void*>(address), place.length);
  const auto shift = static_cast<uint32_t>(address - reinterpret_cast<uint64_t>(to));
  if (place.reference != 0) {
    uint32_t distance = 0;
    memcpy(&distance, to + place.reference, sizeof distance);
    distance += shift;
    memcpy(to + place.reference, &distance, sizeof distance);
  }
  to[place.length] = kJump;
  const uint32_t back = shift - 5;  // both ends are that of the instruction, but for the jump
  memcpy(to + place.length + 1, &back, sizeof back);
}

// SIZE_MAX: none begins there.
struct Found {
  const WatchedModule* module = nullptr;
  uint32_t place = 0;
};
Found place_at(uint64_t address) {
  const AccessWatch& all = watch();
  for (uint32_t i = 0; i < module_count; ++i) {
    const WatchedModule& module = modules[i];
    if (address - module.start >= module.end - module.start) continue;
    const uint64_t wanted = address - module.base;
    uint32_t low = module.begin;
    uint32_t high = module.begin + module.count;
    while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (all.places[middle].address < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low < module.begin + module.count && all.places[low].address == wanted)
      return {&module, low};
  }
  return {};
}

uint8_t first_byte(const Found& found) {
  return found.module->first_bytes[found.place - found.module->begin];
}

void take_away(const Found& found) {
  const uint64_t address = found.module->base + watch().places[found.place].address;
  const WritableCode writable(address, address + 1);
  if (writable.good()) *reinterpret_cast<uint8_t*>(address) = first_byte(found);
}

// --- what was accessed

uint64_t mix(uint64_t x) {
  x ^= x >> 31;
  x *= 0x9e37'79b9'7f4a'7c15;
  return x ^ (x >> 29);
}

// A block of the heap is another one after it was freed.
uint64_t key_of(uint64_t word) {
  constexpr int kAddressBits = 47;
  const auto* const address = reinterpret_cast<const void*>(word);
  const MemoryPlace at = place_of(address);
  if ((at.space & kSharedSpace) != 0) return mix(at.address ^ uint64_t{at.space} << 32) | 1;
  HeapPlace heap;
  if (!allocator_describe(address, &heap)) return word;
  return word | uint64_t{heap.count} << kAddressBits;
}

uint8_t bytes_in(uint64_t word, uint64_t address, uint64_t size) {
  uint8_t bytes = 0;
  for (uint64_t i = 0; i < kWord; ++i) {
    if (word + i - address < size) bytes = static_cast<uint8_t>(bytes | 1u << i);
  }
  return bytes;
}

template <typename F>
void each_word(uint64_t address, uint64_t size, F&& f) {
  for (uint64_t word = address & ~(kWord - 1); word < address + size; word += kWord)
    f(key_of(word), bytes_in(word, address, size));
}

// The entry of this key, or where it belongs. Null: there is no room.
LockedWord* locked_word(uint64_t key) {
  AccessWatch& all = watch();
  uint64_t at = mix(key) % kMaxLockedWords;
  for (uint32_t tried = 0; tried < kMaxLockedWords / 2; ++tried) {
    LockedWord& word = all.words[at];
    if (word.key == key || word.key == 0) return &word;
    at = (at + 1) % kMaxLockedWords;
  }
  return nullptr;
}

void learn(uint32_t place, uint64_t base) {
  AccessWatch& all = watch();
  if ((all.states[place] & kLearned) != 0 || all.learned_count >= kMaxLearnedAccesses) return;
  all.states[place] |= kLearned;
  all.learned[all.learned_count++] = {base + all.places[place].address, 0, {}};
}

uint64_t base_of(uint32_t place) {
  for (uint32_t i = 0; i < module_count; ++i) {
    if (place - modules[i].begin < modules[i].count) return modules[i].base;
  }
  return 0;
}

// Whether it is another one than before.
bool keep_look(uint64_t key, uint8_t bytes, uint32_t place) {
  AccessWatch& all = watch();
  if (all.look_count > kMaxAccessLooks / 2) {  // those of long ago are forgotten
    memset(all.looks, 0, sizeof all.looks);
    all.look_count = 0;
  }
  uint64_t at = mix(key) % kMaxAccessLooks;
  for (; all.looks[at].key != 0; at = (at + 1) % kMaxAccessLooks) {
    AccessLook& known = all.looks[at];
    if (known.key != key || known.place != place) continue;
    known.bytes |= bytes;
    return false;
  }
  all.looks[at] = {key, place, bytes, {}};
  ++all.look_count;
  return true;
}

void learn_earlier_looks(uint64_t key, uint8_t bytes) {
  AccessWatch& all = watch();
  for (uint64_t at = mix(key) % kMaxAccessLooks; all.looks[at].key != 0;
       at = (at + 1) % kMaxAccessLooks) {
    const AccessLook& look = all.looks[at];
    if (look.key == key && (look.bytes & bytes) != 0) learn(look.place, base_of(look.place));
  }
}

// Whether it has accessed a word that it had not before.
bool note_access(const MemoryUse& use, const Found& found) {
  bool is_new = false;
  each_word(use.address, use.size, [&](uint64_t key, uint8_t bytes) {
    const LockedWord* const word = locked_word(key);
    if (word != nullptr && word->key == key && (word->bytes & bytes) != 0) {
      learn(found.place, found.module->base);
    } else {
      is_new |= keep_look(key, bytes, found.place);
    }
  });
  return is_new;
}

bool is_often(uint32_t count) { return count <= 4 || (count & (count - 1)) == 0; }

}  // namespace

void watch_module(uint64_t base, uint64_t start, uint64_t end, const ScannedModule& scan) {
  if (scan.watch_count == 0 || module_count == kMaxWatchedModules) return;
  const uint64_t size = round_up_to_page(uint64_t{kCopyBytes + 1} * scan.watch_count);
  uint8_t* const room = room_near(start, end, size);
  if (room == nullptr) return;
  uint8_t* const first_bytes = room + uint64_t{kCopyBytes} * scan.watch_count;
  for (uint32_t i = 0; i < scan.watch_count; ++i) {
    const WatchPlace& place = watch().places[scan.watch_begin + i];
    first_bytes[i] = *reinterpret_cast<const uint8_t*>(base + place.address);
    write_copy(room + uint64_t{kCopyBytes} * i, base + place.address, place);
  }
  raw_syscall(SYS_mprotect, address_of(room), static_cast<long>(size), PROT_READ | PROT_EXEC);
  modules[module_count++] = {
      base, start, end, room, first_bytes, scan.watch_begin, scan.watch_count};
  arm_watches_later();
}

void begin_watched_execution() {
  if (!is_wanted()) return;
  const uint32_t number = segment().control.execution;
  const bool is_in_place = segment().control.in_place != 0;
  if (number > 1 && (number & (number - 1)) == 0) look_again();
  if (!is_in_place) arm_watches_later();
}

void arm_watches_later() {
  if (is_wanted()) segment().control.watches = static_cast<uint8_t>(Watches::ToBeArmed);
}

void arm_watches() {
  if (segment().control.watches != static_cast<uint8_t>(Watches::ToBeArmed)) return;
  segment().control.watches = static_cast<uint8_t>(Watches::Armed);
  AccessWatch& all = watch();
  for (uint32_t i = 0; i < module_count; ++i) {
    const WatchedModule& module = modules[i];
    const uint64_t last = module.base + all.places[module.begin + module.count - 1].address;
    const WritableCode writable(module.base + all.places[module.begin].address, last + 1);
    if (!writable.good()) return;
    for (uint32_t place = module.begin; place < module.begin + module.count; ++place) {
      if (is_done(all.states[place])) continue;
      *reinterpret_cast<uint8_t*>(module.base + all.places[place].address) = kTrap;
    }
  }
}

void note_locked_bytes(const uint8_t* address, uint32_t size) {
  if (!is_wanted()) {
    if (segment().control.direct == 0) end_execution(Ending::NeedsWatches);
    return;
  }
  each_word(reinterpret_cast<uint64_t>(address), size, [&](uint64_t key, uint8_t bytes) {
    LockedWord* const word = locked_word(key);
    if (word == nullptr) return name_unmodelled(kManyWords, {});
    if (word->key == key && (word->bytes & bytes) == bytes) return;
    word->key = key;
    word->bytes |= bytes;
    learn_earlier_looks(key, bytes);
    if (is_often(++watch().word_count)) look_again();
  });
}

bool look_at_access(uint64_t address, ucontext_t& interrupted) {
  const Found found = place_at(address);
  if (found.module == nullptr) return false;
  uint16_t& state_of_place = watch().states[found.place];
  if (!may_interleave()) {
    state_of_place = static_cast<uint16_t>(state_of_place + kAlone);
    take_away(found);
    if (!is_done(state_of_place)) arm_watches_later();
  } else {
    uint8_t code[kLongestInstruction];
    read_code(address, code);
    MachineState machine = machine_at(interrupted.uc_mcontext.gregs);
    machine.pc = address;
    const MemoryUse use = memory_use(code, machine);
    const bool is_access = use.kind == MemoryUse::Kind::Load || use.kind == MemoryUse::Kind::Store;
    const bool is_new = is_access && note_access(use, found);
    state_of_place = static_cast<uint16_t>(state_of_place + (is_new ? kWordSeen : uint16_t{1}));
    if (is_done(state_of_place)) {
      take_away(found);
      if ((state_of_place & kLearned) != 0) end_execution(Ending::NeedsAccesses);
    }
  }
  const uint32_t place = found.place - found.module->begin;
  interrupted.uc_mcontext.gregs[REG_RIP] =
      reinterpret_cast<greg_t>(found.module->copies + uint64_t{kCopyBytes} * place);
  return true;
}

void read_code(uint64_t address, uint8_t* code) {
  memcpy(code, reinterpret_cast<const void*>(address), kLongestInstruction);
  if (module_count == 0 || *code != kTrap) return;
  const Found found = place_at(address);
  if (found.module != nullptr) *code = first_byte(found);
}

void learn_loop_at(uint64_t address) {
  AccessWatch& all = watch();
  if (all.learned_count < kMaxLearnedAccesses) all.learned[all.learned_count++] = {address, 1, {}};
  end_execution(Ending::NeedsAccesses);
}

}  // namespace mazurka
