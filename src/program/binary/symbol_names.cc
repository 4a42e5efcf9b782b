#include "program/binary/symbol_names.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace mazurka {

SymbolNames::SymbolNames(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  struct stat status {};
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    void* const bytes =
        mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes != MAP_FAILED) {
      bytes_ = static_cast<const char*>(bytes);
      size_ = static_cast<size_t>(status.st_size);
    }
  }
  close(fd);
  if (bytes_ != nullptr) find_tables();
}

SymbolNames::~SymbolNames() {
  if (bytes_ != nullptr) munmap(const_cast<char*>(bytes_), size_);
}

bool SymbolNames::mention(std::string_view text) const {
  MAZURKA_CHECK(are_known());
  return std::any_of(tables_.begin(), tables_.end(), [&](std::string_view table) {
    return memmem(table.data(), table.size(), text.data(), text.size()) != nullptr;
  });
}

bool SymbolNames::stand_beside(std::string_view text) const {
  MAZURKA_CHECK(are_known());
  return memmem(bytes_, size_, text.data(), text.size()) != nullptr;
}

// Where sections are not told, or not as they should be, the whole file is one table.
void SymbolNames::find_tables() {
  Elf64_Ehdr header{};
  std::memcpy(&header, bytes_, std::min(size_, sizeof header));
  const bool has_sections = header.e_shentsize == sizeof(Elf64_Shdr) && header.e_shoff <= size_ &&
                            header.e_shnum <= (size_ - header.e_shoff) / sizeof(Elf64_Shdr);
  for (size_t i = 0; has_sections && i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, bytes_ + header.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type != SHT_STRTAB) continue;
    if (section.sh_offset > size_ || section.sh_size > size_ - section.sh_offset) {
      tables_.clear();
      break;
    }
    tables_.emplace_back(bytes_ + section.sh_offset, section.sh_size);
  }
  if (tables_.empty()) tables_.emplace_back(bytes_, size_);
}

}  // namespace mazurka
