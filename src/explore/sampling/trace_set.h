// Different traces, all of them, by their hashes: for searches that come to the same one several
// times.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "base/bytes.h"
#include "explore/sampling/trace_hash.h"

namespace mazurka {

class TraceSet {
 public:
  // May be called by all workers.
  void add(const TraceHash& trace);
  uint64_t size() const { return count_; }

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  static bool is_free(const TraceHash& entry) { return entry == TraceHash{}; }
  bool put(const TraceHash& trace);
  void grow();

  std::mutex mutex_;
  uint64_t count_ = 0;
  std::vector<TraceHash> entries_ = std::vector<TraceHash>(1024);  // a power of two
};

}  // namespace mazurka
