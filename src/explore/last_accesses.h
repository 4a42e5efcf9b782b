// The last accesses to each resource, while an execution is read from its beginning (HappensBefore).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "objects/accesses.h"
#include "program/resource_limits.h"

namespace mazurka {

class LastAccesses {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  // Forgets all. Slots of threads are below `stride`.
  void start(uint32_t stride) {
    ++round_;
    stride_ = stride;
    rows_.clear();
    changes_.clear();
  }

  // Whether what is taken from now on can be taken back.
  void keep_changes(bool keeps) { keeps_changes_ = keeps; }
  // To what it was when so many accesses had been taken that can be taken back. Requires that the later ones can.
  size_t taken() const { return changes_.size(); }
  void take_back(size_t taken);

  // Calls f(event) for the events so far that an access like this one conflicts with, but for those
  // that happen before one of them: the last write, and of each thread the last read or addition
  // since. Then notes that `event`, of the thread in `slot`, has the access.
  template <typename F>
  void take(const Access& access, uint32_t slot, uint32_t event, F&& f);

 private:
  // The last events of some threads. Of one thread mostly: all that touches a thread's life is its own.
  struct Latest {
    uint32_t slot = kNone;  // of the only one
    uint32_t event = kNone;
    uint32_t row = kNone;  // of several: begin of a row in rows_, events by slot
  };
  struct Entry {
    uint32_t round = 0;  // of another round: not yet accessed
    uint32_t write = kNone;
    Latest reads;
    Latest adds;
  };

  // By one access.
  struct Change {
    uint32_t kind = 0;
    uint32_t number = 0;
    Entry before;
    uint32_t rows = 0;      // how long rows_ was
    uint32_t cell = kNone;  // of rows_, if one that was there already has changed
    uint32_t event = kNone; // which it held
  };

  static size_t number_of(const Resource& resource) { return size_t{resource.index} * kMaxResourceParts + resource.part; }
  Entry& entry(const Resource& resource);
  uint32_t new_row();
  void note(Latest& latest, uint32_t slot, uint32_t event);
  template <typename F>
  void each_of(const Latest& latest, F&& f) const;

  uint32_t round_ = 0;
  uint32_t stride_ = 0;
  std::vector<Entry> entries_[kMaxResourceKinds];  // by index and part
  std::vector<uint32_t> rows_;
  std::vector<Change> changes_;
  bool keeps_changes_ = false;
};

inline LastAccesses::Entry& LastAccesses::entry(const Resource& resource) {
  MAZURKA_CHECK(is_within_limits(resource));
  std::vector<Entry>& entries = entries_[static_cast<size_t>(resource.kind)];
  const size_t number = number_of(resource);
  if (number >= entries.size()) entries.resize(number + 1);
  Entry& found = entries[number];
  if (found.round != round_) found = {round_, kNone, {}, {}};
  return found;
}

inline uint32_t LastAccesses::new_row() {
  const auto row = static_cast<uint32_t>(rows_.size());
  rows_.resize(rows_.size() + stride_, kNone);
  return row;
}

inline void LastAccesses::note(Latest& latest, uint32_t slot, uint32_t event) {
  if (latest.row == kNone) {
    if (latest.slot == kNone || latest.slot == slot) {
      latest.slot = slot;
      latest.event = event;
      return;
    }
    latest.row = new_row();
    rows_[latest.row + latest.slot] = latest.event;
  }
  if (keeps_changes_) {
    changes_.back().cell = latest.row + slot;
    changes_.back().event = rows_[latest.row + slot];
  }
  rows_[latest.row + slot] = event;
}

inline void LastAccesses::take_back(size_t taken) {
  for (; changes_.size() > taken; changes_.pop_back()) {
    const Change& change = changes_.back();
    if (change.cell != kNone) rows_[change.cell] = change.event;
    rows_.resize(change.rows);
    entries_[change.kind][change.number] = change.before;
  }
}

template <typename F>
void LastAccesses::each_of(const Latest& latest, F&& f) const {
  if (latest.row == kNone) {
    if (latest.slot != kNone) f(latest.event);
    return;
  }
  for (uint32_t i = latest.row; i < latest.row + stride_; ++i) {
    if (rows_[i] != kNone) f(rows_[i]);
  }
}

template <typename F>
void LastAccesses::take(const Access& access, uint32_t slot, uint32_t event, F&& f) {
  Entry& last = entry(access.resource);
  if (keeps_changes_) {
    changes_.push_back({static_cast<uint32_t>(access.resource.kind), static_cast<uint32_t>(number_of(access.resource)), last,
                        static_cast<uint32_t>(rows_.size()), kNone, kNone});
  }
  if (last.write != kNone) f(last.write);
  if (access.mode != Mode::Read) each_of(last.reads, f);
  if (access.mode != Mode::Add) each_of(last.adds, f);
  if (access.mode == Mode::Read) return note(last.reads, slot, event);
  if (access.mode == Mode::Add) return note(last.adds, slot, event);
  // What came before happens before the write.
  last = {round_, event, {}, {}};
}

}  // namespace mazurka
