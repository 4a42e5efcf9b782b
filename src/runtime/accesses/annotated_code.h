// Code of which the user says something (--annotations).
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/core/runtime.h"

namespace mazurka {

// Null: nothing is said about it.
inline const AnnotatedCode* code_at(uint64_t address) {
  const Segment& s = segment();
  const AnnotatedCode* const end = s.annotated_code + s.annotated_code_count;
  const AnnotatedCode* const code =
      std::upper_bound(s.annotated_code, end, address,
                       [](uint64_t at, const AnnotatedCode& piece) { return at < piece.end; });
  return code != end && code->begin <= address ? code : nullptr;
}

// A return address belongs to the call before it.
inline const AnnotatedCode* code_before(uint64_t pc) { return code_at(pc - 1); }

}  // namespace mazurka
