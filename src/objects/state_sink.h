// Where a model writes the state of an object (KindRow::state): all that a program or a model can
// tell apart, in a form that does not depend on the order of operations that commute. What only
// history tells (counts of changes, orders of arrival) is not part of it.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "base/ids.h"

namespace mazurka {

struct World;

struct StateSink {
  void (*put)(void* to, int64_t value);
  void* to;
  bool with_clocks;  // virtual times, too: without them, there are finitely many states

  void add(std::initializer_list<int64_t> values) {
    for (const int64_t value : values) put(to, value);
  }
  void add_clock(int64_t clock_ns) {
    if (with_clocks) put(to, clock_ns);
  }
};

// A number for the members of a set, in whatever order they come.
class StateSet {
 public:
  void add(std::initializer_list<int64_t> member) {
    uint64_t number = 7;
    for (const int64_t value : member)
      number = mixed(number * 0x9e3779b97f4a7c15 + static_cast<uint64_t>(value) + 1);
    sum_ += number;
  }
  int64_t value() const { return static_cast<int64_t>(sum_); }

 private:
  static constexpr uint64_t mixed(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  uint64_t sum_ = 0;
};

// All of the state of an object: its kind, whether it was destroyed, and what its kind says.
void add_object_state(const World& world, ObjectId id, StateSink& sink);

}  // namespace mazurka
