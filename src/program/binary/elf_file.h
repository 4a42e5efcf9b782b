// An ELF file of the program under test, as far as its sections tell something. A damaged file
// costs information, never more.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace mazurka {

class ElfFile {
 public:
  explicit ElfFile(const std::string& path);
  ~ElfFile();
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  // None if it is no ELF file of 64 bits.
  std::span<const Elf64_Shdr> sections() const { return sections_; }
  std::string name(const Elf64_Shdr& section) const { return text(names_, section.sh_name); }
  // All that fit; none if the section is not in the file.
  template <typename T>
  std::span<const T> content(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS) return {};
    return part<T>(section.sh_offset, section.sh_size / sizeof(T));
  }
  // A string of a section of strings; empty if there is none.
  std::string text(uint32_t section, uint32_t offset) const;

 private:
  template <typename T>
  std::span<const T> part(uint64_t offset, uint64_t count) const {
    const bool fits = bytes_ != nullptr && offset <= size_ &&
                      count <= (size_ - offset) / sizeof(T) && offset % alignof(T) == 0;
    if (!fits) return {};
    return {reinterpret_cast<const T*>(bytes_ + offset), static_cast<size_t>(count)};
  }

  const char* bytes_ = nullptr;
  size_t size_ = 0;
  std::span<const Elf64_Shdr> sections_;
  uint32_t names_ = 0;  // the section with their names
};

}  // namespace mazurka
