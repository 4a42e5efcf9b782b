#include "runtime/core/tags.h"

#include <cstring>

#include "protocol/names.h"
#include "runtime/accesses/race_shadow.h"
#include "runtime/accesses/seen_memory.h"
#include "runtime/accesses/spin_trail.h"
#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/hot.h"
#include "runtime/core/limits.h"
#include "runtime/heap/allocator.h"
#include "runtime/threads/fiber.h"

namespace mazurka {
namespace {

// Kept in the first bytes of a libc object. The check word tells a tag from chance, and from a tag
// that was copied elsewhere.
struct Tag {
  uint32_t magic;   // and the kind
  uint32_t handle;  // private memory: its number; shared memory: kSharedHandle + the object's id
  uint64_t check;
};
static_assert(sizeof(Tag) == 16);
constexpr uint32_t kTagMagic = 0x4d5a'5200;
constexpr uint32_t kSharedHandle = 0x8000'0000;

// A tag in private memory must lead to another object after fork, with its bytes unchanged: so it
// holds a place in this table, which is private, too.
constexpr uint32_t kFewHandles = 64;
MAZURKA_HOT(2) ObjectId first_handles[kFewHandles];
ObjectId more_handles[kMaxObjects - kFewHandles];
MAZURKA_HOT(2) uint32_t handle_count;

ObjectId& handle_at(uint32_t i) {
  return i < kFewHandles ? first_handles[i] : more_handles[i - kFewHandles];
}

struct SharedMapping {
  uintptr_t start;
  size_t length;
  uint64_t identity;
  uint64_t offset;
};
constexpr uint32_t kMaxSharedMappings = 1024;
SharedMapping shared_mappings[kMaxSharedMappings];
uint32_t shared_mapping_count;

uint64_t mix(uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccd;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53;
  return x ^ (x >> 33);
}

uint32_t private_space(ProcessId process) {
  return (uint32_t{process_slot(process).execs} << 16 | index(process)) & ~kSharedSpace;
}

uint32_t shared_space(uint64_t identity) {
  return kSharedSpace | static_cast<uint32_t>(mix(identity));
}

const SharedMapping* shared_mapping_at(uintptr_t address) {
  for (uint32_t i = 0; i < shared_mapping_count; ++i) {
    const SharedMapping& mapping = shared_mappings[i];
    if (address - mapping.start < mapping.length) return &mapping;
  }
  return nullptr;
}

uint64_t check_word(const void* address, uint32_t handle) {
  const bool shared = (handle & kSharedHandle) != 0;
  return mix((shared ? 0 : reinterpret_cast<uintptr_t>(address)) ^ (uint64_t{handle} << 32) ^
             kTagMagic);
}

// --- naming

ThreadId thread_with_slot(uint32_t slot) {
  const Names& names = segment().names;
  for (uint32_t i = 0; i < names.thread_count; ++i) {
    if (names.threads[i].slot == slot) return ThreadId(i);
  }
  return kNoThread;
}

bool in_module(uintptr_t address) {
  const Segment& s = segment();
  for (uint32_t i = 0; i < s.module_count; ++i) {
    if (address >= s.modules[i].start && address < s.modules[i].end) return true;
  }
  return false;
}

ObjectPlace describe_place(const void* address, bool shared, uint64_t offset) {
  ObjectPlace found{};
  found.thread = kNoThread;
  const auto number = reinterpret_cast<uintptr_t>(address);
  HeapPlace heap;
  if (shared) {
    found.storage = Storage::Shared;
    found.offset = offset;
  } else if (allocator_describe(address, &heap)) {
    found.storage = Storage::Heap;
    found.thread = thread_with_slot(heap.slot);
    found.count = heap.count;
    found.offset = heap.offset;
  } else if (number >= kStackBase && number < kStackBase + kStackStride * kHeapSlots) {
    found.storage = Storage::Stack;
    found.thread = thread_with_slot(static_cast<uint32_t>((number - kStackBase) / kStackStride));
  } else if (in_module(number)) {
    found.storage = Storage::Module;
  } else {
    found.storage = Storage::Stack;  // the kernel's own stack of a first thread
    found.thread = state.process;
  }
  return found;
}

ObjectId intern(const ObjectName& name, bool& is_new) {
  const ObjectId id = intern_object(segment().names, name, is_new);
  if (id == kNoObject)
    limit_reached("more synchronisation objects than Mazurka can name (65536 in one search)");
  return id;
}

struct Location {
  uint32_t space;
  uint64_t address;
  bool shared;
};

Location locate(const void* address) {
  const auto number = reinterpret_cast<uintptr_t>(address);
  const SharedMapping* mapping = shared_mapping_at(number);
  if (mapping == nullptr) return {private_space(state.process), number, false};
  return {shared_space(mapping->identity), number - mapping->start + mapping->offset, true};
}

// A heap block is another one after it was freed, and the name of what is in it says which it is:
// above the bits of addresses.
uint64_t address_with_block(const void* address, const Location& at) {
  constexpr int kAddressBits = 47;
  HeapPlace heap;
  if (at.shared || !allocator_describe(address, &heap)) return at.address;
  return at.address | static_cast<uint64_t>(heap.count) << kAddressBits;
}

// The next object to live at this place in this execution. `named`: the address in its name.
ObjectId make_object(const void* address, ObjectKind kind, const Location& at, uint64_t named) {
  bool is_new = false;
  ObjectName name{at.space, 0, named};
  ObjectId id = intern(name, is_new);
  while (world().object(id).kind != ObjectKind::None) {
    ++name.generation;
    id = intern(name, is_new);
  }
  if (is_new) segment().names.places[index(id)] = describe_place(address, at.shared, at.address);
  world().create_object(id, kind, at.shared ? kNoProcess : state.process);
  return id;
}

}  // namespace

ObjectId tagged_object(const void* address, ObjectKind kind) {
  Tag tag;
  memcpy(&tag, address, sizeof tag);
  if (tag.magic != (kTagMagic | static_cast<uint32_t>(kind)) ||
      tag.check != check_word(address, tag.handle)) {
    return kNoObject;
  }
  ObjectId id;
  if ((tag.handle & kSharedHandle) != 0) {
    id = ObjectId(tag.handle & ~kSharedHandle);
  } else {
    if (tag.handle >= handle_count) return kNoObject;
    id = handle_at(tag.handle);
  }
  const bool alive = index(id) < kMaxObjects && world().object(id).kind == kind;
  return alive ? id : kNoObject;
}

ObjectId make_tagged_object(void* address, ObjectKind kind) {
  const Location at = locate(address);
  const ObjectId id = make_object(address, kind, at, address_with_block(address, at));
  Tag tag{kTagMagic | static_cast<uint32_t>(kind), 0, 0};
  if (at.shared) {
    tag.handle = kSharedHandle | index(id);
  } else {
    if (handle_count >= kMaxObjects)
      limit_reached("more synchronisation objects than Mazurka can name (65536 at once)");
    handle_at(handle_count) = id;
    tag.handle = handle_count++;
  }
  tag.check = check_word(address, tag.handle);
  if (variables_are_seen() &&
      reinterpret_cast<uintptr_t>(address) - own_stack_low >= own_stack_size) {
    note_write_elsewhere(reinterpret_cast<uintptr_t>(address), sizeof tag, 0);
  }
  memcpy(address, &tag, sizeof tag);
  return id;
}

ObjectId object_by_address(const void* address, ObjectKind kind, bool fresh) {
  const Location at = locate(address);
  if (!fresh) {  // the latest generation
    bool is_new = false;
    ObjectName name{at.space, 0, at.address};
    ObjectId latest = kNoObject;
    for (;; ++name.generation) {
      const ObjectId id = intern(name, is_new);
      if (world().object(id).kind == ObjectKind::None) break;
      latest = id;
    }
    if (latest != kNoObject && world().object(latest).kind == kind) return latest;
  }
  return make_object(address, kind, at, at.address);
}

MemoryPlace place_of(const void* address) {
  const Location at = locate(address);
  return {at.space, at.address};
}

ObjectPlace place_for_people(const void* address) {
  const Location at = locate(address);
  return describe_place(address, at.shared, at.address);
}

// Beside whatever else may live there: a futex, a once control, variables of other sizes.
ObjectId variable_object(const void* address, uint8_t size) {
  constexpr uint32_t kFirstVariable = 0x8000'0000;
  const Location at = locate(address);
  bool is_new = false;
  const ObjectId id = intern({at.space, kFirstVariable + size, at.address}, is_new);
  if (is_new) segment().names.places[index(id)] = describe_place(address, at.shared, at.address);
  if (world().object(id).kind == ObjectKind::None) {
    world()
        .create_object(id, ObjectKind::Variable, at.shared ? kNoProcess : state.process)
        .variable.size = size;
  }
  return id;
}

namespace {

ObjectId named_by_hash(uint64_t hash, const char* text, ObjectKind kind, Storage storage,
                       uint32_t number) {
  bool is_new = false;
  const ObjectId id = intern({kSharedSpace, 0, hash}, is_new);
  if (is_new) {
    ObjectPlace& named = segment().names.places[index(id)];
    named.storage = storage;
    named.thread = kNoThread;
    named.text = keep_text(text);
    named.number = number;
  }
  if (world().object(id).kind == ObjectKind::None) world().create_object(id, kind, kNoProcess);
  return id;
}

}  // namespace

ObjectId object_by_name(const char* text, uint64_t salt, ObjectKind kind, Storage storage,
                        uint32_t number) {
  uint64_t hash = mix(salt ^ (uint64_t{number} << 32) ^ static_cast<uint64_t>(storage));
  for (const char* c = text; *c != '\0'; ++c) hash = mix(hash ^ static_cast<unsigned char>(*c));
  return named_by_hash(hash, text, kind, storage, number);
}

ObjectId object_by_hash(uint64_t hash, const char* text, ObjectKind kind) {
  return named_by_hash(mix(hash), text, kind, Storage::Name, 0);
}

void remember_shared_mapping(const void* start, size_t length, uint64_t identity, uint64_t offset) {
  forget_mapping(start, length);
  if (shared_mapping_count >= kMaxSharedMappings)
    limit_reached("more shared mappings than Mazurka can watch (1024)");
  shared_mappings[shared_mapping_count++] = {reinterpret_cast<uintptr_t>(start), length, identity,
                                             offset};
  share_shadow(reinterpret_cast<uintptr_t>(start), length, identity, offset);
}

void forget_mapping(const void* start, size_t length) {
  const auto from = reinterpret_cast<uintptr_t>(start);
  const uintptr_t to = from + length;
  const uint32_t count = shared_mapping_count;
  for (uint32_t i = 0; i < count; ++i) {
    SharedMapping& mapping = shared_mappings[i];
    const uintptr_t end = mapping.start + mapping.length;
    if (to <= mapping.start || from >= end) continue;
    // What is left above goes into an entry of its own, what is left below stays.
    if (to < end && shared_mapping_count < kMaxSharedMappings) {
      shared_mappings[shared_mapping_count++] = {to, end - to, mapping.identity,
                                                 mapping.offset + (to - mapping.start)};
    }
    mapping.length = from > mapping.start ? from - mapping.start : 0;
  }
  for (uint32_t i = 0; i < shared_mapping_count;) {
    if (shared_mappings[i].length == 0) {
      shared_mappings[i] = shared_mappings[--shared_mapping_count];
    } else {
      ++i;
    }
  }
}

bool find_shared_mapping(const void* address, uint64_t& identity, uint64_t& offset) {
  const auto number = reinterpret_cast<uintptr_t>(address);
  const SharedMapping* const mapping = shared_mapping_at(number);
  if (mapping == nullptr) return false;
  identity = mapping->identity;
  offset = number - mapping->start + mapping->offset;
  return true;
}

void copy_objects_for_fork(ProcessId parent, ThreadId forking, ThreadId child) {
  static ObjectId copy_of[kMaxObjects];
  World& w = world();
  const uint32_t limit = w.object_limit;
  for (uint32_t i = 0; i < limit; ++i) {
    copy_of[i] = ObjectId(i);
    if (w.objects[i].kind == ObjectKind::None || w.objects[i].process != parent) continue;
    ObjectName name = segment().names.objects[i];
    name.space = private_space(child);
    bool is_new = false;
    const ObjectId copy = intern(name, is_new);
    if (is_new) segment().names.places[index(copy)] = segment().names.places[i];
    copy_for_fork(w, ObjectId(i), copy, forking, child);
    copy_of[i] = copy;
  }
  for (uint32_t i = 0; i < handle_count; ++i) handle_at(i) = copy_of[index(handle_at(i))];
}

}  // namespace mazurka
