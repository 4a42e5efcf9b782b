#include "runtime/channels/channel_io.h"

#include <signal.h>

#include <cerrno>
#include <cstring>

#include "base/check.h"
#include "execution/channel_options.h"
#include "runtime/channels/descriptors.h"
#include "runtime/signals/signal_actions.h"

namespace mazurka {
namespace {

const Description& at(ObjectId id) { return world().object(id).description; }

ssize_t fail(int error) {
  errno = error;
  return -1;
}

bool is_stream(ObjectId channel) {
  const Channel::Form form = world().object(channel).channel.form;
  return form == Channel::Form::Pipe || form == Channel::Form::Stream;
}

Operation operation(OpKind kind, ObjectId description, const Transfer& wanted, size_t done) {
  const ObjectId channel =
      kind == OpKind::ChannelRead ? at(description).reads : at(description).writes;
  const auto rest = static_cast<int64_t>(wanted.count - done);
  Operation op{.kind = kind, .flags = wanted.flags, .object = channel, .second = description};
  op.value = rest;
  if (done > 0 && kind == OpKind::ChannelWrite) op.flags |= kGoesOn;
  const bool may_be_partial =
      wanted.can_be_partial && is_stream(channel) && (op.flags & kPeek) == 0;
  if (may_be_partial && segment().control.partial_io != 0) {
    op.flags |= kPartial;
  } else if (may_be_partial && rest > 1) {
    segment().control.unasked |= kUnaskedPartialIo;
  }
  return op;
}

// What the kernel did must be what the model said, or later calls would block for real, or not at
// all.
void compare(ObjectId channel, ssize_t real, int64_t expected) {
  if (!is_stream(channel)) return;
  if (real == expected) return;
  if (real < 0 && errno == EFAULT)
    runtime_error("a read or write of a pipe or socket was given memory that is not there");
  runtime_error(
      "the kernel transferred another number of bytes through a pipe or socket than its model "
      "says");
}

bool is_ignored_outside(int signal) {
  struct sigaction action;
  return REAL(sigaction)(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

bool is_tcp(ObjectId channel) { return world().object(channel).channel.is_internet; }

// Nobody reads any more. The kernel's own SIGPIPE is not wanted: where it has to be, the model
// sends it.
ssize_t write_to_broken(const Transfer& wanted, size_t done, Call call) {
  const bool is_blocked = (blocked_signals() & signal_bit(SIGPIPE)) != 0;
  const Disposition now = disposition(SIGPIPE);
  const bool is_default =
      now == Disposition::Default && !is_blocked && !is_ignored_outside(SIGPIPE);
  if (!wanted.no_signal && is_default) end_process(SIGPIPE, call);
  if (!wanted.no_signal && (now == Disposition::Handled || is_blocked)) {
    send_signal(current_thread(), SIGPIPE, kToThread, {}, call);
  }
  return done > 0 ? static_cast<ssize_t>(done) : fail(EPIPE);
}

// The kernel's socket behind one of TCP is asked only where bytes move: of ends and errors it has
// other ideas.
bool knows_better(ObjectId channel, const Effect& effect) {
  return is_tcp(channel) && (effect.error != 0 || effect.value == 0);
}

}  // namespace

ssize_t read_channel(const Transfer& wanted, const KernelCall& kernel, Call call) {
  MAZURKA_DEBUG_CHECK(description_of(wanted.fd) != kNoObject);
  size_t done = 0;
  for (;;) {
    const ObjectId description = description_of(wanted.fd);
    // Closed meanwhile, or open for writing only: the kernel says what that means.
    if (description == kNoObject || at(description).reads == kNoObject)
      return kernel.transfer(done, wanted.count - done);
    const ObjectId channel = at(description).reads;
    const Operation op = operation(OpKind::ChannelRead, description, wanted, done);
    const Effect effect = reach(op, call);
    if (effect.error == EBADF) continue;
    if (effect.error == EAGAIN || effect.error == EINTR)
      return done > 0 ? static_cast<ssize_t>(done) : fail(effect.error);
    if (knows_better(channel, effect))
      return effect.error == 0 || done > 0 ? static_cast<ssize_t>(done) : fail(effect.error);
    const bool is_partial = (op.flags & kPartial) != 0 && effect.error == 0 && effect.value > 0;
    const ssize_t real =
        kernel.transfer(done, is_partial ? static_cast<size_t>(effect.value) : wanted.count - done);
    if (effect.error == 0) compare(channel, real, effect.value);
    if (real <= 0) return done > 0 ? static_cast<ssize_t>(done) : real;
    done += static_cast<size_t>(real);
    if (!wanted.waits_for_all || done >= wanted.count || !is_stream(channel))
      return static_cast<ssize_t>(done);
  }
}

ssize_t write_channel(const Transfer& wanted, const KernelCall& kernel, Call call) {
  MAZURKA_DEBUG_CHECK(description_of(wanted.fd) != kNoObject);
  size_t done = 0;
  for (;;) {
    const ObjectId description = description_of(wanted.fd);
    if (description == kNoObject || at(description).writes == kNoObject)
      return kernel.transfer(done, wanted.count - done);
    const ObjectId channel = at(description).writes;
    const Operation op = operation(OpKind::ChannelWrite, description, wanted, done);
    const Effect effect = reach(op, call);
    if (effect.error == EBADF) continue;
    if (effect.error == EAGAIN || effect.error == EINTR)
      return done > 0 ? static_cast<ssize_t>(done) : fail(effect.error);
    if (effect.error == EPIPE) return write_to_broken(wanted, done, call);
    if (knows_better(channel, effect))
      return effect.error == 0 || done > 0 ? static_cast<ssize_t>(done) : fail(effect.error);
    if (is_tcp(channel) && world().object(channel).channel.is_broken())
      return static_cast<ssize_t>(wanted.count);  // lost
    if (effect.error != 0) return kernel.transfer(done, wanted.count - done);
    const ssize_t real = kernel.transfer(
        done, is_stream(channel) ? static_cast<size_t>(effect.value) : wanted.count);
    compare(channel, real, effect.value);
    if (real < 0) return real;
    done += static_cast<size_t>(real);
    const bool once = (op.flags & (kTry | kPartial)) != 0 || at(description).is_nonblocking ||
                      !is_stream(channel);
    if (once || done >= wanted.count) return static_cast<ssize_t>(done);
  }
}

}  // namespace mazurka
