// epoll. What an instance looks at is kept here; waiting is the operation that poll is, where all
// of it has a model or is a file. The kernel's instance is kept as well, for the errors of
// epoll_ctl, and for the waits that have no model: those with EPOLLET, EPOLLEXCLUSIVE or
// EPOLLONESHOT where several threads or processes wait, with EPOLLET for message queues and timers,
// and those of an instance that came through exec or is changed by several processes.
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/channels/descriptors.h"
#include "runtime/channels/poll_calls.h"
#include "runtime/core/blocking.h"
#include "runtime/core/failure.h"
#include "runtime/core/limits.h"
#include "runtime/core/raw.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/signals/signal_actions.h"

namespace mazurka {
namespace {

struct Interest {
  int epoll;
  int fd;
  ObjectId description;  // kNoObject: it has no model
  epoll_event wanted;
  bool is_off;  // EPOLLONESHOT: told once, until epoll_ctl sets it anew
  // EPOLLET: what was told; all that is there until something was.
  OpPart told;
};
constexpr uint32_t kMaxInterests = 1024;
// Private memory: fork copies it along with the instances.
Interest interests[kMaxInterests];
uint32_t interest_count;

struct Instance {
  int fd;
  ProcessId owner;
  ThreadId waiter;   // the last that has waited; kNoThread
  bool has_waiters;  // several have
  ThreadId changer;  // the last that changed it while its process had other threads; kNoThread
};
constexpr uint32_t kMaxInstances = 64;
Instance instances[kMaxInstances];
uint32_t instance_count;

Instance* find_instance(int fd) {
  for (uint32_t i = 0; i < instance_count; ++i) {
    if (instances[i].fd == fd) return &instances[i];
  }
  return nullptr;
}

Interest* find_interest(int epoll, int fd) {
  for (uint32_t i = 0; i < interest_count; ++i) {
    if (interests[i].epoll == epoll && interests[i].fd == fd) return &interests[i];
  }
  return nullptr;
}

void remove(Interest& interest) {
  for (Interest* next = &interest + 1; next < interests + interest_count; ++next) next[-1] = *next;
  --interest_count;
}

void forget_instance(int epoll) {
  for (uint32_t i = interest_count; i > 0; --i) {
    if (interests[i - 1].epoll == epoll) remove(interests[i - 1]);
  }
}

// The kernel forgets what is closed; a number that leads elsewhere now is not what was asked for.
void forget_closed(int epoll) {
  for (uint32_t i = interest_count; i > 0; --i) {
    const Interest& known = interests[i - 1];
    if (known.epoll == epoll && known.description != kNoObject &&
        any_description_of(known.fd) != known.description)
      remove(interests[i - 1]);
  }
}

int new_instance(int fd, Call call) {
  if (fd < 0) return fd;
  if (Instance* const reused = find_instance(fd)) {
    forget_instance(fd);
    *reused = {fd, current_process(), kNoThread, false, kNoThread};
  } else if (instance_count < kMaxInstances) {
    instances[instance_count++] = {fd, current_process(), kNoThread, false, kNoThread};
  } else {
    name_unmodelled("more than 64 instances of epoll", call);
  }
  return fd;
}

// Changing an instance is no operation, so it has no order with the waits of other threads.
void name_change(Call call) {
  name_unmodelled("epoll_ctl by one thread and epoll_wait by another", call);
}

void note_change(Instance& instance, Call call) {
  if (!has_unseen_threads(world(), current_thread())) return;
  if (instance.waiter != kNoThread && (instance.has_waiters || instance.waiter != current_thread()))
    name_change(call);
  instance.changer = current_thread();
}

int control(int epoll, int operation, int fd, const epoll_event* event, Call call) {
  const int result = REAL(epoll_ctl)(epoll, operation, fd, const_cast<epoll_event*>(event));
  Instance* const instance = find_instance(epoll);
  if (result != 0 || instance == nullptr) return result;
  if (instance->owner != current_process())
    name_unmodelled("epoll_ctl on an instance of another process", call);
  note_change(*instance, call);
  Interest* const known = find_interest(epoll, fd);
  if (operation == EPOLL_CTL_DEL) {
    if (known != nullptr) remove(*known);
    return 0;
  }
  const Interest wanted{epoll, fd, pollable_description_of(fd), *event, false, {}};
  if (known != nullptr) {
    *known = wanted;
  } else if (interest_count < kMaxInterests) {
    interests[interest_count++] = wanted;
  } else {
    limit_reached("the program looks at more than 1024 descriptors by epoll");
  }
  return 0;
}

// What is told once must be told to one: the others would have to see it.
bool is_told_once(const Interest& interest) {
  return (interest.wanted.events & (EPOLLET | EPOLLEXCLUSIVE | EPOLLONESHOT)) != 0;
}

bool has_channel(ObjectId description) {
  return kind_behind(world(), world().object(description).description) == ObjectKind::Channel;
}

// Why a wait on this instance has no model; null: it has.
const char* trouble(int epoll) {
  const Instance* const instance = find_instance(epoll);
  if (instance == nullptr) return "epoll_wait on an instance that came through exec or a socket";
  bool any = false;
  for (uint32_t i = 0; i < interest_count; ++i) {
    const Interest& known = interests[i];
    if (known.epoll != epoll) continue;
    const bool is_shared = instance->owner != current_process() || instance->has_waiters;
    if (is_told_once(known) && is_shared)
      return "epoll_wait with EPOLLET, EPOLLONESHOT or EPOLLEXCLUSIVE by several threads or "
             "processes";
    const ObjectId description = pollable_description_of(known.fd);
    if (description == kNoObject) return "epoll_wait on a descriptor without a model";
    if ((known.wanted.events & EPOLLET) != 0 && !has_channel(description))
      return "epoll_wait with EPOLLET on a message queue or timer";
    any = true;
  }
  return any ? nullptr : "epoll_wait on nothing";
}

int wait_model(int epoll, epoll_event* events, int most, int64_t timeout_ns, const sigset_t* mask,
               Call call) {
  // The kernel knows whether the instance is still open.
  const long looked = program_syscall(SYS_epoll_wait, epoll, address_of(events), most, 0);
  if (raw_failed(looked)) return number_with_errno(looked);
  pollfd asked[kMaxInterests];
  OpPart told[kMaxInterests];
  nfds_t count = 0;
  for (uint32_t i = 0; i < interest_count; ++i) {
    const Interest& known = interests[i];
    if (known.epoll != epoll || known.is_off) continue;
    told[count] = known.told;
    asked[count++] = {known.fd, static_cast<short>(known.wanted.events), 0};
  }
  if (poll_models(asked, count, timeout_ns, mask, call, told) < 0) return -1;
  int ready = 0;
  for (nfds_t i = 0; i < count && ready < most; ++i) {
    Interest* const known = find_interest(epoll, asked[i].fd);
    if (asked[i].revents == 0 || known == nullptr) continue;
    known->is_off = (known->wanted.events & EPOLLONESHOT) != 0;
    if ((known->wanted.events & EPOLLET) != 0)
      known->told = with_edges(world(), polled(known->description, asked[i].events));
    events[ready++] = {
        .events = static_cast<uint32_t>(static_cast<unsigned short>(asked[i].revents)),
        .data = known->wanted.data};
  }
  return ready;
}

int wait_kernel(int epoll, epoll_event* events, int most, int64_t timeout_ns, Call call) {
  long result = 0;
  try_until_done(OtherSide::World, timeout_ns, call, [&] {
    result = program_syscall(SYS_epoll_wait, epoll, address_of(events), most, 0);
    return result != 0;
  });
  return number_with_errno(result);
}

void note_waiter(int epoll, Call call) {
  Instance* const instance = find_instance(epoll);
  if (instance == nullptr) return;
  if (instance->changer != kNoThread && instance->changer != current_thread()) name_change(call);
  if (instance->waiter == current_thread()) return;
  if (instance->waiter != kNoThread) instance->has_waiters = true;
  instance->waiter = current_thread();
}

int wait_epoll(int epoll, epoll_event* events, int most, int64_t timeout_ns, const sigset_t* mask,
               Call call) {
  forget_closed(epoll);
  if (events == nullptr || most <= 0) return wait_kernel(epoll, events, most, 0, call);
  note_waiter(epoll, call);
  const char* const why = trouble(epoll);
  if (why == nullptr) return wait_model(epoll, events, most, timeout_ns, mask, call);
  name_unmodelled(why, call);
  name_other_mask(mask, call);
  return wait_kernel(epoll, events, most, timeout_ns, call);
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int epoll_create(int size) noexcept {
  const int fd = REAL(epoll_create)(size);
  return attached() ? new_instance(fd, MAZURKA_HERE) : fd;
}

MAZURKA_EXPORT int epoll_create1(int flags) noexcept {
  const int fd = REAL(epoll_create1)(flags);
  return attached() ? new_instance(fd, MAZURKA_HERE) : fd;
}

MAZURKA_EXPORT int epoll_ctl(int epoll, int operation, int fd, epoll_event* event) noexcept {
  if (!attached()) return REAL(epoll_ctl)(epoll, operation, fd, event);
  return control(epoll, operation, fd, event, MAZURKA_HERE);
}

MAZURKA_EXPORT int epoll_wait(int epoll, epoll_event* events, int most, int timeout) {
  if (!attached()) return REAL(epoll_wait)(epoll, events, most, timeout);
  return wait_epoll(epoll, events, most, timeout_of(timeout), nullptr, MAZURKA_HERE);
}

MAZURKA_EXPORT int epoll_pwait(int epoll, epoll_event* events, int most, int timeout,
                               const sigset_t* mask) {
  if (!attached()) return REAL(epoll_pwait)(epoll, events, most, timeout, mask);
  return wait_epoll(epoll, events, most, timeout_of(timeout), mask, MAZURKA_HERE);
}

MAZURKA_EXPORT int epoll_pwait2(int epoll, epoll_event* events, int most, const timespec* timeout,
                                const sigset_t* mask) {
  if (!attached()) return REAL(epoll_pwait2)(epoll, events, most, timeout, mask);
  return wait_epoll(epoll, events, most, timeout_of(timeout), mask, MAZURKA_HERE);
}
