#include "program/standing_program.h"

#include <sys/uio.h>

#include <algorithm>
#include <cstring>

namespace mazurka {

bool StandingProgram::read(ProcessId process, uint64_t address, void* to, size_t size) const {
  if (index(process) >= kMaxThreads) return false;
  const pid_t pid = segment_.processes[index(process)].real_pid;
  if (pid <= 1) return false;
  const iovec here{to, size};
  const iovec there{reinterpret_cast<void*>(address), size};
  return process_vm_readv(pid, &here, 1, &there, 1, 0) == static_cast<ssize_t>(size);
}

ProcessId StandingProgram::process_of(ThreadId thread) const {
  return index(thread) < kMaxThreads ? segment_.world.thread(thread).process : kNoProcess;
}

std::vector<ThreadId> StandingProgram::threads() const {
  std::vector<ThreadId> all;
  for (uint32_t i = 0; i < std::min(segment_.world.thread_limit, kMaxThreads); ++i) {
    if (segment_.world.threads[i].status == ThreadStatus::AtOperation) all.push_back(ThreadId(i));
  }
  return all;
}

std::vector<LookFrame> StandingProgram::frames(ThreadId thread) const {
  if (index(thread) >= kMaxThreads) return {};
  const uint32_t words = segment_.places[index(thread)].frame_count;
  std::vector<LookFrame> frames(std::min(words / kLookWords, kMostLookFrames));
  if (frames.empty()) return frames;
  std::memcpy(frames.data(), segment_.frames + look_begin(thread),
              frames.size() * sizeof(LookFrame));
  return frames;
}

}  // namespace mazurka
