#include "lts/model/word_interner.h"

namespace mazurka::lts {

size_t WordInterner::home(uint64_t word) const {
  uint64_t hash = word * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 32;
  hash *= 0xd6e8feb86659fd93u;
  return (hash >> 24) & (slots_.size() - 1);
}

uint32_t WordInterner::number(uint64_t word) {
  size_t slot = home(word);
  for (; slots_[slot] != kEmpty; slot = (slot + 1) & (slots_.size() - 1)) {
    if (words_[slots_[slot]] == word) return slots_[slot];
  }
  const uint32_t number = static_cast<uint32_t>(words_.size());
  slots_[slot] = number;
  words_.push_back(word);
  if (words_.size() * 2 > slots_.size()) grow();
  return number;
}

void WordInterner::grow() {
  slots_.assign(slots_.size() * 2, kEmpty);
  for (uint32_t number = 0; number < words_.size(); ++number) {
    size_t slot = home(words_[number]);
    while (slots_[slot] != kEmpty) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = number;
  }
}

}  // namespace mazurka::lts
