#include "program/binary/instruction_length.h"

#include <array>

namespace mazurka {
namespace {

// What follows an opcode.
enum Follows : uint8_t {
  kNothing = 0,
  kByte = 1,
  kWord = 2,
  kFull = 4,       // four bytes, or two with an operand prefix
  kAddress = 8,    // eight bytes, or four with an address prefix
  kOperands = 16,  // the byte that names the operands, and what that says
  kUnusual = 128,
};

using OpcodeMap = std::array<uint8_t, 256>;

constexpr void set(OpcodeMap& map, int from, int to, int what) {
  for (int i = from; i <= to; ++i) map[static_cast<size_t>(i)] = static_cast<uint8_t>(what);
}

constexpr OpcodeMap make_first_map() {
  OpcodeMap map{};
  set(map, 0, 255, kUnusual);
  for (int i = 0; i < 0x40; i += 8) {
    set(map, i, i + 3, kOperands);
    set(map, i + 4, i + 4, kByte);
    set(map, i + 5, i + 5, kFull);
  }
  set(map, 0x50, 0x5f, kNothing);
  set(map, 0x63, 0x63, kOperands);
  set(map, 0x68, 0x68, kFull);
  set(map, 0x69, 0x69, kOperands | kFull);
  set(map, 0x6a, 0x6a, kByte);
  set(map, 0x6b, 0x6b, kOperands | kByte);
  set(map, 0x70, 0x7f, kByte);
  set(map, 0x80, 0x80, kOperands | kByte);
  set(map, 0x81, 0x81, kOperands | kFull);
  set(map, 0x83, 0x83, kOperands | kByte);
  set(map, 0x84, 0x8e, kOperands);
  set(map, 0x90, 0x99, kNothing);
  set(map, 0x9b, 0x9f, kNothing);
  set(map, 0xa0, 0xa3, kAddress);
  set(map, 0xa4, 0xa7, kNothing);
  set(map, 0xa8, 0xa8, kByte);
  set(map, 0xa9, 0xa9, kFull);
  set(map, 0xaa, 0xaf, kNothing);
  set(map, 0xb0, 0xb7, kByte);
  set(map, 0xb8, 0xbf, kFull);  // or eight, below
  set(map, 0xc0, 0xc1, kOperands | kByte);
  set(map, 0xc2, 0xc2, kWord);
  set(map, 0xc3, 0xc3, kNothing);
  set(map, 0xc6, 0xc6, kOperands | kByte);
  set(map, 0xc7, 0xc7, kOperands | kFull);
  set(map, 0xc9, 0xc9, kNothing);
  set(map, 0xcc, 0xcc, kNothing);
  set(map, 0xcd, 0xcd, kByte);
  set(map, 0xd0, 0xd3, kOperands);
  set(map, 0xd8, 0xdf, kOperands);
  set(map, 0xe0, 0xe3, kByte);
  set(map, 0xe8, 0xe9, kFull);
  set(map, 0xeb, 0xeb, kByte);
  set(map, 0xf4, 0xf5, kNothing);
  set(map, 0xf6, 0xf7, kOperands);  // and more, below
  set(map, 0xf8, 0xfd, kNothing);
  set(map, 0xfe, 0xff, kOperands);
  return map;
}

// Behind 0f.
constexpr OpcodeMap make_second_map() {
  OpcodeMap map{};
  set(map, 0, 255, kOperands);
  set(map, 0x04, 0x0c, kUnusual);
  set(map, 0x05, 0x05, kNothing);
  set(map, 0x0b, 0x0b, kNothing);
  set(map, 0x0e, 0x0f, kUnusual);
  set(map, 0x20, 0x27, kUnusual);
  set(map, 0x30, 0x3f, kUnusual);
  set(map, 0x31, 0x31, kNothing);
  set(map, 0x70, 0x73, kOperands | kByte);
  set(map, 0x77, 0x77, kNothing);
  set(map, 0x78, 0x79, kUnusual);
  set(map, 0x80, 0x8f, kFull);
  set(map, 0xa0, 0xa2, kNothing);
  set(map, 0xa4, 0xa4, kOperands | kByte);
  set(map, 0xa6, 0xa7, kUnusual);
  set(map, 0xa8, 0xaa, kNothing);
  set(map, 0xac, 0xac, kOperands | kByte);
  set(map, 0xba, 0xba, kOperands | kByte);
  set(map, 0xc2, 0xc2, kOperands | kByte);
  set(map, 0xc4, 0xc6, kOperands | kByte);
  set(map, 0xc8, 0xcf, kNothing);
  set(map, 0xff, 0xff, kUnusual);
  return map;
}

constexpr OpcodeMap kFirst = make_first_map();
constexpr OpcodeMap kSecond = make_second_map();

// One instruction. Reading beyond the end gives zeros, and makes it too long to be whole.
class OneInstruction {
 public:
  explicit OneInstruction(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  size_t length() {
    const uint8_t follows = read_opcode();
    if ((follows & kUnusual) != 0) return 0;
    const bool names_operands = (follows & kOperands) != 0;
    if (names_operands) read_operands();
    if (is_test_ && (operands_ & 0x38) < 0x10) at_ += opcode_ == 0xf6 ? 1 : full();
    if ((follows & kByte) != 0) at_ += 1;
    if ((follows & kWord) != 0) at_ += 2;
    if ((follows & kFull) != 0) at_ += is_wide_move_ ? 8 : full();
    if ((follows & kAddress) != 0) at_ += has_address_prefix_ ? 4 : 8;
    return at_ <= bytes_.size() && at_ <= kLongest ? at_ : 0;
  }

 private:
  static constexpr size_t kLongest = 15;

  uint8_t peek(size_t ahead = 0) const {
    return at_ + ahead < bytes_.size() ? bytes_[at_ + ahead] : uint8_t{0};
  }
  size_t full() const { return has_operand_prefix_ && !is_wide_ ? 2 : 4; }

  void read_prefixes() {
    for (;; ++at_) {
      switch (peek()) {
        case 0x66:
          has_operand_prefix_ = true;
          break;
        case 0x67:
          has_address_prefix_ = true;
          break;
        case 0x26:
        case 0x2e:
        case 0x36:
        case 0x3e:
        case 0x64:
        case 0x65:
        case 0xf0:
        case 0xf2:
        case 0xf3:
          break;
        default:
          return;
      }
    }
  }

  uint8_t read_opcode() {
    read_prefixes();
    const bool has_rex = (peek() & 0xf0) == 0x40;
    if (has_rex) is_wide_ = (bytes_[at_++] & 8) != 0;
    opcode_ = peek();
    if (!has_rex && (opcode_ == 0xc4 || opcode_ == 0xc5 || opcode_ == 0x62))
      return read_vector_opcode();
    ++at_;
    if (opcode_ == 0x0f) return read_long_opcode();
    is_test_ = (opcode_ & 0xfe) == 0xf6;
    is_wide_move_ = is_wide_ && (opcode_ & 0xf8) == 0xb8;
    // Processors differ on what the prefix means there.
    const bool is_branch = opcode_ == 0xe8 || opcode_ == 0xe9;
    return is_branch && has_operand_prefix_ ? uint8_t{kUnusual} : kFirst[opcode_];
  }

  uint8_t read_long_opcode() {
    const uint8_t second = peek();
    ++at_;
    if (second == 0x38 || second == 0x3a) {
      ++at_;
      return second == 0x38 ? kOperands : kOperands | kByte;
    }
    const bool is_branch = (second & 0xf0) == 0x80;
    return is_branch && has_operand_prefix_ ? uint8_t{kUnusual} : kSecond[second];
  }

  // VEX and EVEX: the map of opcodes is told by a number.
  uint8_t read_vector_opcode() {
    const uint8_t map = opcode_ == 0xc5 ? 1 : peek(1) & (opcode_ == 0x62 ? 7 : 31);
    at_ += opcode_ == 0xc5 ? 2 : opcode_ == 0xc4 ? 3 : 4;
    const uint8_t second = peek();
    ++at_;
    switch (map) {
      case 1:
        if (second >= 0x78 && second <= 0x7b) return kOperands;
        return kSecond[second];
      case 2:
        return kOperands;
      case 3:
        return kOperands | kByte;
      default:
        return kUnusual;
    }
  }

  void read_operands() {
    operands_ = peek();
    ++at_;
    const uint8_t mode = operands_ >> 6;
    const uint8_t base = operands_ & 7;
    if (mode == 3) return;
    const bool has_index = base == 4;
    const bool is_based = (has_index ? peek() & 7 : base) != 5;
    if (has_index) ++at_;
    if (mode == 1) at_ += 1;
    if (mode == 2 || (mode == 0 && !is_based)) at_ += 4;
  }

  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
  uint8_t opcode_ = 0;
  uint8_t operands_ = 0;
  bool has_operand_prefix_ = false;
  bool has_address_prefix_ = false;
  bool is_wide_ = false;
  bool is_wide_move_ = false;
  bool is_test_ = false;
};

}  // namespace

size_t instruction_length(std::span<const uint8_t> bytes) { return OneInstruction(bytes).length(); }

}  // namespace mazurka
