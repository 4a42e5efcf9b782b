// The line that tells a waiting person how far the search is: on a terminal only, redrawn in place.
#pragma once

#include "explore/search.h"

namespace mazurka {

class ProgressLine {
 public:
  // `wanted` and standard error is a terminal: else it shows nothing.
  explicit ProgressLine(bool wanted);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& progress);
  void clear();

 private:
  bool enabled_;
  bool shown_ = false;
};

}  // namespace mazurka
