#include "runtime/sync/sysv_sets.h"

#include <sys/ipc.h>

#include <cstdio>
#include <cstring>

#include "base/check.h"
#include "runtime/core/limits.h"

namespace mazurka {
namespace {

// What a loop does again and again needs its parts once. Far enough for the operations of any usual
// program.
constexpr uint32_t kSearchedParts = 512;

ObjectId object_of(int id, key_t key, ObjectKind kind, uint32_t number) {
  char text[48];
  if (key == IPC_PRIVATE) {
    snprintf(text, sizeof text, "%d", id);
  } else {
    snprintf(text, sizeof text, "0x%x", static_cast<unsigned>(key));
  }
  const uint64_t salt = uint64_t{static_cast<uint32_t>(id)} << 8 | static_cast<uint8_t>(kind);
  return object_by_name(text, salt, kind, Storage::Kernel, number);
}

}  // namespace

SemSetRecord* find_set(int id) {
  Segment& s = segment();
  for (uint32_t i = 0; i < s.sem_set_count; ++i) {
    if (s.sem_sets[i].id == id) return &s.sem_sets[i];
  }
  return nullptr;
}

SemSetRecord& make_set(int id, key_t key, ObjectId name, uint32_t count, int mode) {
  Segment& s = segment();
  if (s.sem_set_count >= kMaxSemSets)
    limit_reached("more semaphore sets than Mazurka can give to one execution (1024)");
  SemSetRecord& set = s.sem_sets[s.sem_set_count++];
  set = {id,   key,   object_of(id, key, ObjectKind::SemSet, 0),
         name, count, static_cast<uint32_t>(mode & 0777)};
  world().object(set.set).sem_set.count = count;
  return set;
}

ObjectId semaphore_of(const SemSetRecord& set, uint32_t number) {
  MAZURKA_CHECK(number < set.count);
  return object_of(set.id, set.key, ObjectKind::Semaphore, number);
}

OpPart* room_for_parts(uint32_t count) {
  World& w = world();
  if (count > kMaxParts - w.part_count)
    limit_reached(
        "the operations of one execution name more objects than there is room for (65536; "
        "semaphores of a set, polls, paths of files)");
  return &w.parts[w.part_count];
}

void add_parts(Operation& op, uint32_t count) {
  World& w = world();
  const OpPart* const added = &w.parts[w.part_count];
  op.part_count = count;
  for (uint32_t i = 0; i + count <= w.part_count && i < kSearchedParts; ++i) {
    if (memcmp(&w.parts[i], added, count * sizeof(OpPart)) != 0) continue;
    op.part_begin = i;
    return;
  }
  op.part_begin = w.part_count;
  w.part_count += count;
}

}  // namespace mazurka
