#include "explore/sampling/trace_count.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace mazurka {

bool TraceCount::add(const TraceHash& trace, uint64_t number) {
  const std::lock_guard lock(mutex_);
  ++executions_;
  uint8_t& rank = ranks_[trace.high >> 50];
  rank = std::max(rank, static_cast<uint8_t>(std::countl_zero(trace.low | 1) + 1));
  if (is_full_) {
    if (executions_ >= marks_.back().executions + marks_.back().executions / 64) mark();
    return true;
  }
  Entry& entry = entry_of(trace);
  const bool is_new = entry.first == UINT64_MAX;
  entry.trace = trace;
  entry.first = std::min(entry.first, number);
  if (!is_new || ++count_ * 2 < entries_.size()) return is_new;
  if (count_ < most_) {
    grow();
  } else {
    mark();
    is_full_ = true;
  }
  return true;
}

TraceCount::Entry& TraceCount::entry_of(const TraceHash& trace) {
  const size_t mask = entries_.size() - 1;
  size_t i = trace.low & mask;
  while (entries_[i].first != UINT64_MAX && entries_[i].trace != trace) i = (i + 1) & mask;
  return entries_[i];
}

void TraceCount::grow() {
  std::vector<Entry> old(2 * entries_.size());
  old.swap(entries_);
  for (const Entry& entry : old) {
    if (entry.first != UINT64_MAX) entry_of(entry.trace) = entry;
  }
}

// Of more than a million: no correction for few of them is needed.
uint64_t TraceCount::estimate() const {
  double sum = 0;
  for (const uint8_t rank : ranks_) sum += std::ldexp(1.0, -rank);
  const auto size = static_cast<double>(ranks_.size());
  const double alpha = 0.7213 / (1 + 1.079 / size);
  return static_cast<uint64_t>(std::lround(alpha * size * size / sum));
}

void TraceCount::mark() { marks_.push_back({executions_, traces()}); }

uint64_t TraceCount::traces() const {
  return is_full_ ? std::max<uint64_t>(estimate(), count_) : count_;
}

uint64_t TraceCount::late() const {
  const uint64_t begin = executions_ - executions_ / 10;
  if (!is_full_) {
    return static_cast<uint64_t>(std::count_if(
        entries_.begin(), entries_.end(),
        [&](const Entry& entry) { return entry.first != UINT64_MAX && entry.first >= begin; }));
  }
  uint64_t before = marks_.front().traces;
  for (const Mark& mark : marks_) {
    if (mark.executions <= begin) before = mark.traces;
  }
  return traces() - std::min(traces(), before);
}

}  // namespace mazurka
