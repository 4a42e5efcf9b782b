#include "program/binary/function_ranges.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace mazurka {
namespace {

// Encodings of pointers in unwind information (Linux Standard Base, DWARF extensions).
constexpr uint8_t kOmitted = 0xff;
constexpr uint8_t kFormat = 0x0f;
constexpr uint8_t kRelation = 0x70;
constexpr uint8_t kRelativeToPlace = 0x10;

// Reads what may be damaged: beyond the end there are zeros, and `good` is false.
class Bytes {
 public:
  Bytes(std::span<const uint8_t> bytes, uint64_t address) : bytes_(bytes), address_(address) {}

  bool good() const { return good_; }
  size_t at() const { return at_; }
  void go_to(size_t place) { at_ = place; }

  template <typename T>
  T read() {
    T value{};
    if (at_ > bytes_.size() || bytes_.size() - at_ < sizeof(T)) {
      good_ = false;
      return value;
    }
    memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }

  uint64_t read_leb() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = read<uint8_t>();
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) return value;
    }
  }

  uint64_t read_number(uint8_t format) {
    switch (format) {
      case 0x00:
      case 0x04:
      case 0x0c:
        return read<uint64_t>();
      case 0x03:
        return read<uint32_t>();
      case 0x0b:
        return static_cast<uint64_t>(int64_t{read<int32_t>()});
      default:
        good_ = false;
        return 0;
    }
  }

  uint64_t read_pointer(uint8_t encoding) {
    const uint64_t here = address_ + at_;
    const uint64_t value = read_number(encoding & kFormat);
    const uint8_t relation = encoding & kRelation;
    if (relation == kRelativeToPlace) return value == 0 ? 0 : value + here;
    if (relation != 0) good_ = false;
    return value;
  }

 private:
  std::span<const uint8_t> bytes_;
  uint64_t address_;
  size_t at_ = 0;
  bool good_ = true;
};

// What a common entry says about its functions.
struct Common {
  uint8_t pointers = 0;
  uint8_t language_data = kOmitted;
  bool has_augmentation = false;
};

Common read_common(Bytes& bytes) {
  Common common;
  bytes.read<uint8_t>();  // version
  std::string augmentation;
  while (const auto letter = bytes.read<char>()) augmentation += letter;
  bytes.read_leb();  // alignments, and the register of the return address
  bytes.read_leb();
  bytes.read_leb();
  if (augmentation.empty() || augmentation[0] != 'z') return common;
  common.has_augmentation = true;
  bytes.read_leb();
  for (const char letter : augmentation.substr(1)) {
    if (letter == 'R') common.pointers = bytes.read<uint8_t>();
    if (letter == 'L') common.language_data = bytes.read<uint8_t>();
    if (letter == 'P') bytes.read_number(bytes.read<uint8_t>() & kFormat);
  }
  return common;
}

FunctionRange read_function(Bytes& bytes, const Common& common) {
  FunctionRange range;
  range.begin = bytes.read_pointer(common.pointers);
  range.end = range.begin + bytes.read_number(common.pointers & kFormat);
  if (common.has_augmentation && common.language_data != kOmitted) {
    bytes.read_leb();
    range.has_landing_pads = bytes.read_pointer(common.language_data) != 0;
  }
  return range;
}

void add_unwind_ranges(std::span<const uint8_t> section, uint64_t address,
                       std::vector<FunctionRange>& ranges) {
  std::map<size_t, Common> commons;
  for (size_t at = 0; at + 8 <= section.size();) {
    Bytes bytes(section, address);
    bytes.go_to(at);
    const auto length = bytes.read<uint32_t>();
    if (length == 0xffff'ffff || length == 0) {  // 64 bits do not occur; 0 ends a part
      if (length != 0) return;
      at += 4;
      continue;
    }
    const size_t here = bytes.at();
    const auto back = bytes.read<uint32_t>();
    if (back == 0) {
      const Common common = read_common(bytes);
      if (bytes.good()) commons[at] = common;
    } else if (const auto common = commons.find(here - back); common != commons.end()) {
      const FunctionRange range = read_function(bytes, common->second);
      if (bytes.good() && range.begin < range.end) ranges.push_back(range);
    }
    at = here + length;
  }
}

void add_symbols(const ElfFile& file, const Elf64_Shdr& section,
                 std::vector<FunctionRange>& ranges) {
  for (const Elf64_Sym& symbol : file.content<Elf64_Sym>(section)) {
    const bool is_function = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
                             symbol.st_shndx != SHN_UNDEF && symbol.st_size != 0;
    if (is_function) ranges.push_back({symbol.st_value, symbol.st_value + symbol.st_size});
  }
}

bool by_begin(const FunctionRange& a, const FunctionRange& b) { return a.begin < b.begin; }

// Those that overlap neither `better` ones nor what comes before them; and the better ones.
std::vector<FunctionRange> without_overlaps(std::vector<FunctionRange> ranges,
                                            const std::vector<FunctionRange>& better) {
  std::sort(ranges.begin(), ranges.end(), by_begin);
  std::vector<FunctionRange> kept;
  auto next = better.begin();
  for (const FunctionRange& range : ranges) {
    while (next != better.end() && next->end <= range.begin) ++next;
    const bool is_known = next != better.end() && next->begin < range.end;
    if (!is_known && (kept.empty() || range.begin >= kept.back().end)) kept.push_back(range);
  }
  const auto middle = kept.insert(kept.end(), better.begin(), better.end());
  std::inplace_merge(kept.begin(), middle, kept.end(), by_begin);
  return kept;
}

}  // namespace

std::vector<FunctionRange> function_ranges(const ElfFile& file) {
  std::vector<FunctionRange> ranges;
  std::vector<FunctionRange> symbols;
  for (const Elf64_Shdr& section : file.sections()) {
    if (file.name(section) == ".eh_frame")
      add_unwind_ranges(file.content<uint8_t>(section), section.sh_addr, ranges);
  }
  for (const Elf64_Shdr& section : file.sections()) {
    if (section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM)
      add_symbols(file, section, symbols);
  }
  return without_overlaps(std::move(symbols), without_overlaps(std::move(ranges), {}));
}

}  // namespace mazurka
