// How many different traces executions had, and how many of them came late: exactly for the first
// million of traces, and then by a sketch (HyperLogLog: Flajolet and others, 2007) of 16 KB, whose
// standard error is 0.8 in a hundred.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "explore/sampling/trace_hash.h"

namespace mazurka {

class TraceCount {
 public:
  explicit TraceCount(size_t most = size_t{1} << 20) : most_(most) {}

  // The `number`-th execution had it. May be called by all workers, in any order. Returns whether
  // it may be a new one: that is known below a million.
  bool add(const TraceHash& trace, uint64_t number);

  uint64_t executions() const { return executions_; }
  uint64_t traces() const;
  bool is_exact() const { return !is_full_; }
  // Of the traces, those that no execution before the last tenth had.
  uint64_t late() const;

 private:
  struct Entry {
    TraceHash trace;
    uint64_t first = UINT64_MAX;  // which execution had it first; UINT64_MAX: the entry is free
  };
  // Past the million: what the count was after so many executions.
  struct Mark {
    uint64_t executions;
    uint64_t traces;
  };

  Entry& entry_of(const TraceHash& trace);
  void grow();
  uint64_t estimate() const;
  void mark();

  const size_t most_;
  std::mutex mutex_;
  uint64_t executions_ = 0;
  size_t count_ = 0;
  bool is_full_ = false;
  std::vector<Entry> entries_ = std::vector<Entry>(1024);
  std::vector<uint8_t> ranks_ = std::vector<uint8_t>(size_t{1} << 14);
  std::vector<Mark> marks_;
};

}  // namespace mazurka
