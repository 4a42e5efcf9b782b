// Giving a page its old bytes back. Most of what is reset are stacks, thread-local memory and heaps in their first page, and most
// lines of these are zeroes: so it is known of each line of a saved page whether it is, and the bytes of those need not be read.
// Lines that are zeroes still are not written.
#pragma once

#include <emmintrin.h>

#include <cstddef>
#include <cstdint>

namespace mazurka {

inline constexpr size_t kPage = 4096;
inline constexpr size_t kLine = 64;  // of the processor's cache: a page has as many as a word has bits

// Four vectors, one after the other: a loop might become a call of the program's own memcpy or memset.
inline bool is_zero_line(const char* line) {
  const auto* at = reinterpret_cast<const __m128i*>(line);
  const __m128i any = _mm_or_si128(_mm_or_si128(_mm_load_si128(at), _mm_load_si128(at + 1)),
                                   _mm_or_si128(_mm_load_si128(at + 2), _mm_load_si128(at + 3)));
  return _mm_movemask_epi8(_mm_cmpeq_epi8(any, _mm_setzero_si128())) == 0xffff;
}
inline void clear_line(char* line) {
  auto* to = reinterpret_cast<__m128i*>(line);
  const __m128i zero = _mm_setzero_si128();
  _mm_store_si128(to, zero);
  _mm_store_si128(to + 1, zero);
  _mm_store_si128(to + 2, zero);
  _mm_store_si128(to + 3, zero);
}
inline void copy_line(char* line, const char* saved) {
  auto* to = reinterpret_cast<__m128i*>(line);
  const auto* from = reinterpret_cast<const __m128i*>(saved);
  const __m128i a = _mm_load_si128(from);
  const __m128i b = _mm_load_si128(from + 1);
  const __m128i c = _mm_load_si128(from + 2);
  const __m128i d = _mm_load_si128(from + 3);
  _mm_store_si128(to, a);
  _mm_store_si128(to + 1, b);
  _mm_store_si128(to + 2, c);
  _mm_store_si128(to + 3, d);
}

// A bit for each line of the page that is not all zeroes.
inline uint64_t lines_in_use(const char* page) {
  uint64_t lines = 0;
  for (size_t i = 0; i < kPage / kLine; ++i) {
    if (!is_zero_line(page + i * kLine)) lines |= uint64_t{1} << i;
  }
  return lines;
}

// `lines` are those of `saved` that are in use; if there are none, it is not looked at.
inline void restore_page(char* page, const char* saved, uint64_t lines) {
  for (size_t i = 0; i < kPage / kLine; ++i) {
    char* line = page + i * kLine;
    if ((lines >> i & 1) != 0) {
      copy_line(line, saved + i * kLine);
    } else if (!is_zero_line(line)) {
      clear_line(line);
    }
  }
}

}  // namespace mazurka
