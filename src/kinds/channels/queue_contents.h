// What lies in the pipes, sockets and message queues of a state: what was written and not read yet.
#pragma once

#include <deque>
#include <map>
#include <string>

#include "objects/world.h"

namespace mazurka {

class QueueContents {
 public:
  // The state after one more step, and what the runtime noted with it; `after` is the world then.
  void step(const Operation& op, const Effect& effect, const std::string& said, const World& after);
  // The oldest first, each write by itself. Empty if nothing is known. `now` is the world of the
  // state.
  std::string text(const World& now, ObjectId id) const;

 private:
  // The first bytes of a write, or of what is left of it.
  struct Piece {
    std::string bytes;
    size_t length = 0;
  };

  void step_on_channel(const Operation& op, const Effect& effect, const std::string& said,
                       const Channel& channel);
  std::deque<Piece> messages_in(const World& now, ObjectId queue) const;

  std::map<uint32_t, std::deque<Piece>> channels_;  // by channel
  std::map<uint32_t, Piece> messages_;              // by their places in World::messages
};

}  // namespace mazurka
