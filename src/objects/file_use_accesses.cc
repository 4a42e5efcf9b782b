// The accesses of operations on files on disk: those of each part. Who only makes sure that a name exists, or that it does not, reads it;
// makers of different names add to the entries of their directory.
#include "objects/object_accesses.h"

namespace mazurka {
namespace {

// Requires that the part is not on a description.
Resource resource_of(const SemPart& part) {
  switch (usage_of(part)) {
    case FileUsage::Lists:
    case FileUsage::ChangesEntries:
      return object_resource(part.semaphore, kDirectoryEntries);
    case FileUsage::ReadsLinks:
    case FileUsage::ChangesLinks:
      return object_resource(part.semaphore, kLinkCount);
    default:
      return object_resource(part.semaphore);
  }
}

// Elsewhere, the name may exist, or not.
bool may_change(FileUsage usage) {
  return usage == FileUsage::Makes || usage == FileUsage::Removes || usage == FileUsage::Replaces;
}

void part_accesses(const Asked& asked, const SemPart& part, bool changes, AccessList& out) {
  const FileUsage usage = usage_of(part);
  if (usage == FileUsage::MovesOffset || usage == FileUsage::UsesDescription) {
    out.add(hold_of(part.semaphore, asked.world.thread(asked.thread).process), Mode::Read);
    if (usage == FileUsage::UsesDescription) return;
  }
  const bool writes = changes || (asked.possible && may_change(usage));
  Mode mode = writes ? Mode::Write : Mode::Read;
  if (usage == FileUsage::ChangesEntries) mode = Mode::Add;
  out.add(resource_of(part), mode);
}

}  // namespace

void file_use_accesses(const Asked& asked, AccessList& out) {
  const Operation& op = asked.op;
  if (op.part_count > kMaxFileParts) {
    out.overflow = true;
    return;
  }
  const uint64_t changing = changing_parts(asked.world, op);
  for (uint32_t i = 0; i < op.part_count; ++i) {
    const SemPart& part = asked.world.parts[op.part_begin + i];
    if (is_behind_name(part)) part_accesses(asked, name_before(part), false, out);
    part_accesses(asked, looked_behind(asked.world, part), (changing >> i & 1) != 0, out);
  }
}

}  // namespace mazurka
