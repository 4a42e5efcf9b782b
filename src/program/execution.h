// One plan in, one execution out: the two values that the searches and a program exchange.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "objects/operation.h"
#include "objects/world.h"
#include "protocol/segment.h"

namespace mazurka {

struct Limits {
  uint32_t depth = 10'000;      // transitions of an execution
  uint32_t bound = 0;           // transitions of a thread; 0: none
  uint32_t livelock = 0;        // successive global states; 0: off
  double divergence_s = 5;      // of invisible running
};

struct Plan {
  std::vector<PlannedStep> prefix;
  Limits limits;
  bool stacks = false;       // log call stacks
  bool show_output = false;  // the program's own output goes through
};

// A call's place in the code, as the runtime saw it. Empty stack: only `pc` is known.
struct CodePlace {
  uint64_t pc = 0;               // return address of the call
  std::vector<uint64_t> stack;   // return addresses, innermost first; with Plan::stacks only
};

struct Transition {
  Choice choice;
  ProcessId process = kNoProcess;
  Operation op;
  std::vector<SemPart> parts;    // of a Semop or Semctl
  Effect effect;
  CodePlace place;
  std::string text;              // the assertion, what was misused
  std::vector<Choice> enabled;   // in the state before it; empty within the plan's prefix
  std::string output;            // what the program wrote to descriptors 1 and 2 in it; with Plan::show_output only
};

struct ThreadAtEnd {
  ThreadId id = kNoThread;
  ThreadStatus status = ThreadStatus::Absent;
  ProcessId process = kNoProcess;
  Operation pending;
  std::vector<SemPart> parts;
  CodePlace place;
  uint64_t start_routine = 0;
  std::string name;              // pthread_setname_np
};

// How an execution ended, seen from outside: what the runtime says, or what happened to it.
enum class End : uint8_t {
  Finished,
  Deadlock,
  Bounded,
  DepthReached,
  Livelock,
  Nondeterminism,
  Divergence,     // invisible code ran for too long
  Hung,           // blocked in a call that no model covers
  Lost,           // a process died without a word (SIGKILL, raw exit)
  SegmentDamaged, // the program wrote into the shared segment
  Trouble,        // the runtime could not go on: `text`
};

struct Execution {
  std::vector<Transition> transitions;
  End end = End::Finished;
  ThreadId culprit = kNoThread;     // Livelock, Divergence, Hung
  uint32_t position = 0;            // Nondeterminism: which step
  Operation got;                    // Nondeterminism: what came instead
  std::string text;
  std::vector<ThreadAtEnd> threads;
  int wait_status = 0;              // of the first process, if it ended
  bool first_process_ended = false;
  std::string output_before;        // as Transition::output, before the first transition
};

}  // namespace mazurka
