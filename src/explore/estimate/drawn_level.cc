#include "explore/estimate/drawn_level.h"

#include <algorithm>
#include <bit>

namespace mazurka {
namespace {

// Of the guess: one that is followed all the way stands for too much where it is wrong. Tried with
// programs whose size is known (testing/searches/estimates_test.cc).
constexpr double kTrust = 0.6;

}  // namespace

double Draws::log_number() {
  state_ += 0x9e3779b97f4a7c15;
  uint64_t value = state_;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  value ^= value >> 31;
  return std::log((static_cast<double>(value >> 11) + 0.5) * 0x1p-53);
}

void LogSum::add(double log) {
  if (std::isinf(log) && log < 0) return;
  if (log <= log_) {
    log_ += std::log1p(std::exp(log - log_));
  } else {
    log_ = log + (std::isinf(log_) ? 0 : std::log1p(std::exp(log_ - log)));
  }
}

uint32_t Worths::place_of(uint32_t rest) {
  return rest < kStep * kStep ? rest : kStep * kStep + rest / kStep;
}

// That of the kinds around it, where nothing is known of it.
double Worths::of(NodeKind kind) const {
  const auto value = [](const auto& known) {
    return kTrust * known->second.sum / known->second.count;
  };
  const auto above = means_.lower_bound({kind.group, place_of(kind.rest)});
  const bool has_above = above != means_.end() && above->first.first == kind.group;
  if (has_above && above->first.second == place_of(kind.rest)) return value(above);
  const bool has_below = above != means_.begin() && std::prev(above)->first.first == kind.group;
  if (has_above && has_below) return (value(above) + value(std::prev(above))) / 2;
  if (has_above) return value(above);
  return has_below ? value(std::prev(above)) : 0;
}

// Old passes knew less: they count for less and less.
void Worths::learn(NodeKind kind, double log_below) {
  constexpr double kMost = 200;
  Mean& mean = means_[{kind.group, place_of(kind.rest)}];
  if (mean.count >= kMost) {
    mean.sum *= 0.5;
    mean.count *= 0.5;
  }
  mean.sum += log_below;
  ++mean.count;
}

void DrawnLevel::begin() {
  begin(1);
  nodes_.emplace_back();
}

void DrawnLevel::begin(uint32_t width) {
  width_ = width;
  nodes_.clear();
  log_worths_.clear();
  places_.clear();
  log_threshold_ = -std::numeric_limits<double>::infinity();
}

std::optional<size_t> DrawnLevel::offer(const DrawnNode& node, double log_worth, Draws& draws) {
  const auto is_higher = [](const Place& a, const Place& b) {
    return a.log_priority > b.log_priority;
  };
  const double log_priority = node.log_weight + log_worth - draws.log_number();
  size_t place = nodes_.size();
  if (place < width_) {
    nodes_.push_back(node);
    log_worths_.push_back(log_worth);
  } else {
    const Place lowest = places_.front();
    log_threshold_ = std::max(log_threshold_, std::min(lowest.log_priority, log_priority));
    if (log_priority <= lowest.log_priority) return std::nullopt;
    std::pop_heap(places_.begin(), places_.end(), is_higher);
    places_.pop_back();
    place = lowest.node;
    nodes_[place] = node;
    log_worths_[place] = log_worth;
  }
  places_.push_back({log_priority, place});
  std::push_heap(places_.begin(), places_.end(), is_higher);
  return place;
}

void DrawnLevel::settle() {
  if (is_whole()) return;
  for (size_t i = 0; i < nodes_.size(); ++i)
    nodes_[i].log_weight = std::max(nodes_[i].log_weight, log_threshold_ - log_worths_[i]);
}

}  // namespace mazurka
