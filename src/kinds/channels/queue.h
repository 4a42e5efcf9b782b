// The model of a message queue: POSIX (mq_send: the highest priority first) or System V (msgsnd: a
// receive chooses by type). The model knows order, type and length of the messages; the runtime
// keeps their bytes (runtime/channels/queue_memory.h).
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

inline constexpr uint32_t kMaxMessages = 4096;  // of all queues together
inline constexpr uint32_t kNoMessage = UINT32_MAX;

// In World::messages; its place there is nothing that a program could see.
struct Message {
  ObjectId queue = kNoObject;  // kNoObject: the place is free
  uint32_t length = 0;
  int64_t type = 0;    // POSIX: the priority
  uint64_t order = 0;  // older ones have less
  ThreadId sender = kNoThread;
  uint16_t padding[3] = {};
};
static_assert(std::is_trivially_copyable_v<Message>);

struct Queue {
  enum class Form : uint8_t { Posix, SystemV };
  Form form = Form::Posix;
  uint8_t padding = 0;
  ProcessId last_sender = kNoProcess;
  ProcessId last_receiver = kNoProcess;
  uint16_t padding2 = 0;
  uint32_t count = 0;        // messages
  uint32_t bytes = 0;        // in them
  uint32_t most = 0;         // POSIX: messages. System V: bytes, and also messages
  uint32_t most_length = 0;  // POSIX: of a message
  uint64_t sent = 0;         // so far

  bool has_room(int64_t length) const;
};
static_assert(std::is_trivially_copyable_v<Queue>);

// Operations: `object` is the queue, `second` the description that leads there (POSIX, otherwise
// kNoObject).
//   QueueSend: `value` bytes of type or priority `desired`
//   QueueReceive: `value` bytes at most; `desired` as msgrcv has it; kExcept, kCut. The effect's
//   value is the length of the
//     message, its thread the sender.
//   QueueGet: the effect's value is the number of messages
//   QueueSet: `value` is the new limit (msg_qbytes)
//   QueueRemove: IPC_RMID; `second` is the name of its key

// What a send or receive would return now: 0, an errno value, or kQueueWaits. Requires that the
// queue is not removed.
inline constexpr int kQueueWaits = -1;
int queue_result(const World& world, const Operation& op);

// The message that the receive would get now, or kNoMessage.
uint32_t message_for(const World& world, const Operation& receive);
// Whether a receive that would get a message of type `found` gets a new one of type `sent` instead.
bool is_preferred(const World& world, const Operation& receive, int64_t sent, int64_t found);
// Whether the receive would take a message of this type at all.
bool takes_type(const World& world, const Operation& receive, int64_t type);

namespace on_queue {

EnabledFunction transfer_enabled;
ApplyFunction transfer, get, set, remove;
AccessFunction transfer_accesses, get_accesses, set_accesses, remove_accesses;
CommuteFunction commute;
StateFunction state;

}  // namespace on_queue

}  // namespace mazurka
