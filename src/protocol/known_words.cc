#include "protocol/known_words.h"

#include "base/check.h"

namespace mazurka {
namespace {

uint32_t first_place(const MemoryWord& word) {
  uint64_t x = word.address / 8 ^ (uint64_t{word.space} << 40);
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15;
  return static_cast<uint32_t>((x ^ (x >> 29)) % kKnownWordTableSize);
}

}  // namespace

uint32_t find_word(const KnownWords& known, const MemoryWord& word) {
  for (uint32_t place = first_place(word);; place = (place + 1) % kKnownWordTableSize) {
    const uint32_t number = known.table[place];
    if (number == 0 || number > kMaxKnownWords) return kNoWord;
    const MemoryWord& other = known.words[number - 1];
    if (other.address == word.address && other.space == word.space) return number - 1;
  }
}

bool add_word(KnownWords& known, const MemoryWord& word) {
  MAZURKA_DEBUG_CHECK(find_word(known, word) == kNoWord);
  if (known.count >= kMaxKnownWords) return false;
  uint32_t place = first_place(word);
  while (known.table[place] != 0) place = (place + 1) % kKnownWordTableSize;
  known.words[known.count++] = word;
  known.table[place] = known.count;
  return true;
}

bool tell_word(KnownWords& known, const MemoryWord& word) {
  if (known.count >= kMaxKnownWords) return false;
  known.words[known.count++] = word;
  return true;
}

void clear_words(KnownWords& known) {
  known.count = 0;
  for (uint32_t& number : known.table) number = 0;
}

}  // namespace mazurka
