// The line that tells a waiting person how far the search is: on a terminal only, redrawn in place.
#pragma once

#include <string>
#include <vector>

#include "explore/engine/search.h"

namespace mazurka {

// "1234 executions, 5000 per second, depth 12, 1 finding, about 34 % done, 12 s left"
std::string progress_text(const Progress& progress);

// What the estimate was at some time of a search that has ended, and what was really done by then.
class EstimateRecord {
 public:
  void add(const Progress& progress);
  // "the estimate was off by 7 % of the search on average, by 20 % at most". Empty if there was
  // none, or the search was not run to its end.
  std::string error_text(const Verdict& verdict) const;

 private:
  struct Sample {
    uint64_t executions = 0;  // with blocked ones
    double done = 0;
  };
  uint32_t round_ = 0;
  std::vector<Sample> samples_;
};

class ProgressLine {
 public:
  // `wanted` and standard error is a terminal: else it shows nothing.
  explicit ProgressLine(bool wanted);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool is_shown() const { return enabled_; }
  void show(const Progress& progress);
  void clear();
  // How far off the estimate was, if it was shown.
  void conclude(const Verdict& verdict);

 private:
  bool enabled_;
  bool shown_ = false;
  EstimateRecord record_;
};

}  // namespace mazurka
