// What lies in the pipes and sockets of a state: what was written and not read yet.
#pragma once

#include <deque>
#include <map>
#include <string>

#include "objects/world.h"
#include "program/execution.h"

namespace mazurka {

class QueueContents {
 public:
  // The state after one more transition; `after` is the world then.
  void step(const Transition& made, const World& after);
  // The oldest first, each write by itself. Empty if nothing is known.
  std::string text(ObjectId channel) const;

 private:
  // The first bytes of a write, or of what is left of it.
  struct Piece {
    std::string bytes;
    size_t length = 0;
  };

  std::map<uint32_t, std::deque<Piece>> queues_;  // by channel
};

}  // namespace mazurka
