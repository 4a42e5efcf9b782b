// The bytes of the messages in queues: in memory of ours that every process of the program maps, so
// nothing can be left behind in the system, and two executions at a time never meet. Order and
// lengths are the model's (kinds/channels/queue.h).
#pragma once

#include <sys/types.h>

#include "runtime/core/runtime.h"

namespace mazurka {

// Before the first use of a queue: executions begin here at the latest, and by the fork server.
void prepare_queues();

// An operation that sends; the bytes are kept where it succeeds. `op` is a QueueSend of op.value
// bytes.
Effect send_message(const Operation& op, const void* bytes, Call call);

struct Received {
  Effect effect;
  int64_t type = 0;
  size_t length = 0;  // of what was copied
};
// An operation that receives: copies op.value bytes of the message at most.
Received receive_message(const Operation& op, void* bytes, Call call);

}  // namespace mazurka
