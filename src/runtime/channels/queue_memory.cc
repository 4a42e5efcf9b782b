#include "runtime/channels/queue_memory.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "runtime/channels/shown_data.h"
#include "runtime/core/limits.h"
#include "runtime/processes/shared_memory.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/reset/server.h"

namespace mazurka {
namespace {

constexpr uint64_t kBase = 0x7180'0000'0000;
constexpr uint64_t kMostBytes = 1u << 16;  // of a message
// Sparse: only what is used has pages.
constexpr uint64_t kBytes = kMaxMessages * kMostBytes;

bool is_mapped = false;

char* bytes_at(uint32_t place) {
  if (!is_mapped) {
    if (raw_failed(map_own_memory(kQueueMemory, kBase, kBytes))) {
      runtime_error("the memory of the message queues cannot be mapped");
    }
    is_mapped = true;
  }
  return reinterpret_cast<char*>(kBase + place * kMostBytes);
}

}  // namespace

void prepare_queues() {
  begin_executions();
  need_fork("message queue");
}

Effect send_message(const Operation& op, const void* bytes, Call call) {
  if (op.value > static_cast<int64_t>(kMostBytes))
    limit_reached("a message of more than 64 KB is not supported");
  const Effect effect = reach(op, call);
  if (effect.error == ENOMEM) limit_reached("more messages in queues than Mazurka can keep (4096)");
  if (effect.error != 0) return effect;
  memcpy(bytes_at(world().last_message), bytes, static_cast<size_t>(op.value));
  show_data(bytes, static_cast<ssize_t>(op.value));
  return effect;
}

// Nobody has moved since the model took the message out: its place is not used again yet.
Received receive_message(const Operation& op, void* bytes, Call call) {
  Received received{.effect = reach(op, call)};
  if (received.effect.error != 0) return received;
  const Message& message = world().messages[world().last_message];
  received.type = message.type;
  received.length = message.length < op.value ? message.length : static_cast<size_t>(op.value);
  memcpy(bytes, bytes_at(world().last_message), received.length);
  return received;
}

}  // namespace mazurka
