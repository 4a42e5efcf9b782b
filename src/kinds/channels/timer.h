// The model of a timerfd. Time is virtual: a timer that is set may expire at any moment from now
// on, as a choice, and has expired for whoever has come later than that by its own clock. Who must
// wait for it (a read that blocks, a poll for nothing else that is ready) simply is at that time
// then. Nothing in the timer changes when it expires: a read takes the expirations.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

struct Timer {
  int64_t expires_ns = 0;    // the next time; 0: it is not set
  int64_t interval_ns = 0;   // 0: once
  bool is_realtime = false;  // which clock an absolute time is of

  bool is_set() const { return expires_ns != 0; }
  bool has_expired(int64_t now_ns) const { return is_set() && now_ns >= expires_ns; }
  // Requires that it has expired.
  int64_t take_expirations(int64_t now_ns);
};
static_assert(std::is_trivially_copyable_v<Timer>);

// Outcomes of a TimerRead.
inline constexpr Outcome kNotYet = 0;
inline constexpr Outcome kExpired = 1;

// Operations: `object` is the timer, `second` the description.
//   TimerRead: the effect's value is how often it has expired
//   TimerSet: `value` is when it expires, `desired` the interval
//   TimerGet: the effect's value is when it expires

namespace on_timer {

EnabledFunction read_enabled;
ApplyFunction read, set, get;
AccessFunction read_accesses, set_accesses, get_accesses;
StateFunction state;

}  // namespace on_timer

}  // namespace mazurka
