// The accesses of operations on files on disk: those of each part. Who only makes sure that a name
// exists, or that it does not, reads it; makers of different names add to the entries of their
// directory.
#include "objects/access_mask.h"
#include "objects/asked.h"
#include "objects/op_row.h"

namespace mazurka {
namespace {

// Requires that the part is not on a description.
Resource resource_of(const OpPart& part) {
  switch (part.file.usage) {
    case FileUsage::Lists:
    case FileUsage::ChangesEntries:
      return object_resource(part.object, kDirectoryEntries);
    case FileUsage::ReadsLinks:
    case FileUsage::ChangesLinks:
      return object_resource(part.object, kLinkCount);
    default:
      return object_resource(part.object);
  }
}

// In some state: a name may exist there, or not.
bool may_change(FileUsage usage) {
  switch (usage) {
    case FileUsage::Makes:
    case FileUsage::Removes:
    case FileUsage::Replaces:
    case FileUsage::WritesData:
    case FileUsage::ChangesLinks:
    case FileUsage::MovesOffset:
      return true;
    default:
      return false;
  }
}

void part_accesses(const OpPart& part, ProcessId process, bool changes, AccessList& out) {
  const FileUsage usage = part.file.usage;
  if (usage == FileUsage::MovesOffset || usage == FileUsage::UsesDescription) {
    out.add(hold_of(part.object, process), Mode::Read);
    if (usage == FileUsage::UsesDescription) return;
  }
  Mode mode = changes ? Mode::Write : Mode::Read;
  if (usage == FileUsage::ChangesEntries) mode = Mode::Add;
  out.add(resource_of(part), mode);
}

}  // namespace

void possible_part_accesses(const OpPart& part, ProcessId process, AccessList& out) {
  part_accesses(part, process, may_change(part.file.usage), out);
}

void on_files::use_accesses(const Asked& asked, AccessList& out) {
  const Operation& op = asked.op;
  if (op.part_count > kMaxFileParts) {
    out.overflow = true;
    return;
  }
  const ProcessId process = asked.process();
  const uint64_t changing = changing_parts(asked.world, op);
  for (uint32_t i = 0; i < op.part_count; ++i) {
    const OpPart& named = asked.part(i);
    const OpPart part = looked_behind(asked.world, named);
    const bool changes =
        (changing >> i & 1) != 0 || (asked.possible && may_change(part.file.usage));
    if (is_behind_name(named)) part_accesses(name_before(named), process, false, out);
    part_accesses(part, process, changes, out);
  }
}

// What is behind a name does not follow from the name.
bool on_files::use_mentions(const Mentioned& mentioned, AccessMask& mask) {
  if (mentioned.part_count > kMaxFileParts) return false;
  for (uint32_t i = 0; i < mentioned.part_count; ++i) {
    const OpPart& part = mentioned.parts[i];
    if (is_behind_name(part)) return false;
    Access items[2];
    AccessList its{items, 2};
    possible_part_accesses(part, mentioned.process, its);
    for (uint32_t j = 0; j < its.count; ++j) mask.add(items[j].resource, items[j].mode);
  }
  return true;
}

}  // namespace mazurka
