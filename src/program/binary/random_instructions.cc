#include "program/binary/random_instructions.h"

#include <algorithm>
#include <span>

#include "program/binary/atomic_sites.h"
#include "program/binary/elf_file.h"
#include "program/binary/function_ranges.h"
#include "program/binary/instruction_length.h"

namespace mazurka {
namespace {

using CodeBytes = std::span<const uint8_t>;

// From the opcode on: /6 and /7 with a register.
bool asks_processor(CodeBytes bytes) {
  return bytes.size() >= 3 && bytes[0] == 0x0f && bytes[1] == 0xc7 && bytes[2] >= 0xf0;
}

bool may_ask_processor(CodeBytes bytes) {
  for (size_t i = 0; i + 2 < bytes.size(); ++i) {
    if (asks_processor(bytes.subspan(i))) return true;
  }
  return false;
}

// From instruction to instruction. What is not understood is stepped over byte by byte: rather one
// too many is named.
uint64_t first_that_asks(CodeBytes bytes, uint64_t address) {
  while (!bytes.empty()) {
    size_t opcode = 0;
    while (opcode < 2 && opcode < bytes.size() &&
           (bytes[opcode] == 0x66 || (bytes[opcode] & 0xf0) == 0x40)) {
      ++opcode;
    }
    if (asks_processor(bytes.subspan(opcode))) return address;
    const size_t length = std::max<size_t>(1, instruction_length(bytes));
    bytes = bytes.subspan(length);
    address += length;
  }
  return 0;
}

}  // namespace

uint64_t first_random_instruction(const std::string& path) {
  if (!may_have_atomic_sites(path)) return 0;
  const ElfFile file(path);
  for (const Elf64_Shdr& section : file.sections()) {
    if ((section.sh_flags & SHF_EXECINSTR) == 0) continue;
    const CodeBytes code = file.content<uint8_t>(section);
    if (!may_ask_processor(code)) continue;
    for (const FunctionRange& range : function_ranges(file)) {
      const uint64_t start = section.sh_addr;
      if (range.begin < start || range.end > start + code.size()) continue;
      const CodeBytes function = code.subspan(range.begin - start, range.end - range.begin);
      if (!may_ask_processor(function)) continue;
      if (const uint64_t found = first_that_asks(function, range.begin)) return found;
    }
  }
  return 0;
}

std::vector<UnmodelledCall> random_instructions(const std::vector<LoadedModule>& modules) {
  std::vector<UnmodelledCall> all;
  for (const LoadedModule& module : modules) {
    const uint64_t found = first_random_instruction(module.path);
    if (found == 0) continue;
    const std::string name = module.path.substr(module.path.rfind('/') + 1);
    all.push_back({"rdrand or rdseed in " + name, module.base + found, 1, true});
  }
  return all;
}

}  // namespace mazurka
