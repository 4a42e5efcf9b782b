#include "program/binary/site_decoder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "program/binary/dead_registers.h"

namespace mazurka {
namespace {

constexpr uint8_t kJumpLength = 5;
constexpr uint8_t kLongestSpan = 32;

uint8_t number_of(ZydisRegister name) {
  if (name == ZYDIS_REGISTER_NONE) return kNoMachineRegister;
  if (name == ZYDIS_REGISTER_RIP) return kInstructionPointer;
  if (name >= ZYDIS_REGISTER_AH && name <= ZYDIS_REGISTER_BH)
    return static_cast<uint8_t>(kHighByte + (name - ZYDIS_REGISTER_AH));
  // Bytes have numbers of their own there.
  const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
  return static_cast<uint8_t>(ZydisRegisterGetId(whole));
}

std::optional<AtomicForm> form_of(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_XCHG:
      return AtomicForm::Exchange;
    case ZYDIS_MNEMONIC_XADD:
      return AtomicForm::ExchangeAdd;
    case ZYDIS_MNEMONIC_CMPXCHG:
      return AtomicForm::CompareExchange;
    case ZYDIS_MNEMONIC_CMPXCHG8B:
    case ZYDIS_MNEMONIC_CMPXCHG16B:
      return AtomicForm::CompareExchangePair;
    case ZYDIS_MNEMONIC_ADD:
      return AtomicForm::Add;
    case ZYDIS_MNEMONIC_ADC:
      return AtomicForm::AddWithCarry;
    case ZYDIS_MNEMONIC_SUB:
      return AtomicForm::Subtract;
    case ZYDIS_MNEMONIC_SBB:
      return AtomicForm::SubtractWithBorrow;
    case ZYDIS_MNEMONIC_AND:
      return AtomicForm::And;
    case ZYDIS_MNEMONIC_OR:
      return AtomicForm::Or;
    case ZYDIS_MNEMONIC_XOR:
      return AtomicForm::Xor;
    case ZYDIS_MNEMONIC_INC:
      return AtomicForm::Increment;
    case ZYDIS_MNEMONIC_DEC:
      return AtomicForm::Decrement;
    case ZYDIS_MNEMONIC_NEG:
      return AtomicForm::Negate;
    case ZYDIS_MNEMONIC_NOT:
      return AtomicForm::Not;
    case ZYDIS_MNEMONIC_BTS:
      return AtomicForm::SetBit;
    case ZYDIS_MNEMONIC_BTR:
      return AtomicForm::ResetBit;
    case ZYDIS_MNEMONIC_BTC:
      return AtomicForm::ComplementBit;
    default:
      return std::nullopt;
  }
}

SegmentBase segment_of(const ZydisDecodedOperandMem& memory) {
  if (memory.segment == ZYDIS_REGISTER_FS) return SegmentBase::Fs;
  return memory.segment == ZYDIS_REGISTER_GS ? SegmentBase::Gs : SegmentBase::None;
}

void set_memory(const ZydisDecodedOperand& operand, PatchSite& site) {
  site.size = static_cast<uint8_t>(operand.size / 8);
  site.base = number_of(operand.mem.base);
  site.index = number_of(operand.mem.index);
  site.scale = operand.mem.scale;
  site.displacement = static_cast<int32_t>(operand.mem.disp.value);
  site.segment = segment_of(operand.mem);
}

// False: it has no form that we know.
bool describe(const ZydisDecodedInstruction& instruction, const ZydisDecodedOperand* operands,
              PatchSite& site) {
  const std::optional<AtomicForm> form = form_of(instruction.mnemonic);
  if (!form || instruction.address_width != 64) return false;
  site.form = *form;
  site.length = instruction.length;
  site.source = kNoMachineRegister;
  bool has_memory = false;
  for (int i = 0; i < instruction.operand_count_visible; ++i) {
    const ZydisDecodedOperand& operand = operands[i];
    if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) {
      set_memory(operand, site);
      has_memory = true;
    } else if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) {
      site.source = number_of(operand.reg.value);
    } else if (operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
      site.immediate = static_cast<int32_t>(operand.imm.value.s);
    }
  }
  return has_memory;
}

bool is_locked(const ZydisDecodedInstruction& instruction, const ZydisDecodedOperand* operands) {
  if (instruction.attributes & ZYDIS_ATTRIB_HAS_LOCK) return true;
  return instruction.mnemonic == ZYDIS_MNEMONIC_XCHG &&
         (operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY ||
          operands[1].type == ZYDIS_OPERAND_TYPE_MEMORY);
}

// `lock or $0, (%rsp)` and its like: it changes nothing, and orders what is before and behind it.
bool is_fence(const PatchSite& site) {
  const bool changes_nothing =
      site.form == AtomicForm::Or || site.form == AtomicForm::Add || site.form == AtomicForm::Xor;
  return changes_nothing && site.source == kNoMachineRegister && site.immediate == 0 &&
         site.base == kStackPointer;
}

// A jump by what a register or memory says.
bool is_indirect_jump(const ZydisDecodedInstruction& instruction) {
  return instruction.meta.category == ZYDIS_CATEGORY_UNCOND_BR &&
         (instruction.attributes & ZYDIS_ATTRIB_IS_RELATIVE) == 0;
}

// The opcode of the short form, or 0: it has none that could be moved (jrcxz, loop).
uint8_t branch_of(const ZydisDecodedInstruction& instruction) {
  if ((instruction.attributes & ZYDIS_ATTRIB_IS_RELATIVE) == 0) return 0;
  const uint8_t opcode = instruction.opcode;
  if (instruction.meta.category == ZYDIS_CATEGORY_UNCOND_BR && (opcode == 0xeb || opcode == 0xe9))
    return 0xeb;
  if (instruction.meta.category != ZYDIS_CATEGORY_COND_BR) return 0;
  if (instruction.opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && (opcode & 0xf0) == 0x70) return opcode;
  if (instruction.opcode_map == ZYDIS_OPCODE_MAP_0F && (opcode & 0xf0) == 0x80)
    return static_cast<uint8_t>(0x70 | (opcode & 0x0f));
  return 0;
}

bool names_memory(const ZydisDecodedInstruction& instruction) {
  constexpr uint8_t kRegister = 3;
  return (instruction.attributes & ZYDIS_ATTRIB_HAS_MODRM) != 0 &&
         instruction.raw.modrm.mod != kRegister;
}

// Of one whose second byte names memory. What is said to be harmless does not use it.
bool accesses_memory(const ZydisDecodedInstruction& instruction) {
  if (!names_memory(instruction) || leaves(instruction)) return false;
  switch (instruction.meta.category) {
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP:
    case ZYDIS_CATEGORY_PREFETCH:
    case ZYDIS_CATEGORY_AVX2GATHER:
    case ZYDIS_CATEGORY_GATHER:
    case ZYDIS_CATEGORY_SCATTER:
    case ZYDIS_CATEGORY_XSAVE:
    case ZYDIS_CATEGORY_XSAVEOPT:
      return false;
    default:
      return instruction.mnemonic != ZYDIS_MNEMONIC_LEA;
  }
}

// Moves that store a register or a number, and read nothing.
bool is_plain_store(const ZydisDecodedInstruction& instruction) {
  return instruction.mnemonic == ZYDIS_MNEMONIC_MOV &&
         instruction.opcode_map == ZYDIS_OPCODE_MAP_DEFAULT &&
         (instruction.opcode == 0x88 || instruction.opcode == 0x89 || instruction.opcode == 0xc6 ||
          instruction.opcode == 0xc7);
}

// A bit may lie far from the operand that is named.
bool is_far_bit(const ZydisDecodedInstruction& instruction) {
  const bool is_on_bit =
      instruction.mnemonic == ZYDIS_MNEMONIC_BT || instruction.mnemonic == ZYDIS_MNEMONIC_BTS ||
      instruction.mnemonic == ZYDIS_MNEMONIC_BTR || instruction.mnemonic == ZYDIS_MNEMONIC_BTC;
  return is_on_bit && instruction.opcode != 0xba;
}

AtomicForm form_of_access(const ZydisDecodedInstruction& instruction, bool reads, bool writes) {
  if (!writes) return AtomicForm::Load;
  if (reads) return AtomicForm::LoadStore;
  return is_plain_store(instruction) ? AtomicForm::Store : AtomicForm::OtherStore;
}

}  // namespace

bool leaves(const ZydisDecodedInstruction& instruction) {
  switch (instruction.meta.category) {
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_RET:
    case ZYDIS_CATEGORY_COND_BR:
    case ZYDIS_CATEGORY_UNCOND_BR:
    case ZYDIS_CATEGORY_INTERRUPT:
    case ZYDIS_CATEGORY_SYSCALL:
    case ZYDIS_CATEGORY_SYSRET:
    case ZYDIS_CATEGORY_SYSTEM:
    case ZYDIS_CATEGORY_CET:
      return true;
    default:
      return instruction.mnemonic == ZYDIS_MNEMONIC_UD2 ||
             instruction.mnemonic == ZYDIS_MNEMONIC_XBEGIN;
  }
}

SiteDecoder::SiteDecoder() {
  ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
}

std::optional<PatchSite> SiteDecoder::describe_access(uint64_t address,
                                                      std::span<const uint8_t> bytes) const {
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  constexpr uint16_t kMostBits = 512;
  if (!ZYAN_SUCCESS(
          ZydisDecoderDecodeFull(&decoder_, bytes.data(), bytes.size(), &instruction, operands)) ||
      !accesses_memory(instruction) || is_far_bit(instruction) || instruction.address_width != 64)
    return std::nullopt;
  PatchSite site{};
  site.address = address;
  site.source = kNoMachineRegister;
  for (int i = 0; i < instruction.operand_count_visible; ++i) {
    const ZydisDecodedOperand& operand = operands[i];
    if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) {
      if (operand.mem.type != ZYDIS_MEMOP_TYPE_MEM || operand.size > kMostBits || operand.size < 8)
        return std::nullopt;
      set_memory(operand, site);
      site.form =
          form_of_access(instruction, (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0,
                         (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0);
    } else if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) {
      site.source = number_of(operand.reg.value);
    } else if (operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
      site.immediate = static_cast<int32_t>(operand.imm.value.s);
    }
  }
  if (site.size == 0 || !move_along(site, bytes.first(instruction.length)) || site.branch != 0)
    return std::nullopt;
  site.length = std::exchange(site.span, uint8_t{0});
  return site;
}

void SiteDecoder::list_accesses(const FunctionRange& range, std::span<const uint8_t> bytes,
                                std::vector<WatchPlace>& found) const {
  const size_t before = found.size();
  for (size_t at = 0; at < bytes.size();) {
    ZydisDecodedInstruction instruction;
    ZydisDecoderContext context;
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder_, &context, bytes.data() + at,
                                                    bytes.size() - at, &instruction))) {
      found.resize(before);
      return;
    }
    const uint64_t address = range.begin + at;
    at += instruction.length;
    const bool is_relative = (instruction.attributes & ZYDIS_ATTRIB_IS_RELATIVE) != 0;
    if (!accesses_memory(instruction) || address > UINT32_MAX ||
        (is_relative && instruction.raw.disp.size != 32))
      continue;
    found.push_back({static_cast<uint32_t>(address),
                     instruction.length,
                     is_relative ? instruction.raw.disp.offset : uint8_t{0},
                     {}});
  }
}

std::optional<DecodedFunction> SiteDecoder::decode(const FunctionRange& range,
                                                   std::span<const uint8_t> bytes,
                                                   uint64_t access) const {
  DecodedFunction function;
  function.has_hidden_targets = range.has_landing_pads;
  for (size_t at = 0; at < bytes.size();) {
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecoderContext context;
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder_, &context, bytes.data() + at,
                                                    bytes.size() - at, &instruction)))
      return std::nullopt;
    DecodedPlace place{range.begin + at, instruction.length};
    function.has_calls |= instruction.meta.category == ZYDIS_CATEGORY_CALL;
    function.has_hidden_targets |= is_indirect_jump(instruction);
    const bool may_be_locked = (instruction.attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0 ||
                               instruction.mnemonic == ZYDIS_MNEMONIC_XCHG;
    if (may_be_locked) {
      ZydisDecoderDecodeOperands(&decoder_, &context, &instruction, operands,
                                 instruction.operand_count);
      PatchSite site{};
      site.address = place.address;
      place.is_site = is_locked(instruction, operands);
      if (place.is_site) {
        if (!describe(instruction, operands, site)) return std::nullopt;
        if (!is_fence(site)) function.sites.push_back(site);
      }
    }
    if (place.address == access && !place.is_site) {
      const std::optional<PatchSite> site =
          describe_access(access, bytes.subspan(at, instruction.length));
      if (site) function.sites.push_back(*site);
    }
    function.places.push_back(place);
    at += instruction.length;
  }
  for (PatchSite& site : function.sites) site.uses_red_zone = !function.has_calls;
  if (!function.sites.empty()) find_dead_registers(decoder_, bytes, function);
  return function;
}

// The instruction at the end of the span: false if it cannot do its work elsewhere.
bool SiteDecoder::move_along(PatchSite& site, std::span<const uint8_t> bytes) const {
  ZydisDecodedInstruction instruction;
  ZydisDecoderContext context;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder_, &context, bytes.data(), bytes.size(),
                                                  &instruction)))
    return false;
  const uint8_t end = static_cast<uint8_t>(site.span + instruction.length);
  if (leaves(instruction)) {
    site.branch = branch_of(instruction);
    if (site.branch == 0) return false;
    site.branch_length = instruction.length;
    site.branch_target = static_cast<int32_t>(end + instruction.raw.imm[0].value.s);
  } else if (instruction.attributes & ZYDIS_ATTRIB_IS_RELATIVE) {
    const size_t free = site.references[0] == 0 ? 0 : 1;
    if (site.references[free] != 0 || instruction.raw.disp.size != 32) return false;
    site.references[free] = static_cast<uint8_t>(site.span + instruction.raw.disp.offset);
    site.reference_ends[free] = end;
  }
  site.span = end;
  return true;
}

std::optional<PatchSite> SiteDecoder::loop_site(uint64_t address,
                                                std::span<const uint8_t> bytes) const {
  PatchSite site{};
  site.address = address;
  site.form = AtomicForm::Loop;
  site.uses_red_zone = 1;
  if (!move_along(site, bytes) || site.branch != 0) return std::nullopt;
  site.length = std::exchange(site.span, uint8_t{0});
  return site;
}

// What such an instruction reads could not be watched any more (access_sites.h).
bool SiteDecoder::may_load(std::span<const uint8_t> bytes) const {
  ZydisDecodedInstruction instruction;
  ZydisDecoderContext context;
  return ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder_, &context, bytes.data(), bytes.size(),
                                                    &instruction)) &&
         accesses_memory(instruction) && !is_plain_store(instruction);
}

bool SiteDecoder::try_to_widen(PatchSite& site, const DecodedFunction& function,
                               std::span<const uint8_t> bytes, uint64_t begin) const {
  const auto by_address = [](const DecodedPlace& place, uint64_t address) {
    return place.address < address;
  };
  auto next = std::lower_bound(function.places.begin(), function.places.end(), site.address + 1,
                               by_address);
  site.span = site.length;
  if (site.span >= kJumpLength) return true;
  if (function.has_hidden_targets) return false;
  for (; site.span < kJumpLength; ++next) {
    const bool can_go_on = next != function.places.end() && !next->is_site && site.branch == 0 &&
                           site.span + next->length <= kLongestSpan;
    if (!can_go_on) return false;
    const std::span<const uint8_t> moved = bytes.subspan(next->address - begin, next->length);
    if (may_load(moved) || !move_along(site, moved)) return false;
  }
  return true;
}

}  // namespace mazurka
