#include "program/binary/dead_registers.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace mazurka {
namespace {

// Sets of registers: bit n is the one that the processor calls n. Above them, flags as they lie in
// the register of flags.
using Registers = uint32_t;
constexpr unsigned kFlagsAt = 16;
constexpr Registers kCarry = 0x001u << kFlagsAt;
constexpr Registers kParity = 0x004u << kFlagsAt;
constexpr Registers kAdjust = 0x010u << kFlagsAt;
constexpr Registers kZero = 0x040u << kFlagsAt;
constexpr Registers kSign = 0x080u << kFlagsAt;
constexpr Registers kOverflow = 0x800u << kFlagsAt;
constexpr Registers kFlags = kCarry | kParity | kAdjust | kZero | kSign | kOverflow;
constexpr Registers kAll = 0xffffu | kFlags;

struct Step {
  Registers reads = 0;
  Registers writes = 0;
  Registers live = 0;  // before it; grows until nothing changes
  bool goes_on = true;
  bool goes_anywhere = false;
  size_t target = SIZE_MAX;  // the step to which it may jump
};

Registers set_of(ZydisRegister name) {
  const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
  if (ZydisRegisterGetClass(whole) != ZYDIS_REGCLASS_GPR64) return 0;
  return Registers{1} << ZydisRegisterGetId(whole);
}

bool is_whole_register(const ZydisDecodedOperand& operand) {
  if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER) return false;
  const ZydisRegisterClass size = ZydisRegisterGetClass(operand.reg.value);
  return size == ZYDIS_REGCLASS_GPR32 || size == ZYDIS_REGCLASS_GPR64;
}

// `xor %eax, %eax` reads nothing.
bool makes_zero(const ZydisDecodedInstruction& instruction, const ZydisDecodedOperand* operands) {
  return (instruction.mnemonic == ZYDIS_MNEMONIC_XOR ||
          instruction.mnemonic == ZYDIS_MNEMONIC_SUB) &&
         is_whole_register(operands[0]) && is_whole_register(operands[1]) &&
         operands[0].reg.value == operands[1].reg.value;
}

Registers read_by(const ZydisDecodedInstruction& instruction, const ZydisDecodedOperand* operands) {
  Registers read = 0;
  for (int i = 0; i < instruction.operand_count; ++i) {
    const ZydisDecodedOperand& operand = operands[i];
    if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY)
      read |= set_of(operand.mem.base) | set_of(operand.mem.index);
    if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER &&
        (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0)
      read |= set_of(operand.reg.value);
  }
  if (makes_zero(instruction, operands)) read = 0;
  // Their numbers are those of the bits.
  if (instruction.cpu_flags != nullptr)
    read |= (instruction.cpu_flags->tested << kFlagsAt) & kFlags;
  return read;
}

// Of instructions that always write all of it, whatever their operands are: a shift by zero leaves
// the flags alone, and a search for a bit that is not there its result. A flag that is said to be
// undefined may be left alone, too.
Registers written_by(const ZydisDecodedInstruction& instruction,
                     const ZydisDecodedOperand* operands) {
  switch (instruction.mnemonic) {
    case ZYDIS_MNEMONIC_MOV:
    case ZYDIS_MNEMONIC_MOVZX:
    case ZYDIS_MNEMONIC_MOVSX:
    case ZYDIS_MNEMONIC_MOVSXD:
    case ZYDIS_MNEMONIC_LEA:
    case ZYDIS_MNEMONIC_POP:
      return is_whole_register(operands[0]) ? set_of(operands[0].reg.value) : 0;
    case ZYDIS_MNEMONIC_SUB:
      return kFlags | (makes_zero(instruction, operands) ? set_of(operands[0].reg.value) : 0);
    case ZYDIS_MNEMONIC_XOR:
      return (kFlags & ~kAdjust) |
             (makes_zero(instruction, operands) ? set_of(operands[0].reg.value) : 0);
    case ZYDIS_MNEMONIC_AND:
    case ZYDIS_MNEMONIC_OR:
    case ZYDIS_MNEMONIC_TEST:
      return kFlags & ~kAdjust;
    case ZYDIS_MNEMONIC_ADD:
    case ZYDIS_MNEMONIC_CMP:
    case ZYDIS_MNEMONIC_NEG:
    case ZYDIS_MNEMONIC_XADD:
    case ZYDIS_MNEMONIC_CMPXCHG:
      return kFlags;
    case ZYDIS_MNEMONIC_INC:
    case ZYDIS_MNEMONIC_DEC:
      return kFlags & ~kCarry;
    default:
      return 0;
  }
}

size_t step_at(const DecodedFunction& function, uint64_t address) {
  const auto found = std::lower_bound(
      function.places.begin(), function.places.end(), address,
      [](const DecodedPlace& place, uint64_t wanted) { return place.address < wanted; });
  const bool begins_there = found != function.places.end() && found->address == address;
  return begins_there ? static_cast<size_t>(found - function.places.begin()) : SIZE_MAX;
}

void set_ways_on(const ZydisDecodedInstruction& instruction, const DecodedFunction& function,
                 uint64_t end, Step& step) {
  if (!leaves(instruction)) return;
  const bool is_conditional = instruction.meta.category == ZYDIS_CATEGORY_COND_BR;
  const bool is_jump = is_conditional || instruction.meta.category == ZYDIS_CATEGORY_UNCOND_BR;
  const bool is_relative = (instruction.attributes & ZYDIS_ATTRIB_IS_RELATIVE) != 0;
  if (is_jump && is_relative)
    step.target = step_at(function, end + static_cast<uint64_t>(instruction.raw.imm[0].value.s));
  step.goes_on = is_conditional;
  step.goes_anywhere = step.target == SIZE_MAX;
}

Step step_of(const ZydisDecoder& decoder, std::span<const uint8_t> bytes, const DecodedPlace& place,
             const DecodedFunction& function) {
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  Step step;
  if (!ZYAN_SUCCESS(
          ZydisDecoderDecodeFull(&decoder, bytes.data(), bytes.size(), &instruction, operands))) {
    step.goes_anywhere = true;
    return step;
  }
  step.reads = read_by(instruction, operands);
  step.writes = written_by(instruction, operands);
  set_ways_on(instruction, function, place.address + place.length, step);
  return step;
}

// Whether it is another set than before.
bool look_back(std::vector<Step>& steps, size_t i) {
  Step& step = steps[i];
  Registers behind = step.goes_anywhere ? kAll : 0;
  if (step.goes_on) behind |= i + 1 < steps.size() ? steps[i + 1].live : kAll;
  if (step.target != SIZE_MAX) behind |= steps[step.target].live;
  const Registers live = step.reads | (behind & ~step.writes);
  return std::exchange(step.live, live) != live;
}

}  // namespace

void find_dead_registers(const ZydisDecoder& decoder, std::span<const uint8_t> bytes,
                         DecodedFunction& function) {
  const uint64_t begin = function.places.front().address;
  std::vector<Step> steps;
  steps.reserve(function.places.size());
  for (const DecodedPlace& place : function.places)
    steps.push_back(
        step_of(decoder, bytes.subspan(place.address - begin, place.length), place, function));
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (size_t i = steps.size(); i-- > 0;) has_changed |= look_back(steps, i);
  }
  for (PatchSite& site : function.sites) {
    const Registers dead = kAll & ~steps[step_at(function, site.address)].live;
    site.dead_registers = static_cast<uint16_t>(dead);
    site.dead_flags = static_cast<uint16_t>(dead >> kFlagsAt);
  }
}

}  // namespace mazurka
