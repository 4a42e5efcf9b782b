#include "testing/scripts/random_file_locks.h"

namespace mazurka {
namespace {

class Bits {
 public:
  explicit Bits(uint32_t random) : left_(random) {}
  // 0..n-1; n is a power of 2.
  uint32_t below(uint32_t n) {
    const uint32_t taken = left_ % n;
    left_ /= n;
    return taken;
  }
  bool flip() { return below(2) != 0; }

 private:
  uint32_t left_;
};

// Bytes 0 to 2, as ranges of one or more.
void choose_range(Bits& bits, Operation& op) {
  op.value = bits.below(2);
  op.desired = op.value + 1 + bits.below(2);
}

OpKind record_kind(uint32_t chosen) {
  if (chosen == 0) return OpKind::FileLook;
  return chosen < 3 ? OpKind::FileUnlock : OpKind::FileLock;
}

}  // namespace

FileToLock add_file(Script& script) {
  FileToLock made;
  made.file = script.add({.kind = ObjectKind::File});
  for (ObjectId& description : made.descriptions) {
    description = script.add(
        {.kind = ObjectKind::Description, .value = 1 + static_cast<int64_t>(index(made.file))});
  }
  return made;
}

Operation random_file_lock(const FileToLock& file, uint32_t random) {
  Bits bits(random);
  const ObjectId description = file.descriptions[bits.below(2)];
  Operation op{.kind = OpKind::FileLock, .object = file.file, .second = description};
  const uint32_t chosen = bits.below(16);
  if (chosen == 0) return {.kind = OpKind::DescriptionClose, .object = description};
  if (chosen == 1) return {.kind = OpKind::FileForget, .object = file.file};
  if (bits.below(4) == 0) op.flags |= kTry;
  if (bits.flip()) op.flags |= kShared;
  if (chosen < 8) {
    if (chosen < 4) op.kind = OpKind::FileUnlock;
    return op;
  }
  op.kind = record_kind(bits.below(8));
  op.flags |= kRecord;
  if (bits.below(4) == 0) op.flags |= kOfDescription;
  if (bits.flip() && (op.flags & kOfDescription) == 0) op.second = kNoObject;
  choose_range(bits, op);
  return op;
}

}  // namespace mazurka
