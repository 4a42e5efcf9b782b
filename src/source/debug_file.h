// One ELF file of the program under test, opened for reading, and the file that holds its debug
// information: itself, or a separate one found by build id or .gnu_debuglink. Local files only:
// libdwfl would ask a debuginfod server when the user's environment names one, so we do without it.
#pragma once

#include <elfutils/libdw.h>
#include <libelf.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mazurka {

class OpenElf {
 public:
  // Empty if the file is missing or is no ELF file.
  static std::optional<OpenElf> open(const std::string& path);

  OpenElf(OpenElf&& other) noexcept;
  OpenElf& operator=(OpenElf&& other) noexcept;
  ~OpenElf();

  Elf* get() const { return elf_; }

 private:
  OpenElf(int fd, Elf* elf) : fd_(fd), elf_(elf) {}

  int fd_ = -1;
  Elf* elf_ = nullptr;
};

class DebugFile {
 public:
  // Never fails: of a missing or damaged file there is just nothing to know.
  explicit DebugFile(const std::string& path);

  // Null if there is no debug information. Lives as long as this object.
  Dwarf* dwarf() const { return dwarf_.get(); }

  // The files that may hold symbols: the module itself, then its separate debug file.
  std::vector<Elf*> symbol_files() const;

  // Code that the linker dropped keeps its debug information, at addresses outside of every
  // segment.
  bool is_code(uint64_t address) const;
  bool is_loaded(uint64_t address) const;

  // How far below the thread pointer the thread-local variables of an executable begin (ELF for
  // x86-64); 0: it has none, or it is a library, whose place is known to the loader alone.
  uint64_t thread_block_size() const { return thread_block_size_; }

 private:
  struct Segment {
    uint64_t start;
    uint64_t end;
    bool executable;
  };
  struct EndDwarf {
    void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
  };

  void read_segments();
  void open_dwarf(const std::string& path);

  // Declared before dwarf_, which reads from them until it ends.
  std::optional<OpenElf> elf_;
  std::optional<OpenElf> separate_;
  std::unique_ptr<Dwarf, EndDwarf> dwarf_;
  std::vector<Segment> segments_;
  uint64_t thread_block_size_ = 0;
};

}  // namespace mazurka
