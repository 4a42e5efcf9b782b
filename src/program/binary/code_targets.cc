#include "program/binary/code_targets.h"

#include <array>
#include <cstddef>
#include <cstring>

namespace mazurka {
namespace {

enum class Branch : uint8_t { None, Short, Long, Conditional };

constexpr std::array<Branch, 256> kBranches = [] {
  std::array<Branch, 256> all{};
  for (size_t i = 0x70; i < 0x80; ++i) all[i] = Branch::Short;
  for (const size_t i : {0xe0, 0xe1, 0xe2, 0xe3, 0xeb}) all[i] = Branch::Short;
  all[0xe8] = all[0xe9] = Branch::Long;
  all[0x0f] = Branch::Conditional;
  return all;
}();

}  // namespace

CodeTargets::CodeTargets(std::span<const uint8_t> bytes, uint64_t address)
    : address_(address), targets_(bytes.size(), false) {
  const size_t last = bytes.size() < 2 ? 0 : bytes.size() - 1;
  for (size_t i = 0; i < last; ++i) {
    const Branch kind = kBranches[bytes[i]];
    if (kind == Branch::None) continue;
    const uint8_t next = bytes[i + 1];
    if (kind == Branch::Long) note_long(bytes, i + 1);
    if (kind == Branch::Conditional && (next & 0xf0) == 0x80) note_long(bytes, i + 2);
    if (kind == Branch::Short) note(static_cast<int64_t>(i) + 2 + static_cast<int8_t>(next));
  }
}

void CodeTargets::note(int64_t place) {
  if (place >= 0 && static_cast<uint64_t>(place) < targets_.size())
    targets_[static_cast<size_t>(place)] = true;
}

void CodeTargets::note_long(std::span<const uint8_t> bytes, size_t at) {
  int32_t distance = 0;
  if (at + sizeof distance > bytes.size()) return;
  memcpy(&distance, bytes.data() + at, sizeof distance);
  note(static_cast<int64_t>(at + sizeof distance) + distance);
}

}  // namespace mazurka
