#include "explore/sampling/trace_set.h"

namespace mazurka {

void TraceSet::add(const TraceHash& trace) {
  const std::lock_guard lock(mutex_);
  if (!put(trace) || 2 * ++count_ < entries_.size()) return;
  grow();
}

// False if it was there. A hash of zeros would be lost; no more likely than that two are the same.
bool TraceSet::put(const TraceHash& trace) {
  if (is_free(trace)) return false;
  const size_t mask = entries_.size() - 1;
  size_t i = trace.low & mask;
  while (!is_free(entries_[i]) && entries_[i] != trace) i = (i + 1) & mask;
  if (!is_free(entries_[i])) return false;
  entries_[i] = trace;
  return true;
}

void TraceSet::grow() {
  std::vector<TraceHash> old(2 * entries_.size());
  old.swap(entries_);
  for (const TraceHash& entry : old) put(entry);
}

void TraceSet::save(ByteWriter& out) const {
  std::vector<TraceHash> all;
  for (const TraceHash& entry : entries_) {
    if (!is_free(entry)) all.push_back(entry);
  }
  out.put_all(all);
}

void TraceSet::restore(ByteReader& in) {
  for (const TraceHash& trace : in.get_all<TraceHash>()) add(trace);
}

}  // namespace mazurka
