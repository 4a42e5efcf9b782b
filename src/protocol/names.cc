#include "protocol/names.h"

namespace mazurka {
namespace {

// Children of the first thread have their ordinal as slot; deeper ones are spread over the rest.
constexpr uint32_t kDirectSlots = 4096;

uint64_t mix(uint64_t x) {
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9;
  return x ^ (x >> 32);
}

bool slot_is_taken(const Names& names, uint32_t slot) {
  for (uint32_t i = 0; i < names.thread_count; ++i) {
    if (names.threads[i].slot == slot) return true;
  }
  return false;
}

// Depends on the path alone, but for the rare case that two paths meet in one slot.
uint16_t slot_of(const Names& names, ThreadId parent, uint32_t ordinal) {
  if (parent == kNoThread) return 0;
  if (parent == kMainThread && ordinal < kDirectSlots) return static_cast<uint16_t>(ordinal);
  const uint64_t path = (uint64_t{names.threads[index(parent)].slot} << 32) | ordinal;
  constexpr uint32_t kRest = kRuntimeSlot - kDirectSlots;
  uint32_t slot = static_cast<uint32_t>(mix(path) % kRest);
  while (slot_is_taken(names, kDirectSlots + slot)) slot = (slot + 1) % kRest;
  return static_cast<uint16_t>(kDirectSlots + slot);
}

bool same(const ObjectName& a, const ObjectName& b) {
  return a.space == b.space && a.generation == b.generation && a.address == b.address;
}

uint64_t first_place(const ObjectName& name) {
  return mix(name.address ^ mix((uint64_t{name.space} << 32) | name.generation)) % kNameTableSize;
}

}  // namespace

ThreadId intern_thread(Names& names, ThreadId parent, uint32_t ordinal) {
  if (parent != kNoThread && index(parent) >= kMaxThreads) return kNoThread;  // a damaged name
  const auto is_it = [&](uint32_t i) {
    return names.threads[i].parent == parent && names.threads[i].ordinal == ordinal;
  };
  // Mostly the first thread creates all others.
  if (ordinal < names.thread_count && is_it(ordinal)) return ThreadId(ordinal);
  for (uint32_t i = 0; i < names.thread_count; ++i) {
    if (is_it(i)) return ThreadId(i);
  }
  if (names.thread_count >= kMaxThreads) return kNoThread;
  names.threads[names.thread_count] = {parent, slot_of(names, parent, ordinal), ordinal};
  return ThreadId(names.thread_count++);
}

ObjectId intern_object(Names& names, const ObjectName& name, bool& is_new) {
  is_new = false;
  uint64_t at = first_place(name);
  // A table that a program has filled has no end.
  uint64_t tried = 0;
  while (names.table[at] != 0 && tried++ < kNameTableSize) {
    const uint32_t id = names.table[at] - 1;
    if (id < kMaxObjects && same(names.objects[id], name)) return ObjectId(id);
    at = (at + 1) % kNameTableSize;
  }
  if (names.object_count >= kMaxObjects) return kNoObject;
  is_new = true;
  names.objects[names.object_count] = name;
  names.places[names.object_count] = {};
  names.table[at] = names.object_count + 1;
  return ObjectId(names.object_count++);
}

void forget_names(Names& names, uint32_t thread_count, uint32_t object_count) {
  names.thread_count = thread_count;
  names.object_count = object_count;
  for (uint32_t& entry : names.table) entry = 0;
  for (uint32_t i = 0; i < object_count; ++i) {
    uint64_t at = first_place(names.objects[i]);
    while (names.table[at] != 0) at = (at + 1) % kNameTableSize;
    names.table[at] = i + 1;
  }
}

}  // namespace mazurka
