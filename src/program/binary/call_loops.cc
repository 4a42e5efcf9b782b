#include "program/binary/call_loops.h"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "program/binary/elf_file.h"
#include "program/binary/function_ranges.h"

namespace mazurka {
namespace {

class CallWalk {
 public:
  CallWalk(std::span<const uint8_t> code, uint64_t begin, uint64_t wanted)
      : code_(code), begin_(begin), wanted_(wanted) {
    ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  }

  // Whether an instruction that ends at the wanted place can be reached from there.
  bool comes_back() {
    open_ = {wanted_};
    while (!open_.empty() && !is_found_) {
      const uint64_t address = open_.back();
      open_.pop_back();
      if (seen_.insert(address).second) step(address);
    }
    return is_found_;
  }

 private:
  bool holds(uint64_t address) const { return address - begin_ < code_.size(); }

  void step(uint64_t address) {
    if (!holds(address)) return;
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    const std::span<const uint8_t> rest = code_.subspan(address - begin_);
    if (!ZYAN_SUCCESS(
            ZydisDecoderDecodeFull(&decoder_, rest.data(), rest.size(), &instruction, operands))) {
      is_found_ = true;
      return;
    }
    const uint64_t end = address + instruction.length;
    if (end == wanted_ && instruction.meta.category == ZYDIS_CATEGORY_CALL) {
      is_found_ = true;
      return;
    }
    switch (instruction.meta.category) {
      case ZYDIS_CATEGORY_RET:
        return;
      case ZYDIS_CATEGORY_UNCOND_BR:
        return jump(instruction, operands[0], address);
      case ZYDIS_CATEGORY_COND_BR:
        jump(instruction, operands[0], address);
        break;
      default:
        break;
    }
    open_.push_back(end);
  }

  // Out of the function it does not come back.
  void jump(const ZydisDecodedInstruction& instruction, const ZydisDecodedOperand& operand,
            uint64_t address) {
    uint64_t target = 0;
    const bool is_known =
        operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
        ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&instruction, &operand, address, &target));
    if (is_known) {
      open_.push_back(target);
    } else {
      is_found_ = true;
    }
  }

  ZydisDecoder decoder_;
  const std::span<const uint8_t> code_;
  const uint64_t begin_;
  const uint64_t wanted_;
  std::vector<uint64_t> open_;
  std::set<uint64_t> seen_;
  bool is_found_ = false;
};

}  // namespace

bool may_come_back(const std::string& path, uint64_t return_address) {
  const ElfFile file(path);
  for (const FunctionRange& range : function_ranges(file)) {
    if (return_address <= range.begin || return_address > range.end) continue;
    for (const Elf64_Shdr& section : file.sections()) {
      const std::span<const uint8_t> code = file.content<uint8_t>(section);
      const bool holds = (section.sh_flags & SHF_EXECINSTR) != 0 &&
                         range.begin >= section.sh_addr &&
                         range.end <= section.sh_addr + code.size();
      if (!holds) continue;
      return CallWalk(code.subspan(range.begin - section.sh_addr, range.end - range.begin),
                      range.begin, return_address)
          .comes_back();
    }
  }
  return true;
}

}  // namespace mazurka
