#include "runtime/patches/locked_instruction.h"

#include <asm/prctl.h>

#include "runtime/core/raw.h"

namespace mazurka {
namespace {

constexpr uint64_t kArithmeticFlags = 0x8d5;  // carry, parity, adjust, zero, sign, overflow

uint64_t segment_base(SegmentBase segment) {
  uint64_t base = 0;
  if (segment == SegmentBase::Fs) {
    __asm__("movq %%fs:0, %0" : "=r"(base));  // the C library keeps it there
  } else if (segment == SegmentBase::Gs) {
    raw_syscall(SYS_arch_prctl, ARCH_GET_GS, address_of(&base));
  }
  return base;
}

bool is_high_byte(uint8_t number) { return number >= kHighByte && number < kHighByte + 4; }

uint64_t register_value(uint8_t number, const PatchedFrame& frame) {
  if (is_high_byte(number)) return (frame.registers[number - kHighByte] >> 8) & 0xff;
  return frame.registers[number];
}

bool is_on_bit(AtomicForm form) {
  return form == AtomicForm::SetBit || form == AtomicForm::ResetBit ||
         form == AtomicForm::ComplementBit;
}

uint64_t cut(uint64_t value, uint8_t size) {
  return size >= 8 ? value : value & ((uint64_t{1} << (8 * size)) - 1);
}

int64_t sign_extended(uint64_t value, uint8_t size) {
  const int shift = 64 - 8 * size;
  return static_cast<int64_t>(value << shift) >> shift;
}

// A bit that a register names may lie far from the operand that the instruction names.
int64_t distance_of_bit(const PatchSite& site, const PatchedFrame& frame) {
  if (!is_on_bit(site.form) || site.source == kNoMachineRegister) return 0;
  const int64_t bit = sign_extended(register_value(site.source, frame), site.size);
  const int shift = site.size == 8 ? 6 : site.size == 4 ? 5 : 4;
  return (bit >> shift) * site.size;
}

// The flags go in and come out as they are; below the stack pointer something of ours may lie.
#define WITH_FLAGS(instruction) \
  "leaq -128(%%rsp), %%rsp\n\t" \
  "pushq %[flags]\n\t"          \
  "popfq\n\t"                   \
  "lock\n\t" instruction        \
  "\n\t"                        \
  "pushfq\n\t"                  \
  "popq %[flags]\n\t"           \
  "leaq 128(%%rsp), %%rsp"

#define ONE(instruction)                                   \
  __asm__ volatile(WITH_FLAGS(instruction " (%[address])") \
                   : [flags] "+r"(flags)                   \
                   : [address] "r"(address)                \
                   : "memory", "cc")
#define TWO(instruction, width)                                               \
  __asm__ volatile(WITH_FLAGS(instruction " %" width "[value], (%[address])") \
                   : [flags] "+r"(flags), [value] "+q"(value)                 \
                   : [address] "r"(address)                                   \
                   : "memory", "cc")
#define COMPARE(instruction, width)                                           \
  __asm__ volatile(WITH_FLAGS(instruction " %" width "[value], (%[address])") \
                   : [flags] "+r"(flags), "+a"(frame.registers[0])            \
                   : [address] "r"(address), [value] "q"(value)               \
                   : "memory", "cc")

// For each size of the operand.
#define ONE_OF(name, size) \
  switch (size) {          \
    case 1:                \
      ONE(name "b");       \
      return;              \
    case 2:                \
      ONE(name "w");       \
      return;              \
    case 4:                \
      ONE(name "l");       \
      return;              \
    default:               \
      ONE(name "q");       \
      return;              \
  }
#define TWO_OF(name, size) \
  switch (size) {          \
    case 1:                \
      TWO(name "b", "b");  \
      return;              \
    case 2:                \
      TWO(name "w", "w");  \
      return;              \
    case 4:                \
      TWO(name "l", "k");  \
      return;              \
    default:               \
      TWO(name "q", "q");  \
      return;              \
  }
#define BIT_OF(name, size) \
  switch (size) {          \
    case 2:                \
      TWO(name "w", "w");  \
      return;              \
    case 4:                \
      TWO(name "l", "k");  \
      return;              \
    default:               \
      TWO(name "q", "q");  \
      return;              \
  }

void compare_exchange(uint8_t size, uint8_t* address, uint64_t value, uint64_t& flags,
                      PatchedFrame& frame) {
  switch (size) {
    case 1:
      COMPARE("cmpxchgb", "b");
      return;
    case 2:
      COMPARE("cmpxchgw", "w");
      return;
    case 4:
      COMPARE("cmpxchgl", "k");
      return;
    default:
      COMPARE("cmpxchgq", "q");
      return;
  }
}

void compare_exchange_pair(uint8_t size, uint8_t* address, uint64_t& flags, PatchedFrame& frame) {
  auto& [rax, rcx, rdx, rbx] = *reinterpret_cast<uint64_t(*)[4]>(frame.registers);
#define PAIR(instruction)                                       \
  __asm__ volatile(WITH_FLAGS(instruction " (%[address])")      \
                   : [flags] "+r"(flags), "+a"(rax), "+d"(rdx)  \
                   : [address] "r"(address), "b"(rbx), "c"(rcx) \
                   : "memory", "cc")
  if (size == 16) {
    PAIR("cmpxchg16b");
  } else {
    PAIR("cmpxchg8b");
  }
#undef PAIR
}

// `value` is the whole register: what of it is written is the processor's business.
void run(AtomicForm form, uint8_t size, uint8_t* address, uint64_t& value, uint64_t& flags) {
  switch (form) {
    case AtomicForm::Exchange:
      TWO_OF("xchg", size)
    case AtomicForm::ExchangeAdd:
      TWO_OF("xadd", size)
    case AtomicForm::Add:
      TWO_OF("add", size)
    case AtomicForm::AddWithCarry:
      TWO_OF("adc", size)
    case AtomicForm::Subtract:
      TWO_OF("sub", size)
    case AtomicForm::SubtractWithBorrow:
      TWO_OF("sbb", size)
    case AtomicForm::And:
      TWO_OF("and", size)
    case AtomicForm::Or:
      TWO_OF("or", size)
    case AtomicForm::Xor:
      TWO_OF("xor", size)
    case AtomicForm::Increment:
      ONE_OF("inc", size)
    case AtomicForm::Decrement:
      ONE_OF("dec", size)
    case AtomicForm::Negate:
      ONE_OF("neg", size)
    case AtomicForm::Not:
      ONE_OF("not", size)
    case AtomicForm::SetBit:
      BIT_OF("bts", size)
    case AtomicForm::ResetBit:
      BIT_OF("btr", size)
    case AtomicForm::ComplementBit:
      BIT_OF("btc", size)
    default:
      return;
  }
}

void run_with_register(const PatchSite& site, uint8_t* address, uint64_t& flags,
                       PatchedFrame& frame) {
  if (is_high_byte(site.source)) {
    uint64_t& whole = frame.registers[site.source - kHighByte];
    uint64_t value = (whole >> 8) & 0xff;
    run(site.form, site.size, address, value, flags);
    whole = (whole & ~uint64_t{0xff00}) | (value & 0xff) << 8;
  } else {
    run(site.form, site.size, address, frame.registers[site.source], flags);
  }
}

}  // namespace

uint8_t* operand_address(const PatchSite& site, uint64_t next_instruction,
                         const PatchedFrame& frame) {
  uint64_t address = segment_base(site.segment) + static_cast<uint64_t>(int64_t{site.displacement});
  if (site.base == kInstructionPointer) {
    address += next_instruction;
  } else if (site.base != kNoMachineRegister) {
    address += frame.registers[site.base];
  }
  if (site.index != kNoMachineRegister) address += frame.registers[site.index] * site.scale;
  return reinterpret_cast<uint8_t*>(address + static_cast<uint64_t>(distance_of_bit(site, frame)));
}

uint64_t operand_value(const PatchSite& site, const PatchedFrame& frame) {
  const uint64_t value = site.source == kNoMachineRegister
                             ? static_cast<uint64_t>(int64_t{site.immediate})
                             : register_value(site.source, frame);
  if (is_on_bit(site.form)) return value & (8u * site.size - 1u);
  return cut(value, site.size);
}

void execute(const PatchSite& site, uint8_t* address, PatchedFrame& frame) {
  uint64_t flags = frame.flags & kArithmeticFlags;
  if (site.form == AtomicForm::CompareExchangePair) {
    compare_exchange_pair(site.size, address, flags, frame);
  } else if (site.form == AtomicForm::CompareExchange) {
    compare_exchange(site.size, address, operand_value(site, frame), flags, frame);
  } else if (site.source == kNoMachineRegister || is_on_bit(site.form)) {
    uint64_t value = operand_value(site, frame);
    run(site.form, site.size, address, value, flags);
  } else {
    run_with_register(site, address, flags, frame);
  }
  frame.flags = (frame.flags & ~kArithmeticFlags) | (flags & kArithmeticFlags);
}

}  // namespace mazurka
