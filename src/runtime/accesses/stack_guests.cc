#include "runtime/accesses/stack_guests.h"

#include "runtime/core/hot.h"
#include "runtime/core/state.h"
#include "runtime/heap/allocator.h"
#include "runtime/threads/fiber.h"

namespace mazurka {
namespace {

constexpr uint32_t kMaxGuests = 4096;
constexpr uint32_t kPlaces = 2 * kMaxGuests;

struct Guest {
  uint64_t* word;
  uint64_t mask;   // the bytes that others wrote
  uint64_t known;  // their values, as the thread knows them
  uint64_t left;   // as the others left them
  bool is_unsettled;
};
Guest guests[kMaxGuests];
uint32_t guest_count;
uint16_t places[kPlaces];  // of a guest, + 1, by its address

uint32_t unsettled[kMaxGuests];
MAZURKA_HOT(2) uint32_t unsettled_count;

uint64_t differing_bytes(uint64_t a, uint64_t b) {
  uint64_t found = 0;
  for (uint32_t shift = 0; shift < 64; shift += 8) {
    const uint64_t byte = uint64_t{0xff} << shift;
    if (((a ^ b) & byte) != 0) found |= byte;
  }
  return found;
}

bool is_on_a_stack(uintptr_t address) {
  if (address - kStackBase < kStackStride * kHeapSlots) return true;
  const Context& first = context(state.process);
  constexpr uintptr_t kFirstStack = uintptr_t{8} << 20;
  const auto top = reinterpret_cast<uintptr_t>(first.first_frame);
  return first.stack_low == nullptr && top - address <= kFirstStack;
}

Guest* find_or_add(uint64_t* word) {
  uint32_t place =
      static_cast<uint32_t>((reinterpret_cast<uintptr_t>(word) * 0x9e37'79b9'7f4a'7c15) >> 51) %
      kPlaces;
  for (; places[place] != 0; place = (place + 1) % kPlaces) {
    Guest& guest = guests[places[place] - 1];
    if (guest.word == word) return &guest;
  }
  if (guest_count == kMaxGuests) return nullptr;
  Guest& added = guests[guest_count++];
  added = Guest{};
  added.word = word;
  places[place] = static_cast<uint16_t>(guest_count);
  return &added;
}

// The thread itself has written since.
void forget_overwritten(Guest& guest) { guest.mask &= ~differing_bytes(*guest.word, guest.left); }

bool note_word(uint64_t* word, uint64_t bytes) {
  Guest* const guest = find_or_add(word);
  if (guest == nullptr) return false;
  if (!guest->is_unsettled) {
    forget_overwritten(*guest);
    guest->is_unsettled = true;
    unsettled[unsettled_count++] = static_cast<uint32_t>(guest - guests);
  }
  const uint64_t added = bytes & ~guest->mask;
  guest->known = (guest->known & ~added) | (*word & added);
  guest->mask |= added;
  return true;
}

}  // namespace

bool note_guest_write(uintptr_t address, size_t size) {
  if (!is_on_a_stack(address)) return true;
  const uintptr_t end = address + size;
  for (uintptr_t at = address & ~uintptr_t{7}; at < end; at += 8) {
    uint64_t bytes = ~uint64_t{0};
    if (at < address) bytes <<= 8 * (address - at);
    if (end - at < 8) bytes &= ~(~uint64_t{0} << (8 * (end - at)));
    if (!note_word(reinterpret_cast<uint64_t*>(at), bytes)) return false;
  }
  return true;
}

void settle_guest_writes() {
  for (uint32_t i = 0; i < unsettled_count; ++i) {
    Guest& guest = guests[unsettled[i]];
    guest.left = *guest.word;
    guest.is_unsettled = false;
  }
  unsettled_count = 0;
}

void show_known_guests(uint64_t* from, const uint64_t* to) {
  for (uint32_t i = 0; i < guest_count; ++i) {
    Guest& guest = guests[i];
    if (guest.word < from || guest.word >= to) continue;
    forget_overwritten(guest);
    guest.left = *guest.word;
    *guest.word = (*guest.word & ~guest.mask) | (guest.known & guest.mask);
  }
}

void restore_guests(uint64_t* from, const uint64_t* to) {
  for (uint32_t i = 0; i < guest_count; ++i) {
    const Guest& guest = guests[i];
    if (guest.word >= from && guest.word < to) *guest.word = guest.left;
  }
}

}  // namespace mazurka
