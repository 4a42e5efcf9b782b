// In a program under test the instructions that read the time stamp counter fault
// (runtime/time/time_stamps.h). The kernel changes that setting of the processor whenever it goes
// from a program to the tool and back, unless both have it; on a virtual machine each change costs
// more than the rest of the hand-over. So a worker has it, too, while its program runs.
#pragma once

namespace mazurka {

// For the calling kernel thread, which looks at the time by base/clock.h. Whatever else reads the
// counter (a library) takes the setting back, by a handler of SIGSEGV, and is only slower.
// Processes that the thread forks must call `allow_time_stamps` before they execute anything.
class FaultingTimeStamps {
 public:
  FaultingTimeStamps();
  ~FaultingTimeStamps();
  FaultingTimeStamps(const FaultingTimeStamps&) = delete;
  FaultingTimeStamps& operator=(const FaultingTimeStamps&) = delete;
};

// A system call only.
// False, with errno: the kernel refuses.
bool allow_time_stamps();

}  // namespace mazurka
