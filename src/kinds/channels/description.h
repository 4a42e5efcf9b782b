// The model of an open file description on channels: what a descriptor of a process leads to.
// Descriptors that dup made and those that a fork copied lead to the same one. It is open as long
// as a process holds it: when the last one has closed all its descriptors of it, or has ended, its
// side of the channels is closed.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

struct World;
struct Outcomes;
enum class ObjectKind : uint8_t;

inline constexpr uint32_t kMaxHolders = 30;

// What DescriptionSet changes (its `value`). TakeError: getsockopt with SO_ERROR; the effect's
// value is the error.
enum class DescriptionChange : uint8_t {
  Blocking,
  NonBlocking,
  ShutRead,
  ShutWrite,
  ShutBoth,
  TakeError
};

// How far a socket has come (kinds/sockets/socket.h). What was made in pairs, and pipes, are Plain.
enum class SocketStage : uint8_t { Plain, Fresh, Listening, Connected, Datagrams };

struct Description {
  ObjectId reads = kNoObject;  // the channel, message queue, timer or file
  ObjectId writes = kNoObject;
  bool is_nonblocking = false;
  SocketStage stage = SocketStage::Plain;
  // Made by this thread while it was the only one of its process, and had created so many: what it
  // creates later inherits it. kNoThread: made by an operation.
  ThreadId born_by = kNoThread;
  uint32_t born_after = 0;
  ObjectId address = kNoObject;  // that it is bound to
  ObjectId peer = kNoObject;     // Datagrams: the address that it is connected to, and the host
  uint32_t peer_host = 0;
  uint8_t connect_error = 0;   // of a connect that did not wait; it is told once
  bool is_connecting = false;  // a connect did not wait, and its success has not been told
  uint16_t holder_count = 0;
  ProcessId holders[kMaxHolders] = {};

  ObjectId either() const { return reads != kNoObject ? reads : writes; }
  bool is_held_by(ProcessId process) const;
  // False: there is no room for it.
  bool add_holder(ProcessId process);
  void remove_holder(ProcessId process);
  bool is_named() const { return stage != SocketStage::Plain; }  // made by socket or accept
};
static_assert(std::is_trivially_copyable_v<Description>);

// What it leads to.
ObjectKind kind_behind(const World& world, const Description& description);

// A new process has what the thread that created it has. False: more processes than a description
// can name.
bool inherit_descriptions(World& world, ThreadId creator, ProcessId child);
// Whether the process's end closes anything, or gives up records of files.
bool holds_descriptions(const World& world, ProcessId process);
// The end of a process, which gives up its records of files, too.
void close_descriptions(World& world, ProcessId process);

// Which of `events` (as poll has them) it is ready for now, for this thread; POLLERR, POLLHUP and
// POLLNVAL are never asked for.
int ready_events(const World& world, ThreadId thread, ObjectId description, int events);
// The same of a part of a Poll, which may be told of changes only.
int ready_events(const World& world, ThreadId thread, const OpPart& part);
// The part for a Poll that knows of all that has happened up to now, and is only told of what
// happens later (EPOLLET). Requires that the model is a channel.
OpPart with_edges(const World& world, OpPart part);

namespace on_description {

EnabledFunction poll_enabled;
ApplyFunction open, close, set, poll;
AccessFunction open_accesses, close_accesses, set_accesses, poll_accesses;
StateFunction state;

}  // namespace on_description

}  // namespace mazurka
