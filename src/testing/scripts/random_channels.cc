#include "testing/scripts/random_channels.h"

#include <errno.h>
#include <poll.h>

namespace mazurka {

void RandomChannels::make() {
  for (uint32_t i = 0; out_.has(kChannels) && i < out_.in_use; ++i) make_pipe(pipes_[i]);
  for (uint32_t i = 0; out_.has(kTimers) && i < out_.in_use; ++i) {
    timers_[i] = out_.script.add({.kind = ObjectKind::Timer});
    timer_ends_[i] = out_.script.add(
        {.kind = ObjectKind::Description, .value = 1 + static_cast<int64_t>(index(timers_[i]))});
    if (!out_.has(kChannels)) make_pipe(pipes_[i]);
  }
  for (uint32_t i = 0; out_.has(kQueues) && i < out_.in_use; ++i) {
    posix_queues_[i] =
        out_.script.add({.kind = ObjectKind::Queue, .value = 1 + out_.dice.below(2)});
    system_v_queues_[i] = out_.script.add(
        {.kind = ObjectKind::Queue, .value = -2 - static_cast<int64_t>(out_.dice.below(2))});
  }
}

// A page or two: so writers wait, too.
void RandomChannels::make_pipe(Pipe& pipe) {
  pipe.channel = out_.script.add({.kind = ObjectKind::Channel, .value = 1 + out_.dice.below(2)});
  const auto channel = static_cast<int64_t>(index(pipe.channel));
  pipe.read_end = out_.script.add({.kind = ObjectKind::Description, .value = 1 + channel});
  pipe.write_end = out_.script.add({.kind = ObjectKind::Description, .value = -1 - channel});
}

// Whole pages, and short reads and writes now and then.
void RandomChannels::channel_operation() {
  const Pipe& pipe = pipes_[out_.which()];
  const int64_t bytes = out_.dice.one_in(4) ? 1000 : 4096;
  const uint32_t chosen = out_.dice.below(12);
  if (chosen < 4) {
    out_.operation({.kind = OpKind::ChannelRead,
                    .flags = out_.random_flags(),
                    .object = pipe.channel,
                    .second = pipe.read_end,
                    .value = bytes,
                    .deadline_ns = kDeadlineNs});
    return out_.maybe_branch(Instruction::Test::ValueIs, 0);
  }
  if (chosen < 8) {
    out_.operation({.kind = OpKind::ChannelWrite,
                    .flags = out_.random_flags(),
                    .object = pipe.channel,
                    .second = pipe.write_end,
                    .value = bytes,
                    .deadline_ns = kDeadlineNs});
    return out_.maybe_branch(Instruction::Test::ErrorIs, EPIPE);
  }
  if (chosen < 10) {
    const ObjectId closed = out_.dice.one_in(3) ? pipe.read_end : pipe.write_end;
    return out_.operation({.kind = OpKind::DescriptionClose, .object = closed});
  }
  std::vector<OpPart> parts{polled(pipe.read_end, POLLIN)};
  if (out_.dice.one_in(2)) parts.push_back(polled(pipes_[out_.which()].write_end, POLLOUT));
  if (out_.dice.one_in(3)) {  // told of changes only, but for the first so many
    parts[0].poll.changes_only = 1;
    parts[0].poll.told_changes = static_cast<uint16_t>(out_.dice.below(3));
  }
  out_.operation(out_.script.with_parts(
      {.kind = OpKind::Poll, .flags = out_.random_flags(), .deadline_ns = kDeadlineNs}, parts));
  out_.maybe_branch(Instruction::Test::ValueIs, 0);
}

// Lengths tell the types apart, for the branches.
void RandomChannels::queue_operation() {
  const bool is_posix = out_.dice.one_in(2);
  const ObjectId queue = (is_posix ? posix_queues_ : system_v_queues_)[out_.which()];
  const uint32_t chosen = out_.dice.below(16);
  if (chosen == 0)
    return out_.operation(
        {.kind = is_posix ? OpKind::QueueGet : OpKind::QueueRemove, .object = queue});
  if (chosen == 1) {
    out_.operation({.kind = OpKind::QueueGet, .object = queue});
    return out_.maybe_branch(Instruction::Test::ValueIs, 0);
  }
  Operation op{.kind = OpKind::QueueSend,
               .flags = out_.random_flags(),
               .object = queue,
               .deadline_ns = kDeadlineNs};
  op.desired = op.value = 1 + out_.dice.below(2);
  if (chosen < 9) {
    out_.operation(op);
    return out_.maybe_branch(Instruction::Test::ErrorIsNot, 0);
  }
  op.kind = OpKind::QueueReceive;
  op.value = out_.dice.one_in(4) ? 1 : 2;
  constexpr int64_t kTypes[] = {0, 0, 1, 2, -1, -2};
  op.desired = kTypes[out_.dice.below(6)];
  if (op.desired > 0 && out_.dice.one_in(4)) op.flags |= kExcept;
  if (is_posix || out_.dice.one_in(3)) op.flags |= kCut;
  out_.operation(op);
  out_.maybe_branch(Instruction::Test::ValueIs, 1);
}

void RandomChannels::timer_operation() {
  constexpr int64_t kSecond = 1'000'000'000;
  const uint32_t timer = out_.which();
  Operation op{.kind = OpKind::TimerSet, .object = timers_[timer], .second = timer_ends_[timer]};
  const uint32_t chosen = out_.dice.below(12);
  if (chosen < 4) {
    op.value = out_.dice.below(3) * kSecond;
    if (op.value != 0 && out_.dice.one_in(3)) op.desired = kSecond;
    return out_.operation(op);
  }
  if (chosen < 8) {
    op.kind = chosen == 4 ? OpKind::TimerGet : OpKind::TimerRead;
    op.flags = flag_if(kTry, out_.random_flags() != 0);
    out_.operation(op);
    return out_.maybe_branch(Instruction::Test::ValueIs, 0);
  }
  if (chosen < 10) {
    return out_.operation({.kind = OpKind::ChannelWrite,
                           .flags = kTry,
                           .object = pipes_[timer].channel,
                           .second = pipes_[timer].write_end,
                           .value = 4096});
  }
  std::vector<OpPart> parts{polled(timer_ends_[timer], POLLIN)};
  parts.push_back(polled(
      out_.dice.one_in(2) ? timer_ends_[out_.which()] : pipes_[out_.which()].read_end, POLLIN));
  const auto flags = static_cast<uint8_t>(out_.random_flags() | kMayExpire);
  out_.operation(out_.script.with_parts(
      {.kind = OpKind::Poll, .flags = flags, .deadline_ns = 3 * kSecond / 2}, parts));
  out_.maybe_branch(Instruction::Test::ValueIs, 1);
}

}  // namespace mazurka
