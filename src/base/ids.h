// The names of things that every folder passes around. Ids are types, never bare integers.
#pragma once

#include <cstdint>

namespace mazurka {

// A thread of the program under test, in any of its processes. The same (parent, how many it had
// created) has the same id in every execution of a search.
enum class ThreadId : uint16_t {};
inline constexpr ThreadId kNoThread{0xffff};
inline constexpr ThreadId kMainThread{0};

// A process is named by its first thread.
using ProcessId = ThreadId;
inline constexpr ProcessId kNoProcess = kNoThread;

// A communication object. The same memory (and generation) has the same id in every execution of a
// search.
enum class ObjectId : uint32_t {};
inline constexpr ObjectId kNoObject{0xffffffff};

// Which of an operation's results happens, when it has several. Names survive reordering: the
// outcome of a signal is the thread that it wakes, never a place in a queue.
using Outcome = uint16_t;
inline constexpr Outcome kOnlyOutcome = 0;
// A signal that wakes nobody, a wait that returns no child.
inline constexpr Outcome kNobody = 0xffff;

constexpr uint16_t index(ThreadId id) { return static_cast<uint16_t>(id); }
constexpr uint32_t index(ObjectId id) { return static_cast<uint32_t>(id); }
constexpr Outcome outcome_of(ThreadId id) { return index(id); }

// One way on from a global state: this thread's pending operation happens with this outcome.
struct Choice {
  ThreadId thread = kNoThread;
  Outcome outcome = kOnlyOutcome;

  friend constexpr bool operator==(const Choice&, const Choice&) = default;
};
static_assert(sizeof(Choice) == 4);

}  // namespace mazurka
