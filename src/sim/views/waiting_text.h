// Why a thread cannot go on, in words, and who could change that.
#pragma once

#include <string>
#include <vector>

#include "kinds/sync/takings.h"
#include "objects/world.h"
#include "report/words/describer.h"

namespace mazurka {

inline constexpr char kWaitsToBeWoken[] = "waits to be woken";

struct Waiting {
  bool is_asleep = false;         // it waits to be woken, or has yielded
  std::vector<ThreadId> holders;  // each of them must give something up first
  std::vector<ThreadId>
      hopes;  // any of them could end the wait: who can write to the pipe, its children
  std::string why;
};

// Requires that the thread stands before `op`, which is not enabled.
Waiting waiting_of(const World& world, ThreadId thread, const Operation& op,
                   const std::vector<OpPart>& parts, const Takings& takings,
                   const Describer& describer, const Execution& execution);

}  // namespace mazurka
