// How large a tree is, by random passes through it, without walking all of it.
//
// After Knuth (Estimating the efficiency of backtrack programs, 1975), whose descents go to one
// child of each node, drawn at random, and count it for all of its siblings. Ours are passes of a
// width, as stochastic enumeration (Vaisman, Kroese 2015): of a level of the tree as many nodes are
// kept as the width says, drawn from all children of what was kept of the level before
// (drawn_level.h). So the upper levels are walked whole as long as they are no wider, then some
// nodes stand for each level, and a tree no level of which is wider is counted exactly. Each pass
// is unbiased: the mean of what it says is the size.
//
// What passes say is skewed, because few of them meet the large subtrees, and it may be 10^200: all
// is done with logarithms. The interval is that of Cox for the mean of a lognormal distribution,
// with Student's factors because there are few passes of a width. Where passes differ by more than
// that can bear, it has no upper end.
#pragma once

#include <cstdint>
#include <vector>

namespace mazurka {

struct TreeSize {
  // Natural logarithms of the number of nodes: the mean, and a range in which it lies in nine of
  // ten times.
  double log_mean = 0;
  double log_low = 0;
  double log_high = 0;
  bool is_exact = false;
};

class SizePasses {
 public:
  // What a pass has said: the logarithm of the number. `is_exact`: nothing was drawn in it.
  // `least`: so many nodes were met.
  void add(uint32_t width, double log_size, bool is_exact, uint64_t least);
  void clear() { *this = {}; }

  bool empty() const { return logs_.empty(); }
  size_t count() const { return logs_.size(); }
  // The width for the next pass: it doubles after some of the same.
  uint32_t next_width() const;
  // Requires that there was a pass.
  TreeSize size() const;

 private:
  std::vector<double> logs_;     // of the present width
  std::vector<double> earlier_;  // of half of it
  uint32_t width_ = 1;
  uint64_t least_ = 1;
  bool is_exact_ = false;
};

}  // namespace mazurka
