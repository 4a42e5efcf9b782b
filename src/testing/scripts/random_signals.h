// Signals for random scripts (random_script.h).
#pragma once

#include "testing/scripts/script_writer.h"

namespace mazurka {

class RandomSignals {
 public:
  explicit RandomSignals(ScriptWriter& out) : out_(out) {}

  void signal_action(int signal);
  // One statement.
  void signal_operation();

 private:
  int random_signal();
  int64_t random_set();
  void send_signal();
  void poll_with_mask();

  ScriptWriter& out_;
};

}  // namespace mazurka
