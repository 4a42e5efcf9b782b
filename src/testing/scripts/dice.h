// Random numbers for random scripts (random_script.h).
#pragma once

#include <cstdint>

namespace mazurka {

// splitmix64: short, and the same on every machine, unlike the distributions of <random>.
class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed) {}

  // 0..n-1
  uint32_t below(uint32_t n) {
    state_ += 0x9e3779b97f4a7c15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<uint32_t>((z ^ (z >> 31)) % n);
  }
  bool one_in(uint32_t n) { return below(n) == 0; }

 private:
  uint64_t state_;
};

}  // namespace mazurka
