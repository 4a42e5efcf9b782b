// A program that stands still after the steps of a plan, seen from outside: its memory, and the
// frames of its threads.
#pragma once

#include <functional>
#include <vector>

#include "base/ids.h"
#include "protocol/look.h"

namespace mazurka {

class StandingProgram {
 public:
  // The segment must outlive it.
  explicit StandingProgram(const Segment& segment) : segment_(segment) {}

  // Of a process of the program. False if not all of it can be read.
  bool read(ProcessId process, uint64_t address, void* to, size_t size) const;
  // Whose memory the thread sees.
  ProcessId process_of(ThreadId thread) const;
  // Those that stand before an operation.
  std::vector<ThreadId> threads() const;
  // Innermost first. Empty if nothing is known.
  std::vector<LookFrame> frames(ThreadId thread) const;

 private:
  const Segment& segment_;
};

using Looker = std::function<void(const StandingProgram&)>;

}  // namespace mazurka
