// The accesses to each resource so far, while an execution is read from its beginning
// (HappensBefore): each knows the one before it to the same resource, so that taking one back is as
// cheap as taking it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "execution/resource_limits.h"
#include "objects/accesses.h"

namespace mazurka {

class LastAccesses {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  // To what it was when so many accesses had been taken.
  size_t taken() const { return accesses_.size(); }
  void take_back(size_t taken);

  // Whether no access to the resource has been taken.
  bool is_untouched(Resource::Kind kind, uint8_t part, uint32_t index) const {
    const auto k = static_cast<size_t>(kind);
    const size_t number = size_t{index} * kMaxResourceParts + part;
    return taken_of_[k] == 0 || number >= last_[k].size() || last_[k][number] == kNone;
  }
  // Whether any to the lives of threads and processes have.
  bool has_lives() const {
    return (taken_of_[static_cast<size_t>(Resource::Kind::Thread)] |
            taken_of_[static_cast<size_t>(Resource::Kind::Process)]) != 0;
  }
  bool is_untouched(const Resource& resource) const {
    return is_untouched(resource.kind, resource.part, resource.index);
  }

  // Calls f(event) for the events so far that an access like this one conflicts with, but for some
  // that happen before others of them or before the thread's own last event: the later ones first.
  // Then notes that `event`, of the thread in `slot`, has the access.
  template <typename F>
  void take(const Access& access, uint32_t slot, uint32_t event, F&& f);

 private:
  struct Taken {
    Taken() {}          // to be filled in
    uint32_t previous;  // to the same resource; or kNone
    uint32_t write;     // the event of the last write, up to this one; or kNone
    uint32_t event;
    uint32_t slot;
    uint32_t number;  // of the resource in its kind
    uint8_t kind;     // of the resource
    Mode mode;
    uint32_t since;  // the modes of those since the last write, up to this one: a bit for each
  };

  static constexpr uint32_t bit_of(Mode mode) { return 1u << static_cast<uint32_t>(mode); }
  static constexpr uint32_t conflicting_with(Mode mode) {
    return (bit_of(Mode::Read) | bit_of(Mode::Add)) & ~bit_of(mode);
  }
  static uint32_t number_of(const Resource& resource) {
    return resource.index * kMaxResourceParts + resource.part;
  }
  uint32_t& last_of(const Resource& resource);

  std::vector<uint32_t> last_[kMaxResourceKinds];  // in accesses_, by number
  uint32_t taken_of_[kMaxResourceKinds] = {};
  std::vector<Taken> accesses_;
};

inline uint32_t& LastAccesses::last_of(const Resource& resource) {
  MAZURKA_CHECK(is_within_limits(resource));
  std::vector<uint32_t>& last = last_[static_cast<size_t>(resource.kind)];
  const uint32_t number = number_of(resource);
  if (number >= last.size()) last.resize(number + 1, kNone);
  return last[number];
}

inline void LastAccesses::take_back(size_t taken) {
  for (size_t i = accesses_.size(); i > taken; --i) {
    const Taken& access = accesses_[i - 1];
    last_[access.kind][access.number] = access.previous;
    --taken_of_[access.kind];
  }
  accesses_.resize(taken);
}

// What came before the last write happens before it. Where the thread itself has an access of the
// same mode, what is behind that one, and does not conflict with it, happens before that.
template <typename F>
void LastAccesses::take(const Access& access, uint32_t slot, uint32_t event, F&& f) {
  uint32_t& last = last_of(access.resource);
  const Mode mode = access.mode;
  const bool writes = mode == Mode::Write;
  const auto kind = static_cast<uint8_t>(access.resource.kind);
  uint32_t write = kNone;
  uint32_t since = 0;
  if (last != kNone) {
    const Taken& before = accesses_[last];
    write = before.write;
    since = before.since;
    if ((since & conflicting_with(mode)) != 0) {
      for (const Taken* i = &before;; i = &accesses_[i->previous]) {
        if (i->mode == Mode::Write) break;
        if (i->mode != mode) {
          f(i->event);
        } else if (i->slot == slot) {
          break;
        }
        if (i->previous == kNone) break;
      }
    }
    if (write != kNone) f(write);
  }
  // Field by field in its place: the processor would wait for the parts of a copy before it copies
  // across them.
  Taken& now = accesses_.emplace_back();
  now.previous = last;
  now.write = writes ? event : write;
  now.event = event;
  now.slot = slot;
  now.number = number_of(access.resource);
  now.kind = kind;
  now.mode = mode;
  now.since = writes ? 0 : since | bit_of(mode);
  ++taken_of_[kind];
  last = static_cast<uint32_t>(accesses_.size() - 1);
}

}  // namespace mazurka
