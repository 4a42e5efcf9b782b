#include "explore/estimate/tree_size.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace mazurka {
namespace {

constexpr size_t kPassesOfAWidth = 16;
// Of logarithms: beyond that a pass that says most of the mean is hardly ever met.
constexpr double kMostVariance = 4;
// What the passes say is not quite lognormal, and large subtrees are missed rather than met too
// often: found out with programs whose size is known (bench/estimate_bench.py).
constexpr double kLower = 1.3;
constexpr double kHigher = 1.8;
constexpr uint32_t kWidest = 1 << 14;

// Student's, two-sided, 95 of 100: passes are not quite lognormal, and nine of ten are promised.
double student(size_t freedom) {
  constexpr double kFactors[] = {12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23,
                                 2.20,  2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.10, 2.09, 2.09};
  if (freedom == 0) return kFactors[0];
  return freedom <= std::size(kFactors) ? kFactors[freedom - 1] : 2.05;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double variance_of(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1);
}

// Of the numbers, not of their logarithms.
double log_mean_of(const std::vector<double>& logs) {
  const double most = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (const double log : logs) sum += std::exp(log - most);
  return most + std::log(sum / static_cast<double>(logs.size()));
}

}  // namespace

void SizePasses::add(uint32_t width, double log_size, bool is_exact, uint64_t least) {
  if (width != width_) {
    earlier_ = std::move(logs_);
    logs_.clear();
    width_ = width;
  }
  logs_.push_back(log_size);
  least_ = std::max(least_, least);
  is_exact_ = is_exact_ || is_exact;
  if (is_exact) logs_.assign(1, log_size);
}

uint32_t SizePasses::next_width() const {
  return logs_.size() < kPassesOfAWidth ? width_ : std::min(2 * width_, kWidest);
}

TreeSize SizePasses::size() const {
  const double least = std::log(static_cast<double>(least_));
  if (is_exact_) return {logs_[0], logs_[0], logs_[0], true};
  // Those of the width before are worth half as much, so they stand in as long as there are few.
  const bool are_enough = logs_.size() >= kPassesOfAWidth / 2 || earlier_.empty();
  const std::vector<double>& logs = are_enough ? logs_ : earlier_;
  const auto count = static_cast<double>(logs.size());
  const double variance = variance_of(logs);
  const double centre = mean_of(logs) + variance / 2;
  const double error = student(logs.size() - 1) *
                       std::sqrt(variance / count + variance * variance / (2 * (count + 1)));
  const double mean = log_mean_of(logs);
  TreeSize size;
  size.log_mean = std::max(mean, least);
  size.log_low = std::max(std::min(centre - kLower * error, mean), least);
  size.log_high = std::max({centre + kHigher * error, mean, least});
  if (logs.size() < 4 || variance > kMostVariance)
    size.log_high = std::numeric_limits<double>::infinity();
  return size;
}

}  // namespace mazurka
