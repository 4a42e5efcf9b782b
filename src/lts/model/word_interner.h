// Gives each different word a number, from 0 on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mazurka::lts {

class WordInterner {
 public:
  WordInterner() : slots_(1024, kEmpty) {}

  uint32_t number(uint64_t word);
  uint64_t word(uint32_t number) const { return words_[number]; }
  size_t size() const { return words_.size(); }
  size_t bytes() const {
    return words_.capacity() * sizeof(uint64_t) + slots_.capacity() * sizeof(uint32_t);
  }

 private:
  static constexpr uint32_t kEmpty = UINT32_MAX;

  size_t home(uint64_t word) const;
  void grow();

  std::vector<uint64_t> words_;
  std::vector<uint32_t> slots_;  // a power of two of them, at most half full
};

}  // namespace mazurka::lts
