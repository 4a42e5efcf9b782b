// Holds what memory_use() says against a decoder that knows all instructions.
#include "runtime/patches/memory_use.h"

#include <Zydis/Zydis.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "program/binary/elf_file.h"
#include "program/binary/function_ranges.h"

namespace mazurka {
namespace {

struct Compared {
  size_t instructions = 0;
  size_t unknown = 0;
  size_t wrong = 0;
};

MachineState some_machine() {
  MachineState machine{};
  for (uint64_t i = 0; i < 16; ++i) machine.registers[i] = 0x10'0000 * (i + 1) + i;
  machine.thread_base = 0x7000'0000;
  return machine;
}

bool is_on_stack(const ZydisDecodedOperand& operand) {
  return operand.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
         operand.mem.base == ZYDIS_REGISTER_RSP;
}

uint64_t address_of(const ZydisDecodedInstruction& instruction, const ZydisDecodedOperand& operand,
                    const MachineState& machine) {
  ZydisRegisterContext context{};
  for (int i = 0; i < 16; ++i) context.values[ZYDIS_REGISTER_RAX + i] = machine.registers[i];
  ZyanU64 address = 0;
  ZydisCalcAbsoluteAddressEx(&instruction, &operand, machine.pc, &context, &address);
  return operand.mem.segment == ZYDIS_REGISTER_FS ? address + machine.thread_base : address;
}

bool uses_no_memory(const ZydisDecodedInstruction& instruction) {
  return instruction.mnemonic == ZYDIS_MNEMONIC_NOP ||
         instruction.meta.category == ZYDIS_CATEGORY_PREFETCH;
}

// What is stored must be said exactly; what is loaded, where.
bool is_right(const ZydisDecodedInstruction& instruction, const ZydisDecodedOperand* operands,
              const MemoryUse& use, const MachineState& machine) {
  if (uses_no_memory(instruction)) return use.kind == MemoryUse::Kind::None;
  bool loads = false;
  for (int i = 0; i < instruction.operand_count; ++i) {
    const ZydisDecodedOperand& operand = operands[i];
    if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY || operand.mem.type != ZYDIS_MEMOP_TYPE_MEM ||
        is_on_stack(operand))
      continue;
    const uint64_t address = address_of(instruction, operand, machine);
    const bool writes = (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
    if (writes)
      return use.kind == MemoryUse::Kind::Store && use.address == address &&
             use.size == operand.size / 8;
    loads = loads || (use.kind == MemoryUse::Kind::Load && use.address == address);
    if (!loads && operand.visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT) return false;
  }
  return use.kind != MemoryUse::Kind::Store;
}

void compare(std::span<const uint8_t> code, uint64_t pc, const ZydisDecoder& decoder,
             Compared& compared) {
  MachineState machine = some_machine();
  while (code.size() >= ZYDIS_MAX_INSTRUCTION_LENGTH) {
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    if (!ZYAN_SUCCESS(
            ZydisDecoderDecodeFull(&decoder, code.data(), code.size(), &instruction, operands)))
      return;
    machine.pc = pc;
    const MemoryUse use = memory_use(code.data(), machine);
    ++compared.instructions;
    if (use.kind == MemoryUse::Kind::Unknown) {
      ++compared.unknown;
    } else if (!is_right(instruction, operands, use, machine) && ++compared.wrong < 20) {
      ADD_FAILURE() << ZydisMnemonicGetString(instruction.mnemonic) << " "
                    << ::testing::PrintToString(
                           std::vector<int>(code.begin(), code.begin() + instruction.length))
                    << ": kind " << static_cast<int>(use.kind) << " at " << use.address << ", size "
                    << use.size;
    }
    pc += instruction.length;
    code = code.subspan(instruction.length);
  }
}

Compared compare_file(const char* name) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  const ElfFile file(name);
  Compared compared;
  for (const Elf64_Shdr& section : file.sections()) {
    if ((section.sh_flags & SHF_EXECINSTR) == 0) continue;
    const auto code = file.content<uint8_t>(section);
    for (const FunctionRange& range : function_ranges(file)) {
      if (range.begin < section.sh_addr || range.end > section.sh_addr + code.size()) continue;
      compare(code.subspan(range.begin - section.sh_addr, range.end - range.begin), range.begin,
              decoder, compared);
    }
  }
  return compared;
}

// All files whose code is in this process: libc has instructions of every kind.
std::vector<std::string> files_of_code() {
  std::vector<std::string> names;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const size_t name = line.find('/');
    if (name != std::string::npos && line.find("r-xp") != std::string::npos)
      names.push_back(line.substr(name));
  }
  return names;
}

TEST(MemoryUse, IsWhatTheDecoderSaysInAllCodeOfThisProcess) {
  size_t instructions = 0;
  for (const std::string& name : files_of_code()) {
    const Compared compared = compare_file(name.c_str());
    instructions += compared.instructions;
    EXPECT_EQ(compared.wrong, 0u) << name;
    EXPECT_LE(compared.unknown, compared.instructions / 5) << name;
  }
  EXPECT_GT(instructions, 100'000u);
}

}  // namespace
}  // namespace mazurka
