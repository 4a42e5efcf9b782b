#include "program/binary/atomic_sites.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "program/binary/code_targets.h"
#include "program/binary/elf_file.h"
#include "program/binary/function_ranges.h"
#include "program/binary/instruction_length.h"
#include "program/binary/site_decoder.h"

namespace mazurka {
namespace {

constexpr const char* kNotSearched[] = {
    "ld-linux", "libc.so",  "libpthread", "libm.so", "librt.so", "libdl.so",      "libstdc++",
    "libc++",   "libgcc_s", "libatomic",  "libtsan", "libubsan", "libmazurka_rt", "linux-vdso"};

bool is_prefix(uint8_t byte) {
  switch (byte) {
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65:
    case 0x66:
    case 0x67:
    case 0xf2:
    case 0xf3:
      return true;
    default:
      return (byte & 0xf0) == 0x40;
  }
}

// Whether a locked instruction may have this opcode.
bool is_lockable(uint8_t opcode) {
  if (opcode < 0x34) return (opcode & 7) < 2;
  switch (opcode) {
    case 0x80:
    case 0x81:
    case 0x83:
    case 0x86:
    case 0x87:
    case 0xf6:
    case 0xf7:
    case 0xfe:
    case 0xff:
      return true;
    default:
      return false;
  }
}

bool is_lockable_long(uint8_t opcode) {
  switch (opcode) {
    case 0xab:
    case 0xb0:
    case 0xb1:
    case 0xb3:
    case 0xba:
    case 0xbb:
    case 0xc0:
    case 0xc1:
    case 0xc7:
      return true;
    default:
      return false;
  }
}

constexpr uint8_t kFirstWithoutMemory = 0xc0;  // of the bytes that say what the operands are

// Behind a `lock` prefix.
bool goes_on_as_locked(std::span<const uint8_t> bytes) {
  size_t at = 0;
  while (at < bytes.size() && is_prefix(bytes[at])) ++at;
  const bool is_long = at < bytes.size() && bytes[at] == 0x0f;
  if (is_long) ++at;
  if (at + 1 >= bytes.size()) return false;
  return (is_long ? is_lockable_long(bytes[at]) : is_lockable(bytes[at])) &&
         bytes[at + 1] < kFirstWithoutMemory;
}

// At the beginning of an instruction.
bool may_be_site(std::span<const uint8_t> bytes) {
  size_t at = 0;
  bool is_locked = false;
  while (at < bytes.size() && (is_prefix(bytes[at]) || bytes[at] == 0xf0))
    is_locked |= bytes[at++] == 0xf0;
  if (is_locked || at + 1 >= bytes.size()) return is_locked;
  return (bytes[at] & 0xfe) == 0x86 && bytes[at + 1] < kFirstWithoutMemory;
}

// From instruction to instruction. What is not understood may be anything.
bool has_site_where_one_begins(std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const size_t length = instruction_length(bytes);
    if (length == 0 || may_be_site(bytes.first(length))) return true;
    bytes = bytes.subspan(length);
  }
  return false;
}

// A quick look that says yes to every site, and to some that are none.
bool may_have_site(std::span<const uint8_t> bytes) {
  for (size_t i = 0; i + 1 < bytes.size(); ++i) {
    const uint8_t byte = bytes[i];
    const uint8_t next = bytes[i + 1];
    if (byte == 0xf0 && goes_on_as_locked(bytes.subspan(i + 1)))
      return has_site_where_one_begins(bytes);
    if ((byte & 0xfe) == 0x86 && next < kFirstWithoutMemory)
      return has_site_where_one_begins(bytes);
  }
  return false;
}

// In bytes of which it is not known where instructions begin.
uint64_t first_unsure(std::span<const uint8_t> bytes, uint64_t address) {
  for (size_t i = 0; i + 3 < bytes.size(); ++i) {
    if (bytes[i] != 0xf0) continue;
    const size_t at = i + ((bytes[i + 1] & 0xf0) == 0x40 || bytes[i + 1] == 0x66 ? 2 : 1);
    if (at + 1 >= bytes.size()) continue;
    const uint8_t after = bytes[at + 1];
    const bool is_likely = bytes[at] == 0x0f && (after == 0xb0 || after == 0xb1 || after == 0xc0 ||
                                                 after == 0xc1 || after == 0xc7);
    if (is_likely) return address + i;
  }
  return 0;
}

// The code of one section.
class Code {
 public:
  Code(std::span<const uint8_t> bytes, uint64_t address) : bytes_(bytes), address_(address) {}

  bool holds(const FunctionRange& range) const {
    return range.begin >= address_ && range.end <= address_ + bytes_.size();
  }
  uint64_t address() const { return address_; }
  uint64_t end() const { return address_ + bytes_.size(); }
  std::span<const uint8_t> bytes() const { return bytes_; }
  std::span<const uint8_t> part(uint64_t begin, uint64_t end) const {
    return bytes_.subspan(begin - address_, end - begin);
  }

 private:
  std::span<const uint8_t> bytes_;
  uint64_t address_;
};

void note_unsure(AtomicSites& found, std::span<const uint8_t> bytes, uint64_t address) {
  const uint64_t at = first_unsure(bytes, address);
  if (at != 0 && found.unsure_count++ == 0) found.unsure = at;
}

struct FunctionWithSites {
  FunctionRange range;
  DecodedFunction decoded;
};

std::vector<FunctionWithSites> decode_functions(const Code& code, const SiteDecoder& decoder,
                                                const std::vector<FunctionRange>& ranges,
                                                AtomicSites& found) {
  std::vector<FunctionWithSites> functions;
  uint64_t end_of_last = code.address();
  for (const FunctionRange& range : ranges) {
    if (!code.holds(range)) continue;
    note_unsure(found, code.part(end_of_last, range.begin), end_of_last);
    end_of_last = range.end;
    const std::span<const uint8_t> bytes = code.part(range.begin, range.end);
    if (!may_have_site(bytes)) continue;
    std::optional<DecodedFunction> decoded = decoder.decode(range, bytes);
    if (!decoded) {
      note_unsure(found, bytes, range.begin);
    } else if (!decoded->sites.empty()) {
      functions.push_back({range, std::move(*decoded)});
    }
  }
  note_unsure(found, code.part(end_of_last, code.end()), end_of_last);
  return functions;
}

void search(const ElfFile& file, const Elf64_Shdr& section, const SiteDecoder& decoder,
            const std::vector<FunctionRange>& ranges, AtomicSites& found) {
  const Code code(file.content<uint8_t>(section), section.sh_addr);
  const std::vector<FunctionWithSites> functions = decode_functions(code, decoder, ranges, found);
  if (functions.empty()) return;
  const CodeTargets targets(code.bytes(), code.address());
  const auto is_target = [&](uint64_t address) { return targets.is_target(address); };
  for (const auto& [range, decoded] : functions) {
    const std::span<const uint8_t> bytes = code.part(range.begin, range.end);
    for (PatchSite site : decoded.sites) {
      decoder.widen(site, decoded, bytes, range.begin, is_target);
      found.sites.push_back(site);
    }
  }
}

}  // namespace

AtomicSites find_atomic_sites(const std::string& path) {
  AtomicSites found;
  const ElfFile file(path);
  const SiteDecoder decoder;
  const std::vector<FunctionRange> ranges = function_ranges(file);
  for (const Elf64_Shdr& section : file.sections()) {
    const bool is_code = section.sh_type == SHT_PROGBITS && (section.sh_flags & SHF_EXECINSTR) != 0;
    if (is_code) search(file, section, decoder, ranges, found);
  }
  std::sort(found.sites.begin(), found.sites.end(),
            [](const PatchSite& a, const PatchSite& b) { return a.address < b.address; });
  return found;
}

std::optional<PatchSite> loop_site(const std::string& path, uint64_t address) {
  const ElfFile file(path);
  for (const Elf64_Shdr& section : file.sections()) {
    const bool is_code = section.sh_type == SHT_PROGBITS && (section.sh_flags & SHF_EXECINSTR) != 0;
    const std::span<const uint8_t> bytes = file.content<uint8_t>(section);
    const uint64_t place = address - section.sh_addr;
    if (is_code && address >= section.sh_addr && place < bytes.size())
      return SiteDecoder().loop_site(address, bytes.subspan(place));
  }
  return std::nullopt;
}

bool may_have_atomic_sites(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return !path.empty() && path[0] == '/' &&
         std::none_of(std::begin(kNotSearched), std::end(kNotSearched), [&](const char* known) {
           return name.compare(0, strlen(known), known) == 0;
         });
}

}  // namespace mazurka
