#include "runtime/patches/memory_use.h"

#include <cstring>

namespace mazurka {
namespace {

using Kind = MemoryUse::Kind;

// What an opcode does with the operand that its second byte names.
enum Class : uint8_t {
  kUnknown,
  kNothing,    // it has no such byte, and uses no memory but the stack
  kLoads,      // or it is a register
  kStores,     // it may read it, too
  kAddressed,  // it is named but not used: lea, nop, prefetch
  kSpecial,    // special_use() knows
};

struct OpcodeMap {
  uint8_t of[256] = {};
  constexpr void set(int from, int to, Class what) {
    for (int i = from; i <= to; ++i) of[i] = what;
  }
  constexpr void set(int opcode, Class what) { of[opcode] = what; }
};

constexpr OpcodeMap first_map() {
  OpcodeMap map;
  for (int i = 0; i < 0x40; i += 8) {  // arithmetic
    map.set(i, i + 1, i == 0x38 ? kLoads : kStores);
    map.set(i + 2, i + 3, kLoads);
    map.set(i + 4, i + 5, kNothing);
  }
  map.set(0x50, 0x5f, kNothing);
  map.set(0x63, kLoads);
  map.set(0x68, kNothing);
  map.set(0x69, kLoads);
  map.set(0x6a, kNothing);
  map.set(0x6b, kLoads);
  map.set(0x70, 0x7f, kNothing);
  map.set(0x80, 0x81, kSpecial);
  map.set(0x83, kSpecial);
  map.set(0x84, 0x85, kLoads);
  map.set(0x86, 0x89, kStores);
  map.set(0x8a, 0x8b, kLoads);
  map.set(0x8d, kAddressed);
  map.set(0x90, 0x99, kNothing);
  map.set(0xa4, 0xa5, kSpecial);
  map.set(0xa8, 0xa9, kNothing);
  map.set(0xaa, 0xab, kSpecial);
  map.set(0xb0, 0xbf, kNothing);
  map.set(0xc0, 0xc1, kStores);
  map.set(0xc2, 0xc3, kNothing);
  map.set(0xc6, 0xc7, kSpecial);
  map.set(0xc9, kNothing);
  map.set(0xcc, kNothing);  // one of our traps
  map.set(0xd0, 0xd3, kStores);
  map.set(0xe0, 0xe3, kNothing);
  map.set(0xe8, 0xe9, kNothing);
  map.set(0xeb, kNothing);
  map.set(0xf5, kNothing);
  map.set(0xf6, 0xf7, kSpecial);
  map.set(0xf8, 0xf9, kNothing);
  map.set(0xfc, 0xfd, kNothing);
  map.set(0xfe, 0xff, kSpecial);
  return map;
}

constexpr OpcodeMap second_map() {
  OpcodeMap map;
  map.set(0x0d, kAddressed);
  map.set(0x10, kLoads);
  map.set(0x11, kStores);
  map.set(0x12, kLoads);
  map.set(0x13, kStores);
  map.set(0x14, 0x16, kLoads);
  map.set(0x17, kStores);
  map.set(0x18, 0x1f, kAddressed);
  map.set(0x28, kLoads);
  map.set(0x29, kStores);
  map.set(0x2a, kLoads);
  map.set(0x2b, kStores);
  map.set(0x2c, 0x2f, kLoads);
  map.set(0x40, 0x76, kLoads);
  map.set(0x77, kNothing);
  map.set(0x7c, 0x7d, kLoads);
  map.set(0x7e, kSpecial);
  map.set(0x7f, kStores);
  map.set(0x80, 0x8f, kNothing);
  map.set(0x90, 0x9f, kStores);
  map.set(0xa3, kSpecial);
  map.set(0xa4, 0xa5, kStores);
  map.set(0xab, kSpecial);
  map.set(0xac, 0xad, kStores);
  map.set(0xae, kSpecial);
  map.set(0xaf, kLoads);
  map.set(0xb0, 0xb1, kStores);
  map.set(0xb3, kSpecial);
  map.set(0xb6, 0xb8, kLoads);
  map.set(0xba, kSpecial);
  map.set(0xbb, kSpecial);
  map.set(0xbc, 0xbf, kLoads);
  map.set(0xc0, 0xc1, kStores);
  map.set(0xc2, kLoads);
  map.set(0xc3, kStores);
  map.set(0xc4, kLoads);
  map.set(0xc5, kLoads);
  map.set(0xc6, kLoads);
  map.set(0xc7, kSpecial);
  map.set(0xc8, 0xcf, kNothing);
  map.set(0xd0, 0xfe, kLoads);
  map.set(0xd6, kSpecial);
  map.set(0xe7, kStores);
  map.set(0xf0, kUnknown);  // lddqu alone, seldom
  map.set(0xf7, kUnknown);  // a store to where rdi says
  return map;
}

constexpr OpcodeMap kFirstMap = first_map();
constexpr OpcodeMap kSecondMap = second_map();

class Decoder {
 public:
  Decoder(const uint8_t* code, const MachineState& machine)
      : begin_(code), at_(code), machine_(machine) {}

  MemoryUse use() {
    read_prefixes();
    if (is_unusual_) return unknown();
    const uint8_t opcode = *at_++;
    if (opcode == 0xc4 || opcode == 0xc5) return vector_use(opcode);
    if (opcode != 0x0f) return use_in(kFirstMap, opcode);
    is_second_ = true;
    const uint8_t second = *at_++;
    if (second == 0x38 || second == 0x3a) return third_use(second);
    return use_in(kSecondMap, second);
  }

 private:
  static MemoryUse unknown() { return {.kind = Kind::Unknown}; }

  void read_prefixes() {
    for (;; ++at_) {
      switch (*at_) {
        case 0x66:
          is_short_ = true;
          continue;
        case 0xf2:
        case 0xf3:
          repeat_ = *at_;
          continue;
        case 0x64:
          is_of_thread_ = true;
          continue;
        case 0x2e:  // these say nothing here
        case 0x36:
        case 0x3e:
        case 0x26:
        case 0xf0:
          continue;
        case 0x65:
        case 0x67:
        case 0x62:
          is_unusual_ = true;
          return;
        default:
          break;
      }
      break;
    }
    if ((*at_ & 0xf0) == 0x40) rex_ = *at_++;
  }

  MemoryUse use_in(const OpcodeMap& map, uint8_t opcode) {
    switch (map.of[opcode]) {
      case kNothing:
        return {};
      case kLoads:
        return operand(Kind::Load, opcode);
      case kStores:
        return operand(Kind::Store, opcode);
      case kAddressed:
        return {};
      case kSpecial:
        return is_second_ ? special_second(opcode) : special_first(opcode);
      default:
        return unknown();
    }
  }

  uint8_t middle() const { return (*at_ >> 3) & 7; }
  bool names_register() const { return (*at_ & 0xc0) == 0xc0; }

  MemoryUse special_first(uint8_t opcode) {
    const uint8_t which = middle();
    switch (opcode) {
      case 0x80:
      case 0x81:
      case 0x83:
        return operand(which == 7 ? Kind::Load : Kind::Store, opcode);
      case 0xa4:
      case 0xa5:
      case 0xaa:
      case 0xab:  // one round of it, where it is repeated
        if (is_of_thread_ || (repeat_ != 0 && machine_.registers[1] == 0)) return unknown();
        return {Kind::Store, machine_.registers[7], size_of(opcode)};
      case 0xc6:
      case 0xc7:
        return which == 0 ? operand(Kind::Store, opcode) : unknown();
      case 0xf6:
      case 0xf7:
        return operand(which == 2 || which == 3 ? Kind::Store : Kind::Load, opcode);
      default:
        return use_of_fe_and_ff(opcode, which);
    }
  }

  MemoryUse use_of_fe_and_ff(uint8_t opcode, uint8_t which) {
    if (which <= 1) return operand(Kind::Store, opcode);
    if (opcode == 0xfe || which == 3 || which == 5 || which == 7) return unknown();
    MemoryUse use = operand(Kind::Load, opcode);  // a branch, or a push
    if (use.kind == Kind::Load) use.size = 8;
    return use;
  }

  MemoryUse special_second(uint8_t opcode) {
    const uint8_t which = middle();
    switch (opcode) {
      case 0x7e:
        return repeat_ == 0xf3 ? operand(Kind::Load, opcode) : operand(Kind::Store, opcode);
      case 0xa3:
      case 0xab:
      case 0xb3:
      case 0xbb:  // the bit may lie far from what is named
        return names_register() ? MemoryUse{} : unknown();
      case 0xae:
        return use_of_ae(which);
      case 0xba:
        if (which < 4) return unknown();
        return operand(which == 4 ? Kind::Load : Kind::Store, opcode);
      case 0xc7:
        return which == 1 && !names_register() ? operand(Kind::Store, opcode) : unknown();
      case 0xd6:
        return is_short_ && repeat_ == 0 ? operand(Kind::Store, opcode) : unknown();
      default:
        return unknown();
    }
  }

  // Fences are harmless; so is what goes to the control register of vectors.
  MemoryUse use_of_ae(uint8_t which) {
    if (names_register()) return which >= 5 && repeat_ == 0 ? MemoryUse{} : unknown();
    if (which == 7) return {};  // flushes a line
    if (which != 3 || repeat_ != 0 || is_short_) return unknown();
    MemoryUse use = operand(Kind::Store, 0xae);
    use.size = 4;
    return use;
  }

  // Vectors of 16 bytes, by opcodes of three bytes.
  MemoryUse third_use(uint8_t map) {
    const uint8_t opcode = *at_++;
    is_vector_ = true;
    if (map == 0x38) return opcode < 0xf0 ? operand(Kind::Load, opcode) : unknown();
    has_byte_ = true;
    return opcode >= 0x14 && opcode <= 0x17 ? unknown() : operand(Kind::Load, opcode);
  }

  // AVX. The prefix has what REX has, upside down.
  MemoryUse vector_use(uint8_t prefix) {
    uint8_t map = 1;
    uint8_t last = *at_++;
    rex_ = (last & 0x80) == 0 ? 4 : 0;
    if (prefix == 0xc4) {
      map = last & 0x1f;
      rex_ = static_cast<uint8_t>((~last >> 5) & 7);
      last = *at_++;
      if (last & 0x80) rex_ |= 8;
    }
    constexpr uint8_t kNo = 0, kShort = 1, kF3 = 2;
    const uint8_t implied = last & 3;
    is_short_ = implied == kShort;
    repeat_ = implied <= kShort ? kNo : (implied == kF3 ? 0xf3 : 0xf2);
    is_vector_ = is_second_ = true;
    is_wide_ = (last & 4) != 0;
    const uint8_t opcode = *at_++;
    if (map == 1) return use_in(kSecondMap, opcode);
    if (map == 2 && opcode < 0xf0 && opcode != 0x2e && opcode != 0x2f && opcode != 0x8e)
      return opcode >= 0x90 && opcode <= 0x93 ? unknown() : operand(Kind::Load, opcode);
    if (map == 2 && opcode >= 0xf2 && opcode <= 0xf7) return operand(Kind::Load, opcode);
    if (map != 3 || (opcode >= 0x14 && opcode <= 0x1d) || opcode == 0x39) return unknown();
    has_byte_ = true;
    return operand(Kind::Load, opcode);
  }

  uint32_t general_size() const { return (rex_ & 8) != 0 ? 8 : (is_short_ ? 2 : 4); }

  // How much it reads may be said too large where that does not matter: not so for what it writes.
  uint32_t size_of(uint8_t opcode) const {
    if (!is_second_) return (opcode & 1) == 0 && opcode != 0x8e ? 1 : general_size();
    const uint32_t whole = is_wide_ ? 32 : 16;
    switch (opcode) {
      case 0x10:
      case 0x11:
        return repeat_ == 0xf3 ? 4 : (repeat_ == 0xf2 ? 8 : whole);
      case 0x12:
      case 0x13:
      case 0x16:
      case 0x17:
      case 0xd6:
        return 8;
      case 0x7e:
        return repeat_ == 0xf3 || (rex_ & 8) != 0 ? 8 : 4;
      case 0x7f:
      case 0xe7:
        return is_short_ || repeat_ != 0 ? whole : 8;
      case 0x29:
      case 0x2b:
        return whole;
      case 0xb0:
      case 0xb6:
      case 0xbe:
      case 0xc0:
        return 1;
      case 0xb7:
      case 0xbf:
        return 2;
      case 0xc7:
        return (rex_ & 8) != 0 ? 16 : 8;
      default:
        break;
    }
    if (opcode >= 0x90 && opcode <= 0x9f) return 1;
    const bool is_general =
        (opcode >= 0x40 && opcode <= 0x4f) || (opcode >= 0xa3 && opcode <= 0xc3 && opcode != 0xc2);
    return is_general && !is_vector_ ? general_size() : whole;
  }

  // What follows the operand and belongs to the instruction.
  uint32_t behind_operand(uint8_t opcode) const {
    if (has_byte_) return 1;
    const uint32_t full = is_short_ ? 2 : 4;
    if (!is_second_) {
      switch (opcode) {
        case 0x69:
        case 0x81:
        case 0xc7:
          return full;
        case 0x6b:
        case 0x80:
        case 0x83:
        case 0xc0:
        case 0xc1:
        case 0xc6:
          return 1;
        case 0xf6:
          return middle_seen_ < 2 ? 1 : 0;
        case 0xf7:
          return middle_seen_ < 2 ? full : 0;
        default:
          return 0;
      }
    }
    const bool has_byte = (opcode >= 0x70 && opcode <= 0x73) || opcode == 0xa4 || opcode == 0xac ||
                          opcode == 0xba || opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6);
    return has_byte ? 1 : 0;
  }

  uint64_t value(uint8_t number, uint8_t extension) const {
    return machine_.registers[number | ((rex_ & extension) != 0 ? 8 : 0)];
  }

  template <typename T>
  uint64_t distance() {
    T number;
    memcpy(&number, at_, sizeof number);
    at_ += sizeof number;
    return static_cast<uint64_t>(int64_t{number});
  }

  uint64_t indexed_address(uint8_t mode) {
    constexpr uint8_t kBase = 1, kIndex = 2, kNone = 4, kFarOnly = 5;
    const uint8_t byte = *at_++;
    uint64_t address = 0;
    const uint8_t index = (byte >> 3) & 7;
    if (index != kNone || (rex_ & kIndex) != 0) address = value(index, kIndex) << (byte >> 6);
    if ((byte & 7) == kFarOnly && mode == 0) return address + distance<int32_t>();
    return address + value(byte & 7, kBase);
  }

  MemoryUse operand(Kind kind, uint8_t opcode) {
    if (names_register()) return {};
    constexpr uint8_t kBase = 1, kIndexed = 4, kFromHere = 5;
    const uint8_t byte = *at_++;
    const uint8_t mode = byte >> 6;
    const uint8_t base = byte & 7;
    middle_seen_ = (byte >> 3) & 7;
    uint64_t address = 0;
    if (mode == 0 && base == kFromHere) {
      const uint64_t offset = distance<int32_t>();
      const auto length = static_cast<uint64_t>(at_ - begin_) + behind_operand(opcode);
      address = machine_.pc + length + offset;
    } else {
      address = base == kIndexed ? indexed_address(mode) : value(base, kBase);
      if (mode == 1) address += distance<int8_t>();
      if (mode == 2) address += distance<int32_t>();
    }
    if (is_of_thread_) address += machine_.thread_base;
    return {kind, address, size_of(opcode)};
  }

  const uint8_t* begin_;
  const uint8_t* at_;
  const MachineState& machine_;
  uint8_t rex_ = 0;
  uint8_t repeat_ = 0;
  uint8_t middle_seen_ = 0;
  bool is_short_ = false;
  bool is_of_thread_ = false;
  bool is_unusual_ = false;
  bool is_second_ = false;
  bool is_vector_ = false;
  bool is_wide_ = false;
  bool has_byte_ = false;
};

}  // namespace

MemoryUse memory_use(const uint8_t* code, const MachineState& machine) {
  return Decoder(code, machine).use();
}

}  // namespace mazurka
