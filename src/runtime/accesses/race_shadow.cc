#include "runtime/accesses/race_shadow.h"

#include <sys/mman.h>

#include <cstring>

#include "runtime/accesses/annotated_calls.h"
#include "runtime/accesses/ended_stacks.h"
#include "runtime/accesses/lock_discipline.h"
#include "runtime/accesses/race_log.h"
#include "runtime/accesses/seen_memory.h"
#include "runtime/accesses/shared_words.h"
#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/limits.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/heap/allocator.h"

namespace mazurka {

ShadowPieces* shadow_pieces;

namespace {

// A clock is never 0, so no epoch looks like this.
constexpr Epoch kHasList = kEpochBytes;

constexpr uint64_t kPieceBytes = (uint64_t{1} << kPieceShift) * kShadowScale;
constexpr uint64_t kFirstPiece = kShadowAddress + (uint64_t{1} << 24);
static_assert(sizeof(ShadowPieces) < (uint64_t{1} << 24));

bool has_list(const ShadowCell& cell) {
  return (cell.write & ~(~uint64_t{0} << kEpochGenerationShift)) == kHasList &&
         generation_of(cell.write) == shared_part().generation;
}

Epoch this_generation() { return uint64_t{shared_part().generation} << kEpochGenerationShift; }

bool is_present(Epoch epoch) { return generation_of(epoch) == shared_part().generation; }

uint64_t bytes_of(Epoch epoch) { return epoch & kEpochBytes; }

ShadowCell* cell_at(uintptr_t word) {
  uintptr_t& base = shadow_pieces->base[(word >> kPieceShift) % kPieces];
  if (base == 0) {
    const uint64_t place = kFirstPiece + shadow_pieces->count * kPieceBytes;
    const long mapped =
        place + kPieceBytes > kShadowEnd
            ? -1
            : raw_syscall(SYS_mmap, static_cast<long>(place), kPieceBytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (raw_failed(mapped))
      runtime_error("no address space left to note the program's memory accesses in");
    ++shadow_pieces->count;
    base = place;
  }
  const uintptr_t offset = word & ((uintptr_t{1} << kPieceShift) - 1);
  return reinterpret_cast<ShadowCell*>(base + offset * kShadowScale);
}

// Part of the image that a reset in place takes after they were saved.
struct SavedCell {
  ShadowCell* place;
  ShadowCell cell;  // without its generation
};
constexpr uint32_t kMaxNoted = 1024;
bool notes_cells;
uint32_t noted_count;  // one more than fit: there were others
ShadowCell* noted[kMaxNoted];
uint32_t saved_count;
SavedCell saved_cells[kMaxNoted];
constexpr uint32_t kMaxSavedAccesses = 4096;
uint32_t saved_access_count;
uint32_t saved_free_access;
OldAccess saved_accesses[kMaxSavedAccesses];

__attribute__((noinline, cold)) void note_cell(ShadowCell& cell) {
  if (world().thread_limit == 1 || noted_count > kMaxNoted) return;
  for (uint32_t i = 0; i < noted_count; ++i) {
    if (noted[i] == &cell) return;
  }
  if (noted_count < kMaxNoted) noted[noted_count] = &cell;
  ++noted_count;
}

Epoch without_generation(Epoch epoch) {
  return is_present(epoch) ? epoch & ~(~uint64_t{0} << kEpochGenerationShift) : 0;
}
Epoch in_this_generation(Epoch epoch) { return epoch == 0 ? 0 : epoch | this_generation(); }

struct WordAccess {
  uintptr_t word;
  uint64_t bytes;
  uint32_t flags;
  uint64_t pc;
};

bool conflicts(uint32_t a, uint32_t b) {
  const bool writes = ((a | b) & kWrites) != 0;
  const bool both_atomic = (a & b & kAtomic) != 0;
  return writes && !both_atomic;
}

void check_against(const WordAccess& now, Epoch before, uint64_t pc, uint32_t flags) {
  const uint64_t common = bytes_of(before) & now.bytes;
  if (common == 0 || !conflicts(now.flags, flags) || is_known(before)) return;
  log_conflict(accesses_are_visible ? ConflictKind::Torn : ConflictKind::Race, now.word, common,
               {before, pc, flags}, {current_epoch, now.pc, now.flags});
}

// --- cells with a list

uint32_t new_old_access() {
  SharedPart& shared = shared_part();
  if (shared.free_old_access != 0) {
    const uint32_t taken = shared.free_old_access;
    shared.free_old_access = shared.old_accesses[taken].next;
    return taken;
  }
  if (shared.old_access_count + 1 >= kMaxOldAccesses) {
    limit_reached(
        "the execution has more unordered memory accesses than Mazurka can remember (1048576)");
  }
  return ++shared.old_access_count;
}

// What there is in a list, so that most atomic accesses need not go through it: whose reads and
// whose writes (of the first threads, a bit for each), whether there are others, and whether any is
// plain.
constexpr uint32_t kListedThreads = 31;
constexpr uint64_t kListsPlain = uint64_t{1} << 62;
constexpr uint64_t kListsOthers = uint64_t{1} << 63;
constexpr uint64_t kListsReads = (uint64_t{1} << kListedThreads) - 1;

uint64_t in_list(Epoch epoch, uint32_t flags) {
  const uint32_t thread = index(thread_of(epoch));
  const uint64_t plain = (flags & kAtomic) != 0 ? 0 : kListsPlain;
  if (thread >= kListedThreads) return plain | kListsOthers;
  return plain | uint64_t{1} << (thread + ((flags & kWrites) != 0 ? kListedThreads : 0));
}

void push(ShadowCell& cell, Epoch epoch, uint64_t pc, uint32_t flags) {
  const uint32_t added = new_old_access();
  shared_part().old_accesses[added] = {epoch, pc, static_cast<uint32_t>(cell.read_pc), flags};
  cell.read_pc = added;
  cell.write_pc |= in_list(epoch, flags);
}

void make_list(ShadowCell& cell) {
  const ShadowCell old = cell;
  cell = {this_generation() | kHasList, 0, 0, 0};
  if (is_present(old.write)) push(cell, old.write, old.write_pc, kWrites);
  if (is_present(old.read)) push(cell, old.read, old.read_pc, kReads);
}

// Whoever races with `old` later races with the new access as well. Requires that it is known.
bool is_superseded(const OldAccess& old, uint32_t flags) {
  const bool atomic_alike = (flags & kAtomic) == 0 || (old.flags & kAtomic) != 0;
  const bool writes_alike = (flags & kWrites) != 0 || (old.flags & kWrites) == 0;
  return atomic_alike && writes_alike;
}

bool are_few(uint64_t listed) {
  const uint64_t but_one = listed & (listed - 1);
  return (but_one & (but_one - 1)) == 0;
}

// Atomic accesses do not conflict with each other, and nothing is superseded that is not known.
// Going through a few is cheaper than to find out.
bool is_nothing_to_those_listed(const ShadowCell& cell, const WordAccess& now) {
  const uint64_t listed = cell.write_pc;
  if (are_few(listed) || (listed & (kListsPlain | kListsOthers)) != 0 || (now.flags & kAtomic) == 0)
    return false;
  const uint64_t writes = (now.flags & kWrites) != 0 ? listed >> kListedThreads : 0;
  return ((listed | writes) & kListsReads & threads_known(kListedThreads)) == 0;
}

// Goes through all that is listed, and takes out what the new access supersedes.
void check_against_list(ShadowCell& cell, const WordAccess& now) {
  SharedPart& shared = shared_part();
  uint64_t place = 0;  // of the index that leads to the entry, 0: the cell
  cell.write_pc = 0;
  for (auto i = static_cast<uint32_t>(cell.read_pc); i != 0;) {
    OldAccess& old = shared.old_accesses[i];
    const uint32_t next = old.next;
    if (!is_known(old.epoch)) {
      if (conflicts(now.flags, old.flags)) check_against(now, old.epoch, old.pc, old.flags);
      cell.write_pc |= in_list(old.epoch, old.flags);
      place = i;
      i = next;
      continue;
    }
    if (is_superseded(old, now.flags)) old.epoch &= ~now.bytes;
    if (bytes_of(old.epoch) == 0) {
      if (place == 0) {
        cell.read_pc = next;
      } else {
        shared.old_accesses[place].next = next;
      }
      old.next = shared.free_old_access;
      shared.free_old_access = i;
    } else {
      cell.write_pc |= in_list(old.epoch, old.flags);
      place = i;
    }
    i = next;
  }
}

void check_list(ShadowCell& cell, const WordAccess& now) {
  if (!is_nothing_to_those_listed(cell, now)) check_against_list(cell, now);
  const Epoch epoch = current_epoch | now.bytes;
  const uint32_t flags =
      now.flags & ~uint32_t{kFrees};  // to those who come later it is a write like another
  if (flags == kWrites && cell.read_pc == 0) {
    cell = {epoch, 0, now.pc, 0};
    return;
  }
  push(cell, epoch, now.pc, flags);
  cell.read = flags == kReads ? epoch : 0;
}

// --- cells without

// Whether the new access may take the place of the old one: nothing that the old one could race
// with is lost.
bool may_replace(Epoch old, uint64_t bytes) {
  return !is_present(old) || ((bytes_of(old) & ~bytes) == 0 && is_known(old));
}

// The same code goes through the bytes of a word, one after the other.
bool goes_on(Epoch old, uint64_t old_pc, uint64_t pc) {
  return (old & ~kEpochBytes) == current_epoch && old_pc == pc;
}

void check_cell(ShadowCell& cell, const WordAccess& now) {
  if (is_present(cell.write)) check_against(now, cell.write, cell.write_pc, kWrites);
  if (is_present(cell.read)) check_against(now, cell.read, cell.read_pc, kReads);
  const bool plain = (now.flags & kAtomic) == 0;
  if ((now.flags & kWrites) != 0) {
    if (plain && may_replace(cell.write, now.bytes) && may_replace(cell.read, now.bytes)) {
      cell = {current_epoch | now.bytes, 0, now.pc, 0};
      return;
    }
    if (plain && goes_on(cell.write, cell.write_pc, now.pc) && may_replace(cell.read, now.bytes)) {
      cell.write |= now.bytes;
      cell.read = 0;
      return;
    }
  } else if (plain) {
    if (may_replace(cell.read, now.bytes)) {
      cell.read = current_epoch | now.bytes;
      cell.read_pc = now.pc;
      return;
    }
    if (goes_on(cell.read, cell.read_pc, now.pc)) {
      cell.read |= now.bytes;
      return;
    }
  }
  make_list(cell);
  check_list(cell, now);
}

}  // namespace

void check_word(uintptr_t word, uint64_t bytes, uint32_t flags, uint64_t pc) {
  if (current_epoch == 0 || !state.scheduling) return;
  if (__builtin_expect(is_on_other_stack(word), 0)) visit_stack(word, bytes, flags, pc);
  ShadowCell& cell = *cell_at(word);
  if (__builtin_expect(notes_cells, 0)) note_cell(cell);
  const WordAccess now{word, bytes, flags, pc};
  if (__builtin_expect(segment().plan.watched == word, 0))
    remember_watched({current_epoch | bytes, pc, flags});
  if (has_list(cell)) {
    check_list(cell, now);
  } else {
    check_cell(cell, now);
  }
}

void check_range(uintptr_t address, size_t size, uint32_t flags, uint64_t pc) {
  if (shadow_pieces == nullptr || current_epoch == 0) return;
  const uintptr_t end = address + size;
  for (uintptr_t word = address & ~(kWordBytes - 1); word < end; word += kWordBytes) {
    uint64_t bytes = kEpochBytes;
    if (word < address) bytes &= kEpochBytes << (address - word);
    if (word + kWordBytes > end) bytes &= kEpochBytes >> (word + kWordBytes - end);
    check_word(word, bytes & kEpochBytes, flags, pc);
  }
}

namespace {

// Code of the libraries whose memory is their own business.
struct CodeRange {
  uintptr_t start, end;
};
constexpr uint32_t kMaxTrusted = 16;
CodeRange trusted[kMaxTrusted];
uint32_t trusted_count;

void find_trusted() {
  constexpr const char* kNames[] = {"/libstdc++.so", "/libgcc_s.so", "/libc.so", "/libc++.so",
                                    "/libc++abi.so", "/libm.so",     "/ld-linux"};
  const Segment& s = segment();
  trusted_count = 0;
  for (uint32_t i = 0; i < s.module_count && trusted_count < kMaxTrusted; ++i) {
    for (const char* name : kNames) {
      if (strstr(s.kept_text + s.modules[i].path, name) == nullptr) continue;
      trusted[trusted_count++] = {s.modules[i].start, s.modules[i].end};
      break;
    }
  }
}

bool is_trusted(uintptr_t pc) {
  for (uint32_t i = 0; i < trusted_count; ++i) {
    if (pc - trusted[i].start < trusted[i].end - trusted[i].start) return true;
  }
  return false;
}

}  // namespace

namespace {

// Of a larger block the first bytes will do.
size_t checked_size(const void* block) {
  constexpr size_t kMost = size_t{1} << 20;
  const size_t size = heap_size(block);
  return size < kMost ? size : kMost;
}

}  // namespace

void check_free(void* block, const void* caller) {
  const auto pc = reinterpret_cast<uintptr_t>(caller);
  if (block == nullptr || current_epoch == 0 || !state.scheduling || is_trusted(pc)) return;
  const size_t size = checked_size(block);
  const auto address = reinterpret_cast<uintptr_t>(block);
  const bool is_visible = accesses_are_visible && calls_are_annotated && !is_in_operation(pc);
  check_range(address, size, kWrites | kFrees | (is_visible ? kAtomic | kVisible : 0), pc);
  if (!discipline_is_checked) return;
  note_words(address, size, Mode::Write);
  end_discipline_of(address, size);
}

// Before there are others, all that is done is known to them.
void check_allocation(void* block, const void* caller) {
  const auto pc = reinterpret_cast<uintptr_t>(caller);
  if (block == nullptr || accesses_are_visible || !may_interleave() || is_trusted(pc)) return;
  check_range(reinterpret_cast<uintptr_t>(block), checked_size(block), kWrites, pc);
}

// --- mapping

void map_shadow() {
  if (shadow_pieces != nullptr) return;
  const long mapped = raw_syscall(
      SYS_mmap, static_cast<long>(kShadowAddress), sizeof(ShadowPieces), PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (raw_failed(mapped)) runtime_error("no memory to note the program's accesses in");
  shadow_pieces = reinterpret_cast<ShadowPieces*>(mapped);
  find_trusted();
}

// Shared shadow keeps what it has: it is in a file.
void clear_shadow() {
  if (shadow_pieces == nullptr || shadow_pieces->count == 0) return;
  raw_syscall(SYS_madvise, static_cast<long>(kFirstPiece),
              static_cast<long>(shadow_pieces->count * kPieceBytes), MADV_DONTNEED);
}

void begin_shadow_of_child() { clear_shadow(); }

void forget_accesses(uintptr_t address, size_t size) {
  if (shadow_pieces == nullptr || current_epoch == 0) return;
  for (uintptr_t word = address & ~(kWordBytes - 1); word < address + size; word += kWordBytes) {
    *cell_at(word) = {};
  }
}

void note_cells() {
  notes_cells = true;
  noted_count = 0;
}

bool save_cells() {
  const SharedPart& shared = shared_part();
  notes_cells = false;
  saved_count = 0;
  if (noted_count > kMaxNoted || shared.old_access_count >= kMaxSavedAccesses) return false;
  for (uint32_t i = 0; i < noted_count; ++i) {
    const ShadowCell& cell = *noted[i];
    const Epoch write = without_generation(cell.write);
    const Epoch read = without_generation(cell.read);
    if ((write | read) != 0)
      saved_cells[saved_count++] = {noted[i], {write, read, cell.write_pc, cell.read_pc}};
  }
  saved_access_count = shared.old_access_count;
  saved_free_access = shared.free_old_access;
  for (uint32_t i = 1; i <= saved_access_count; ++i) {
    saved_accesses[i] = shared.old_accesses[i];
    saved_accesses[i].epoch = without_generation(saved_accesses[i].epoch);
  }
  return true;
}

void restore_cells() {
  for (uint32_t i = 0; i < saved_count; ++i) {
    const ShadowCell& cell = saved_cells[i].cell;
    *saved_cells[i].place = {in_this_generation(cell.write), in_this_generation(cell.read),
                             cell.write_pc, cell.read_pc};
  }
  SharedPart& shared = shared_part();
  shared.old_access_count = saved_access_count;
  shared.free_old_access = saved_free_access;
  for (uint32_t i = 1; i <= saved_access_count; ++i) {
    shared.old_accesses[i] = saved_accesses[i];
    shared.old_accesses[i].epoch = in_this_generation(saved_accesses[i].epoch);
  }
}

// The shadow of memory that is shared lies in the segment's file, after the shared part.
void share_shadow(uintptr_t address, size_t size, uint64_t identity, uint64_t offset) {
  if (shadow_pieces == nullptr || !state.scheduling) return;
  constexpr uint64_t kPage = 4096;
  const uint64_t length = (size + kPage - 1) / kPage * kPage;
  const uint64_t place = place_of_shared_shadow(identity, offset, length);
  if (place == kNoSharedShadow) return;
  const auto from = reinterpret_cast<uintptr_t>(cell_at(address));
  const long fd = open_segment_file();
  const long mapped = raw_syscall(
      SYS_mmap, static_cast<long>(from), static_cast<long>(length * kShadowScale),
      PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd, static_cast<long>(place));
  raw_syscall(SYS_close, fd);
  if (raw_failed(mapped)) runtime_error("no memory to note the accesses to shared memory in");
}

}  // namespace mazurka
