// How much memory a search may use, and has used at most. When it is used up, the search ends as
// incomplete instead of taking the machine down.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/check.h"

namespace mazurka::lts {

class MemoryBudget {
 public:
  explicit MemoryBudget(size_t limit = SIZE_MAX) : limit_(limit) {}

  // False if that would be too much; then nothing is taken.
  bool take(size_t bytes) {
    if (bytes > limit_ - used_) return false;
    used_ += bytes;
    peak_ = std::max(peak_, used_);
    return true;
  }
  // Requires that they were taken.
  void give_back(size_t bytes) {
    MAZURKA_CHECK(bytes <= used_);
    used_ -= bytes;
  }

  size_t used() const { return used_; }
  size_t left() const { return limit_ - used_; }
  size_t peak() const { return peak_; }

 private:
  size_t limit_;
  size_t used_ = 0;
  size_t peak_ = 0;
};

}  // namespace mazurka::lts
