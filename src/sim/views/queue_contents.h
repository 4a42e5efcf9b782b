// What lies in the pipes, sockets and message queues of a state: what was written and not read yet.
#pragma once

#include <deque>
#include <map>
#include <string>

#include "execution/execution.h"
#include "objects/world.h"

namespace mazurka {

class QueueContents {
 public:
  // The state after one more transition; `after` is the world then.
  void step(const Transition& made, const World& after);
  // The oldest first, each write by itself. Empty if nothing is known. `now` is the world of the
  // state.
  std::string text(const World& now, ObjectId id) const;

 private:
  // The first bytes of a write, or of what is left of it.
  struct Piece {
    std::string bytes;
    size_t length = 0;
  };

  void step_on_channel(const Transition& made, const Channel& channel);
  std::deque<Piece> messages_in(const World& now, ObjectId queue) const;

  std::map<uint32_t, std::deque<Piece>> channels_;  // by channel
  std::map<uint32_t, Piece> messages_;              // by their places in World::messages
};

}  // namespace mazurka
