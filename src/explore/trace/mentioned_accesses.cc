#include "explore/trace/mentioned_accesses.h"

#include "objects/op_table.h"

namespace mazurka {

bool add_mentioned(const Operation& op, const std::vector<OpPart>& parts, ThreadId thread,
                   ProcessId process, AccessMask& mask) {
  MentionFunction* const mentioned = row_of(op.kind).mentioned;
  const auto part_count = static_cast<uint32_t>(parts.size());
  return mentioned != nullptr && mentioned({op, parts.data(), part_count, thread, process}, mask);
}

bool has_sure_access(const Operation& op, SureAccess& out) {
  const Sure sure = row_of(op.kind).sure;
  out = {object_resource(op.object), sure == Sure::Writes ? Mode::Write : Mode::Read};
  return sure != Sure::Nothing;
}

uint64_t disabling_bits(const Operation& op, const std::vector<OpPart>& parts) {
  const auto bit = [](ObjectId object, uint8_t part = kWhole) {
    return AccessMask::bit_of(object_resource(object, part));
  };
  switch (row_of(op.kind).disabled_by) {
    case DisabledBy::Anything:
      return UINT64_MAX;
    case DisabledBy::Nothing:
      return 0;
    case DisabledBy::Object:
      return bit(op.object);
    case DisabledBy::Second:
      return bit(op.second);
    case DisabledBy::ObjectAndReaders:
      return bit(op.object) | bit(op.object, kReaders);
    case DisabledBy::ObjectAndParts: {
      uint64_t bits = bit(op.object);
      for (const OpPart& part : parts) bits |= bit(part.object);
      return bits;
    }
  }
  return UINT64_MAX;
}

}  // namespace mazurka
