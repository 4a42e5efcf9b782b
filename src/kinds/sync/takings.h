// Who has taken more from a semaphore than given back: nobody owns one, but that is how it is
// mostly used. For the words of those that wait (sync_words.cc).
#pragma once

#include <map>
#include <vector>

#include "base/ids.h"
#include "objects/op_words.h"

namespace mazurka {

class Takings {
 public:
  // The thread did it.
  void step(ThreadId thread, const Operation& op, const Parts& parts, const Effect& effect);
  // But for `waiting` itself: what it gave to others by it is theirs.
  std::vector<ThreadId> takers(ObjectId semaphore, ThreadId waiting) const;

 private:
  std::map<ObjectId, std::map<ThreadId, int64_t>> given_;  // by semaphore
};

}  // namespace mazurka
