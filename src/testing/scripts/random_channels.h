// Pipes, message queues and timers for random scripts (random_script.h).
#pragma once

#include "testing/scripts/script_writer.h"

namespace mazurka {

class RandomChannels {
 public:
  explicit RandomChannels(ScriptWriter& out) : out_(out) {}
  // Adds those that the script may use.
  void make();

  // One statement each.
  void channel_operation();
  void queue_operation();
  void timer_operation();

 private:
  struct Pipe {
    ObjectId channel = kNoObject;
    ObjectId read_end = kNoObject;
    ObjectId write_end = kNoObject;
  };

  void make_pipe(Pipe& pipe);

  ScriptWriter& out_;
  Pipe pipes_[kObjectsOfAKind];
  ObjectId timers_[kObjectsOfAKind] = {};
  ObjectId timer_ends_[kObjectsOfAKind] = {};
  ObjectId posix_queues_[kObjectsOfAKind] = {};
  ObjectId system_v_queues_[kObjectsOfAKind] = {};
};

}  // namespace mazurka
