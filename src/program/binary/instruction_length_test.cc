#include "program/binary/instruction_length.h"

#include <Zydis/Zydis.h>
#include <gtest/gtest.h>

#include "program/binary/elf_file.h"
#include "program/binary/function_ranges.h"

namespace mazurka {
namespace {

struct Compared {
  size_t instructions = 0;
  size_t unusual = 0;
  size_t wrong = 0;
};

void compare(std::span<const uint8_t> code, const ZydisDecoder& decoder, Compared& compared) {
  while (!code.empty()) {
    ZydisDecodedInstruction instruction;
    ZydisDecoderContext context;
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, &context, code.data(), code.size(),
                                                    &instruction)))
      return;
    const size_t length = instruction_length(code);
    ++compared.instructions;
    compared.unusual += length == 0;
    compared.wrong += length != 0 && length != instruction.length;
    code = code.subspan(instruction.length);
  }
}

TEST(InstructionLength, IsWhatTheDecoderSaysInAllOurOwnCode) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  const ElfFile file("/proc/self/exe");
  Compared compared;
  for (const Elf64_Shdr& section : file.sections()) {
    if ((section.sh_flags & SHF_EXECINSTR) == 0) continue;
    const auto code = file.content<uint8_t>(section);
    for (const FunctionRange& range : function_ranges(file)) {
      if (range.begin < section.sh_addr || range.end > section.sh_addr + code.size()) continue;
      compare(code.subspan(range.begin - section.sh_addr, range.end - range.begin), decoder,
              compared);
    }
  }
  EXPECT_GT(compared.instructions, 10'000u);
  EXPECT_EQ(compared.wrong, 0u);
  EXPECT_LT(compared.unusual, compared.instructions / 100);
}

TEST(InstructionLength, IsNotKnownOfWhatIsNotWhole) {
  const uint8_t move[] = {0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8};  // movabs
  EXPECT_EQ(instruction_length(move), 10u);
  EXPECT_EQ(instruction_length(std::span(move).first(9)), 0u);
  EXPECT_EQ(instruction_length({}), 0u);
}

}  // namespace
}  // namespace mazurka
