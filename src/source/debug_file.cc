#include "source/debug_file.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "base/out_of_memory.h"

namespace mazurka {
namespace {

constexpr std::string_view kDebugRoot = "/usr/lib/debug";

// Its own handler would end the command with 1, which means that something was found.
__attribute__((noreturn)) void no_memory_for_dwarf() { out_of_memory(); }

// Stripped files have no DWARF at all, or a frame section without a single unit.
Dwarf* begin_dwarf(Elf* elf) {
  Dwarf* dwarf = dwarf_begin_elf(elf, DWARF_C_READ, nullptr);
  if (dwarf != nullptr) dwarf_new_oom_handler(dwarf, no_memory_for_dwarf);
  Dwarf_CU* unit = nullptr;
  if (dwarf != nullptr &&
      dwarf_get_units(dwarf, nullptr, &unit, nullptr, nullptr, nullptr, nullptr) == 0) {
    return dwarf;
  }
  dwarf_end(dwarf);
  return nullptr;
}

std::string build_id_path(Elf* elf) {
  static constexpr char kDigits[] = "0123456789abcdef";
  const void* bytes = nullptr;
  const ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);
  if (size < 2) return "";
  std::string path = std::string(kDebugRoot) + "/.build-id/";
  for (ssize_t i = 0; i < size; ++i) {
    const auto byte = static_cast<const unsigned char*>(bytes)[i];
    path += kDigits[byte >> 4];
    path += kDigits[byte & 15];
    if (i == 0) path += '/';
  }
  return path + ".debug";
}

constexpr std::array<uint32_t, 256> crc_table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < table.size(); ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0xEDB88320U : 0);
    table[i] = value;
  }
  return table;
}

// The checksum that .gnu_debuglink keeps of its target: without it, an old debug file would lie to
// us.
uint32_t crc_of(const std::string& path) {
  static constexpr std::array<uint32_t, 256> kTable = crc_table();
  std::ifstream in(path, std::ios::binary);
  std::vector<char> buffer(1 << 16);
  uint32_t crc = ~0U;
  while (in) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    for (std::streamsize i = 0; i < in.gcount(); ++i) {
      const auto byte = static_cast<unsigned char>(buffer[static_cast<size_t>(i)]);
      crc = kTable[(crc ^ byte) & 255] ^ (crc >> 8);
    }
  }
  return ~crc;
}

// Where gdb looks, in its order.
std::string debug_link_path(Elf* elf, const std::string& module) {
  GElf_Word crc = 0;
  const char* name = dwelf_elf_gnu_debuglink(elf, &crc);
  if (name == nullptr) return "";
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(module, error);
  if (error) return "";
  const std::filesystem::path folder = real.parent_path();
  for (const std::filesystem::path& candidate :
       {folder / name, folder / ".debug" / name,
        std::filesystem::path(kDebugRoot) / folder.relative_path() / name}) {
    if (candidate != real && std::filesystem::is_regular_file(candidate, error) &&
        crc_of(candidate) == crc) {
      return candidate;
    }
  }
  return "";
}

// Such that the block begins at an address which is, modulo the alignment, that of the segment in
// the file.
uint64_t block_size(const GElf_Phdr& header) {
  const uint64_t align = std::max<uint64_t>(header.p_align, 1);
  const uint64_t offset = (0 - header.p_vaddr) & (align - 1);
  return (header.p_memsz + offset + align - 1) / align * align - offset;
}

}  // namespace

std::optional<OpenElf> OpenElf::open(const std::string& path) {
  static const bool known_version = elf_version(EV_CURRENT) != EV_NONE;
  // Non-blocking, because a module's path may by now name a pipe.
  const int fd = known_version ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
  if (fd < 0) return std::nullopt;
  // Read, not mapped: a program rebuilt in place while we run would turn the mapping into a SIGBUS.
  OpenElf file(fd, elf_begin(fd, ELF_C_READ, nullptr));
  if (file.elf_ == nullptr || elf_kind(file.elf_) != ELF_K_ELF) return std::nullopt;
  return file;
}

OpenElf::OpenElf(OpenElf&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), elf_(std::exchange(other.elf_, nullptr)) {}

OpenElf& OpenElf::operator=(OpenElf&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(elf_, other.elf_);
  return *this;
}

OpenElf::~OpenElf() {
  elf_end(elf_);
  if (fd_ >= 0) close(fd_);
}

DebugFile::DebugFile(const std::string& path) : elf_(OpenElf::open(path)) {
  if (!elf_) return;
  read_segments();
  open_dwarf(path);
}

void DebugFile::read_segments() {
  size_t count = 0;
  if (elf_getphdrnum(elf_->get(), &count) != 0) return;
  bool is_executable = false;
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf_->get(), static_cast<int>(i), &header) == nullptr) continue;
    is_executable = is_executable || header.p_type == PT_INTERP;
    if (header.p_type == PT_TLS) thread_block_size_ = block_size(header);
    if (header.p_type != PT_LOAD) continue;
    segments_.push_back(
        {header.p_vaddr, header.p_vaddr + header.p_memsz, (header.p_flags & PF_X) != 0});
  }
  if (!is_executable) thread_block_size_ = 0;
}

void DebugFile::open_dwarf(const std::string& path) {
  dwarf_.reset(begin_dwarf(elf_->get()));
  if (dwarf_) return;
  for (const std::string& candidate :
       {build_id_path(elf_->get()), debug_link_path(elf_->get(), path)}) {
    if (candidate.empty()) continue;
    separate_ = OpenElf::open(candidate);
    if (separate_) dwarf_.reset(begin_dwarf(separate_->get()));
    if (dwarf_) return;
  }
}

std::vector<Elf*> DebugFile::symbol_files() const {
  std::vector<Elf*> files;
  if (elf_) files.push_back(elf_->get());
  if (separate_) files.push_back(separate_->get());
  return files;
}

bool DebugFile::is_code(uint64_t address) const {
  return std::any_of(segments_.begin(), segments_.end(), [&](const Segment& segment) {
    return segment.executable && address >= segment.start && address < segment.end;
  });
}

bool DebugFile::is_loaded(uint64_t address) const {
  return address != 0 &&
         std::any_of(segments_.begin(), segments_.end(), [&](const Segment& segment) {
           return address >= segment.start && address < segment.end;
         });
}

}  // namespace mazurka
