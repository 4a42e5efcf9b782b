#include "runtime/patches/trampoline.h"

#include <cstring>

namespace mazurka {
namespace {

class Writer {
 public:
  explicit Writer(uint8_t* to) : at_(to) {}

  const uint8_t* at() const { return at_; }
  uint64_t address() const { return reinterpret_cast<uint64_t>(at_); }

  void bytes(const void* from, size_t count) {
    memcpy(at_, from, count);
    at_ += count;
  }
  void byte(uint8_t value) { *at_++ = value; }
  void number(uint32_t value) { bytes(&value, sizeof value); }
  // Counted from its own end.
  void distance_to(uint64_t target) { number(static_cast<uint32_t>(target - (address() + 4))); }

 private:
  uint8_t* at_;
};

// The instructions behind the locked one, but for a branch at the end. What they refer to stays
// where it is.
void write_moved(Writer& out, uint64_t address, const PatchSite& site, uint32_t begin,
                 uint32_t end) {
  const uint8_t* const from = reinterpret_cast<const uint8_t*>(address);
  uint8_t moved[64];
  memcpy(moved, from, end);
  const uint64_t shift = address + begin - out.address();
  for (const uint8_t place : site.references) {
    if (place == 0) continue;
    uint32_t distance = 0;
    memcpy(&distance, moved + place, sizeof distance);
    distance += static_cast<uint32_t>(shift);
    memcpy(moved + place, &distance, sizeof distance);
  }
  out.bytes(moved + begin, end - begin);
}

constexpr uint8_t kJump = 0xe9;
constexpr uint8_t kJumpShort = 0xeb;

void write_branch(Writer& out, uint64_t address, const PatchSite& site) {
  if (site.branch == 0) return;
  if (site.branch == kJumpShort) {
    out.byte(kJump);
  } else {
    out.byte(0x0f);
    out.byte(static_cast<uint8_t>(0x80 | (site.branch & 0x0f)));
  }
  out.distance_to(address + static_cast<uint64_t>(int64_t{site.branch_target}));
}

}  // namespace

Trampoline write_trampoline(uint8_t* to, uint64_t address, const PatchSite& site, uint32_t number,
                            const uint64_t* entry) {
  constexpr uint8_t kLeaveRoom[] = {0x48, 0x8d, 0xa4, 0x24, 0x78, 0xff, 0xff, 0xff};  // 136 bytes
  constexpr uint8_t kPush = 0x68;
  constexpr uint8_t kJumpBy[] = {0xff, 0x25};
  Writer out(to);
  out.bytes(kLeaveRoom, sizeof kLeaveRoom);
  out.byte(kPush);
  out.number(number);
  out.bytes(kJumpBy, sizeof kJumpBy);
  out.distance_to(reinterpret_cast<uint64_t>(entry));
  Trampoline made{to, out.at(), nullptr};
  const bool is_trap = site.span == 0;
  const uint32_t end = is_trap ? site.length : site.span - site.branch_length;
  write_moved(out, address, site, is_moved(site.form) ? 0 : site.length, end);
  if (!is_trap) write_branch(out, address, site);
  out.byte(kJump);
  out.distance_to(address + (is_trap ? site.length : site.span));
  made.end = out.at();
  return made;
}

void write_jump(uint8_t* to, uint64_t address, const PatchSite& site, const uint8_t* target) {
  constexpr uint8_t kTrap = 0xcc;
  Writer out(to);
  out.byte(kJump);
  out.number(static_cast<uint32_t>(reinterpret_cast<uint64_t>(target) - (address + 5)));
  // Nobody comes there.
  for (uint32_t i = 5; i < site.span; ++i) out.byte(kTrap);
}

}  // namespace mazurka
