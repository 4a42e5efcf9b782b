// What follows from a transition by itself, whatever its place in an execution: found once as long
// as the threads do the same in one execution after the other, in whatever order. So the passes
// over an execution look at this and not at its transitions.
#pragma once

#include <cstdint>

#include "execution/execution.h"
#include "objects/access_mask.h"

namespace mazurka {

// Of what happened.
struct EventMasks {
  AccessMask every;  // all its accesses
  // But for the lives of threads that it writes, by creating or joining them.
  AccessMask all;
  uint64_t disables = 0;  // resources by whose change it may disable others
};

// Of an operation, wherever it stands.
struct OperationMask {
  AccessMask all;
  uint64_t disabling = 0;  // resources of which a change may disable it
  bool is_exact = false;   // it is no misuse in any configuration
};

struct Digest {
  static constexpr uint32_t kMostAccesses = 6;

  // --- of what it was made; what is read from or written to a variable does not count. Operations
  // with parts or with more accesses, and misuses, are digested each time.
  bool is_known = false;
  ThreadId thread = kNoThread;
  ProcessId process = kNoProcess;
  uint32_t access_count = 0;
  Operation op;
  Access accesses[kMostAccesses];

  // --- what was made of it
  // The accesses by which it may be ordered after others; not what every transition has: that
  // somebody moved, its thread's life, and (by reading) its process's.
  const Access* ordering = nullptr;
  uint32_t ordering_count = 0;
  Access own_ordering[kMostAccesses];
  ThreadId joined =
      kNoThread;  // that of a join which is ordered after others by this thread's life alone
  bool may_have_outcomes = false;
  bool may_block = false;
  bool may_bring_signals = false;
  bool has_parts = false;
  bool has_misuse = false;
  bool ends_threads = false;
  bool is_remarkable =
      false;  // may make others a misuse, or itself be one in another order: see OperationMasks
  EventMasks event;
  OperationMask operation;  // if it is never a misuse

  // Whether it was made of a transition like this.
  bool is_of(const Transition& made) const;
  // The transition must stay as long as the digest is used.
  void read(const Transition& made);
};

OperationMask mask_of(const Operation& op, const std::vector<OpPart>& parts, ThreadId thread,
                      ProcessId process);
// Of one that may be a misuse.
inline constexpr OperationMask kAnyMask[] = {{AccessMask::everything(), 0, false},
                                             {AccessMask::everything(), UINT64_MAX, false}};
inline constexpr const OperationMask& any_mask(bool blocks) { return kAnyMask[blocks ? 1 : 0]; }

}  // namespace mazurka
