#include "program/binary/code_marks.h"

#include "program/binary/elf_file.h"

namespace mazurka {

std::vector<CodeMark> code_marks(const std::string& path) {
  std::vector<CodeMark> marks;
  const ElfFile file(path);
  for (const Elf64_Shdr& section : file.sections()) {
    for (const char* word : {"method", "atomic", "commuting"}) {
      if (file.name(section) != std::string("mazurka_") + word) continue;
      // Each says how far away its place is.
      uint64_t here = section.sh_addr;
      for (const uint64_t distance : file.content<uint64_t>(section)) {
        marks.push_back({word, here + distance});
        here += sizeof distance;
      }
    }
  }
  return marks;
}

}  // namespace mazurka
