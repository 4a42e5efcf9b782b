#include "runtime/accesses/seen_memory.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <cstring>

#include "runtime/accesses/race_shadow.h"
#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/limits.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/core/tags.h"
#include "runtime/libc/imports.h"

namespace mazurka {
namespace {

bool is_mapped;
bool is_early = true;
bool has_met_module;

// --- variables

// Part of the image that a reset in place takes after they were saved.
struct SavedWord {
  VariableWord* place;
  uint64_t address;
  uint32_t space;
  uint32_t count;  // its entries stay
};
constexpr uint32_t kMaxSavedWords = 1024;
bool notes_words;
uint32_t saved_word_count;  // one more than fit: there were others
SavedWord saved_words[kMaxSavedWords];
uint32_t saved_further_words;

void note_word(VariableWord& word) {
  if (saved_word_count > kMaxSavedWords) return;
  if (saved_word_count < kMaxSavedWords) saved_words[saved_word_count].place = &word;
  ++saved_word_count;
}

uint64_t mix(uint64_t x) {
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15;
  return x ^ (x >> 29);
}

VariableWord* find_word(const MemoryPlace& at, bool make) {
  SharedPart& shared = shared_part();
  uint64_t place = mix(at.address ^ (uint64_t{at.space} << 40)) % kMaxVariableWords;
  for (uint32_t tried = 0; tried < kMaxVariableWords / 2; ++tried) {
    VariableWord& word = shared.variables[place];
    if (word.generation != shared.generation) {
      if (!make) return nullptr;
      word.address = at.address;
      word.space = at.space;
      word.generation = shared.generation;
      word.count = 0;
      if (notes_words) note_word(word);
      return &word;
    }
    if (word.address == at.address && word.space == at.space) return &word;
    place = (place + 1) % kMaxVariableWords;
  }
  limit_reached("the program has more atomic variables than Mazurka can name (65536 at once)");
}

void add_part(Operation& op, ObjectId variable) {
  World& w = world();
  if (w.part_count >= kMaxParts)
    limit_reached("the log is full of variables that lie in the same bytes");
  if (op.part_count++ == 0) op.part_begin = w.part_count;
  w.parts[w.part_count++] = in_same_bytes(variable);
}

// Those of `word` that meet the bytes [begin, end), which count from it.
void add_overlapping(const VariableWord& word, int begin, int end, Operation& op) {
  for (uint32_t i = 0; i < word.count; ++i) {
    const VariableWord::Entry& other = word.entries[i];
    const bool meets = other.offset < end && other.offset + other.size > begin;
    if (meets && other.object != op.object) add_part(op, other.object);
  }
}

VariableWord::Entry& find_entry(VariableWord& word, uint8_t offset, uint8_t size,
                                const void* address) {
  for (uint32_t i = 0; i < word.count; ++i) {
    VariableWord::Entry& entry = word.entries[i];
    if (entry.offset == offset && entry.size == size) return entry;
  }
  constexpr uint32_t kMost = sizeof word.entries / sizeof *word.entries;
  if (word.count == kMost)
    limit_reached("more than 40 variables of different sizes begin in one word of memory");
  word.entries[word.count] = {variable_object(address, size), offset, size};
  const uint32_t more_words = (offset + size - 1u) / 8;
  uint32_t& most = shared_part().most_further_words;
  if (more_words > most) most = more_words;
  return word.entries[word.count++];
}

}  // namespace

void find_variables(const void* address, uint8_t size, Operation& op) {
  constexpr uint64_t kWord = 8;
  MemoryPlace at = place_of(address);
  const auto offset = static_cast<uint8_t>(at.address % kWord);
  at.address -= offset;
  VariableWord& word = *find_word(at, true);
  op.object = find_entry(word, offset, size, address).object;
  const int end = offset + size;
  if (word.count > 1) add_overlapping(word, offset, end, op);
  const auto reach = static_cast<int>(shared_part().most_further_words);
  for (int i = 1; i <= reach; ++i) {
    const VariableWord* const before = find_word({at.space, at.address - kWord * i}, false);
    if (before != nullptr) add_overlapping(*before, offset + 8 * i, end + 8 * i, op);
  }
  for (int i = 1; 8 * i < end; ++i) {
    const VariableWord* const after = find_word({at.space, at.address + kWord * i}, false);
    if (after != nullptr) add_overlapping(*after, offset - 8 * i, end - 8 * i, op);
  }
}

// --- mapping

// The file of the segment goes on behind it.
constexpr uint64_t kPlaceInFile = uint64_t{1} << 36;
static_assert(sizeof(Segment) < kPlaceInFile);

long open_segment_file() {
  return raw_syscall(SYS_openat, AT_FDCWD, address_of(state.segment_path), O_RDWR | O_CLOEXEC);
}

void map_shared_part() {
  if (is_mapped) return;
  const long fd = open_segment_file();
  const uint64_t end = kPlaceInFile + sizeof(SharedPart) + kSharedShadowBytes + 4096;
  const long sized = raw_syscall(SYS_ftruncate, fd, static_cast<long>(end));
  const long mapped = raw_syscall(
      SYS_mmap, static_cast<long>(kSharedMemoryAddress), sizeof(SharedPart), PROT_READ | PROT_WRITE,
      MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, fd, static_cast<long>(kPlaceInFile));
  raw_syscall(SYS_close, fd);
  if (raw_failed(fd) || raw_failed(sized) || raw_failed(mapped)) {
    runtime_error(
        "no memory to note the program's accesses in: is the address space limited (ulimit -v, "
        "-f)?");
  }
  is_mapped = true;
}

namespace {

void see_memory() {
  if (!attached()) return;
  segment().control.memory_is_seen = 1;
  map_shared_part();
  map_shadow();
  see_imports();
  if (!state.scheduling) return;
  if (shared_part().generation == 0) begin_seen_execution();
  show_clock(state.current);
}

}  // namespace

void meet_instrumented_module() {
  has_met_module = true;
  if (!is_early) see_memory();
}

void may_see_memory() {
  is_early = false;
  if (has_met_module) return see_memory();
  // After an exec: the process has kept the baton, and what it does orders accesses of others.
  if (attached() && variables_are_seen()) see_variables();
}

void see_variables() {
  map_shared_part();
  if (!state.scheduling) return;
  if (shared_part().generation == 0) begin_seen_execution();
  enter_stack_of(state.current);
}

void begin_seen_execution() {
  if (!variables_are_seen()) return;
  map_shared_part();
  SharedPart& shared = shared_part();
  if (++shared.generation == kMostGenerations) {
    shared.generation = 1;
    if (memory_is_seen()) clear_shadow();
    memset(shared.object_rows, 0, sizeof shared.object_rows);
    memset(shared.thread_generations, 0, sizeof shared.thread_generations);
    for (VariableWord& word : shared.variables) word.generation = 0;
  }
  shared.most_further_words = 0;
  shared.old_access_count = 0;
  shared.free_old_access = 0;
  shared.shadow_count = 0;
  shared.shadow_end = 0;
  begin_clocks();
}

void note_seen_memory() {
  if (!variables_are_seen()) return;
  notes_words = true;
  saved_word_count = 0;
  if (memory_is_seen()) note_cells();
}

bool save_seen_memory() {
  if (!variables_are_seen()) return true;
  notes_words = false;
  const Segment& s = segment();
  const SharedPart& shared = shared_part();
  const bool is_plain = static_cast<MemoryMode>(s.control.memory) == MemoryMode::Races &&
                        static_cast<Discipline>(s.control.discipline) == Discipline::Unchecked &&
                        s.annotated_count == 0 && s.annotated_code_count == 0;
  if (!is_plain || saved_word_count > kMaxSavedWords || shared.shadow_count != 0) return false;
  for (uint32_t i = 0; i < saved_word_count; ++i) {
    SavedWord& word = saved_words[i];
    word = {word.place, word.place->address, word.place->space, word.place->count};
  }
  saved_further_words = shared.most_further_words;
  return !memory_is_seen() || (save_cells() && save_clocks());
}

void restore_seen_memory() {
  if (!variables_are_seen()) return;
  SharedPart& shared = shared_part();
  for (uint32_t i = 0; i < saved_word_count; ++i) {
    VariableWord& word = *saved_words[i].place;
    word.address = saved_words[i].address;
    word.space = saved_words[i].space;
    word.count = saved_words[i].count;
    word.generation = shared.generation;
  }
  shared.most_further_words = saved_further_words;
  if (!memory_is_seen()) return;
  restore_cells();
  restore_clocks();
}

// Who maps the same part of it finds the same place; parts that only overlap have places of their
// own.
uint64_t place_of_shared_shadow(uint64_t identity, uint64_t offset, uint64_t length) {
  constexpr uint64_t kBegin = kPlaceInFile + (sizeof(SharedPart) + 4095) / 4096 * 4096;
  SharedPart& shared = shared_part();
  for (uint32_t i = 0; i < shared.shadow_count; ++i) {
    const SharedShadow& known = shared.shadows[i];
    const bool holds = known.identity == identity && offset >= known.page &&
                       offset + length <= known.page + known.length;
    if (holds) return kBegin + known.place + (offset - known.page) * kShadowScale;
  }
  const uint64_t place = shared.shadow_end;
  const uint64_t bytes = length * kShadowScale;
  if (shared.shadow_count == kMaxSharedShadows || place + bytes > kSharedShadowBytes)
    return kNoSharedShadow;
  shared.shadows[shared.shadow_count++] = {identity, offset, length, place};
  shared.shadow_end += bytes;
  return kBegin + place;
}

}  // namespace mazurka
