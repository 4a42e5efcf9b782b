// Where the branches of a section lead, whatever in it is really an instruction.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mazurka {

class CodeTargets {
 public:
  // Every place that can be read as a branch or call counts: so none is missed.
  CodeTargets(std::span<const uint8_t> bytes, uint64_t address);

  // Requires an address in the section.
  bool is_target(uint64_t address) const { return targets_[address - address_]; }

 private:
  void note(int64_t place);
  void note_long(std::span<const uint8_t> bytes, size_t at);

  uint64_t address_;
  std::vector<bool> targets_;
};

}  // namespace mazurka
