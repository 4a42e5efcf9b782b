#include "program/binary/elf_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

namespace mazurka {

ElfFile::ElfFile(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  struct stat status;
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    size_ = static_cast<size_t>(status.st_size);
    void* const bytes = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes != MAP_FAILED) bytes_ = static_cast<const char*>(bytes);
  }
  close(fd);
  const std::span<const Elf64_Ehdr> header = part<Elf64_Ehdr>(0, 1);
  if (header.empty() || memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 ||
      header[0].e_ident[EI_CLASS] != ELFCLASS64)
    return;
  sections_ = part<Elf64_Shdr>(header[0].e_shoff, header[0].e_shnum);
  names_ = header[0].e_shstrndx;
}

ElfFile::~ElfFile() {
  if (bytes_ != nullptr) munmap(const_cast<char*>(bytes_), size_);
}

std::string ElfFile::text(uint32_t section, uint32_t offset) const {
  if (section >= sections_.size() || sections_[section].sh_type != SHT_STRTAB) return "";
  const std::span<const char> strings = content<char>(sections_[section]);
  if (offset >= strings.size()) return "";
  return {strings.data() + offset, strnlen(strings.data() + offset, strings.size() - offset)};
}

}  // namespace mazurka
