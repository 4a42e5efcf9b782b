#include "program/random_script.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <initializer_list>

#include "program/dice.h"
#include "program/random_file_locks.h"
#include "program/random_file_uses.h"

namespace mazurka {
namespace {

constexpr int64_t kDeadlineNs = 1'000'000;
constexpr uint32_t kObjectsOfAKind = 2;  // at most
constexpr uint32_t kEventNames = 3;
constexpr uint32_t kObjectFeatureCount = 10;
constexpr uint32_t kObjectFeatures = (1u << kObjectFeatureCount) - 1;
static_assert(kVariables == 1u << (kObjectFeatureCount - 1));

class Generator {
 public:
  Generator(uint64_t seed, const RandomScriptOptions& options) : dice_(seed), options_(options) {}

  Script make() {
    choose_objects();
    make_objects();
    const uint32_t spread = options_.max_threads - options_.min_threads + 1;
    threads_ = options_.min_threads + dice_.below(spread);
    script_.bodies.resize(threads_);
    choose_creators();
    choose_statements();
    for (uint32_t i = 0; i < threads_; ++i) make_body(i);
    if (has(kSignals)) make_handler();
    return script_;
  }

 private:
  using Statement = void (Generator::*)();
  struct Child {
    uint32_t body;
    bool process;
  };

  struct Pipe {
    ObjectId channel = kNoObject;
    ObjectId read_end = kNoObject;
    ObjectId write_end = kNoObject;
  };

  struct Socket {
    ObjectId reads = kNoObject;
    ObjectId writes = kNoObject;
    ObjectId description = kNoObject;
  };

  bool has(uint32_t feature) const { return (options_.features & feature) != 0; }

  // --- objects

  // Few kinds and few of each: threads that do not meet have nothing to be tested on.
  void choose_objects() {
    const uint32_t allowed = options_.features & kObjectFeatures;
    uint32_t kept = 0;
    for (uint32_t wanted = 1 + dice_.below(3); allowed != 0 && wanted > 0; --wanted) {
      uint32_t feature = 0;
      while ((feature & allowed) == 0) feature = 1u << dice_.below(kObjectFeatureCount);
      kept |= feature;
    }
    options_.features = (options_.features & ~kObjectFeatures) | kept;
    in_use_ = 1 + dice_.below(kObjectsOfAKind);
  }

  void make_objects() {
    for (uint32_t i = 0; i < in_use_; ++i) {
      if (has(kMutexes | kConditions)) mutexes_[i] = script_.add(random_mutex());
      if (has(kConditions)) conditions_[i] = script_.add({.kind = ObjectKind::Condition});
      if (has(kRwLocks)) rwlocks_[i] = script_.add({.kind = ObjectKind::RwLock});
      if (has(kSemaphores)) semaphores_[i] = script_.add(random_semaphore());
      if (has(kSemSets)) set_semaphores_[i] = script_.add(random_semaphore());
      if (has(kFutexes)) futexes_[i] = script_.add({.kind = ObjectKind::Futex});
      if (has(kVariables)) variables_[i] = script_.add({.kind = ObjectKind::Variable});
    }
    if (has(kSemSets)) set_ = script_.add({.kind = ObjectKind::SemSet});
    if (has(kBarriers))
      barrier_ = script_.add({.kind = ObjectKind::Barrier, .value = 1 + dice_.below(3)});
    if (has(kNames)) name_ = script_.add({.kind = ObjectKind::Named, .value = dice_.below(2)});
    if (has(kOnces)) once_ = script_.add({.kind = ObjectKind::Once});
    for (uint32_t i = 0; has(kChannels) && i < in_use_; ++i) make_pipe(pipes_[i]);
    for (uint32_t i = 0; has(kTimers) && i < in_use_; ++i) {
      timers_[i] = script_.add({.kind = ObjectKind::Timer});
      timer_ends_[i] = script_.add({.kind = ObjectKind::Description, .value = 1 + static_cast<int64_t>(index(timers_[i]))});
      if (!has(kChannels)) make_pipe(pipes_[i]);
    }
    for (uint32_t i = 0; has(kQueues) && i < in_use_; ++i) {
      posix_queues_[i] = script_.add({.kind = ObjectKind::Queue, .value = 1 + dice_.below(2)});
      system_v_queues_[i] = script_.add({.kind = ObjectKind::Queue, .value = -2 - dice_.below(2)});
    }
    if (has(kSockets)) make_sockets();
    if (has(kFileUses)) files_ = add_files(script_, dice_);
    if (has(kFileLocks | kFileUses)) file_ = add_file(script_);
    for (ObjectId& event : events_) {
      if (has(kEvents)) event = script_.add({.kind = ObjectKind::Event});
    }
  }

  // A page or two: so writers wait, too.
  void make_pipe(Pipe& pipe) {
    pipe.channel = script_.add({.kind = ObjectKind::Channel, .value = 1 + dice_.below(2)});
    const auto channel = static_cast<int64_t>(index(pipe.channel));
    pipe.read_end = script_.add({.kind = ObjectKind::Description, .value = 1 + channel});
    pipe.write_end = script_.add({.kind = ObjectKind::Description, .value = -1 - channel});
  }

  ObjectId socket_channel(SocketStage stage, bool is_open_for_reading) {
    return script_.add({.kind = ObjectKind::Channel, .value = 1 + dice_.below(2), .robust = is_internet_, .stage = stage,
                        .is_held = is_open_for_reading});
  }

  Socket make_socket(SocketStage stage) {
    Socket made;
    made.reads = socket_channel(stage, true);
    if (stage != SocketStage::Datagrams) made.writes = socket_channel(stage, false);
    made.description = script_.add(
        {.kind = ObjectKind::Description, .stage = stage, .reads = made.reads, .writes = made.writes});
    return made;
  }

  // One that listens and one that connects, or one that gets datagrams and one that sends them.
  void make_sockets() {
    is_internet_ = dice_.one_in(2);
    const SocketStage stage = dice_.one_in(3) ? SocketStage::Datagrams : SocketStage::Fresh;
    is_for_datagrams_ = stage == SocketStage::Datagrams;
    address_ = script_.add({.kind = ObjectKind::Address});
    server_ = make_socket(stage);
    client_ = make_socket(stage);
  }

  ScriptObject random_mutex() {
    ScriptObject made{.kind = ObjectKind::Mutex};
    if (dice_.one_in(4)) made.mutex_type = static_cast<MutexType>(dice_.below(3));
    made.robust = has(kRobust) && dice_.one_in(4);
    return made;
  }
  ScriptObject random_semaphore() {
    return {.kind = ObjectKind::Semaphore, .value = dice_.below(3)};
  }

  uint32_t which() { return dice_.below(in_use_); }

  // --- bodies

  // Each body but the first is created once, by one before it: so there is no end of threads.
  void choose_creators() {
    children_.resize(threads_);
    for (uint32_t i = 1; i < threads_; ++i) {
      const uint32_t creator = dice_.one_in(3) ? dice_.below(i) : 0;
      children_[creator].push_back({i, has(kProcesses) && dice_.one_in(3)});
    }
  }

  void add_statements(uint32_t feature, uint32_t weight, Statement added) {
    if (has(feature)) statements_.insert(statements_.end(), weight, added);
  }

  void choose_statements() {
    add_statements(kMutexes, 4, &Generator::mutex_section);
    add_statements(kConditions, 2, &Generator::condition_wait);
    add_statements(kConditions, 2, &Generator::condition_signal);
    add_statements(kRwLocks, 2, &Generator::rwlock_section);
    add_statements(kBarriers, 1, &Generator::barrier_wait);
    add_statements(kSemaphores, 3, &Generator::semaphore_operation);
    add_statements(kSemSets, 3, &Generator::sem_set_operation);
    add_statements(kNames, 1, &Generator::name_operation);
    add_statements(kOnces, 1, &Generator::once_section);
    add_statements(kFutexes, 1, &Generator::futex_wait);
    add_statements(kFutexes, 1, &Generator::futex_wake);
    add_statements(kVariables, 4, &Generator::variable_operation);
    add_statements(kChannels, 6, &Generator::channel_operation);
    add_statements(kQueues, 6, &Generator::queue_operation);
    add_statements(kTimers, 6, &Generator::timer_operation);
    add_statements(kSockets, 8, &Generator::socket_operation);
    add_statements(kFileLocks, 8, &Generator::file_lock_operation);
    add_statements(kFileUses, 8, &Generator::file_use);
    add_statements(kSignals, 6, &Generator::signal_operation);
    add_statements(kTosses, 1, &Generator::toss);
    add_statements(kYields, 1, &Generator::yield);
    add_statements(kEvents, 4, &Generator::event);
    add_statements(kMisuses, 1, &Generator::misuse);
    add_statements(kEnds, 1, &Generator::end);
  }

  // Creations come between the statements of the body, never inside a branch: so the ordinals of
  // the joins are known.
  void make_body(uint32_t number) {
    body_ = &script_.bodies[number];
    budget_ = 1 + dice_.below(std::max(1u, 2 * options_.max_operations / threads_ - 1));
    const std::vector<Child>& children = children_[number];
    uint32_t created = 0;
    children_so_far_.clear();
    if (has(kSignals) && number == 0 && !dice_.one_in(4)) signal_action(SIGUSR1);
    std::vector<uint32_t> to_join;
    if (number == 0 && has(kSockets) && !dice_.one_in(4)) open_server();
    while (created < children.size() || budget_ > 0) {
      if (created < children.size() && (budget_ == 0 || dice_.one_in(2))) {
        const Child& child = children[created++];
        children_so_far_.push_back(child);
        body_->push_back(child.process ? fork_process(child.body) : spawn(child.body));
        if (has(kJoins) && dice_.one_in(2)) to_join.push_back(created);
      } else if (budget_ > 0) {
        statement();
      }
    }
    for (uint32_t child : to_join) join(child, children[child - 1].process);
  }

  void join(uint32_t child, bool process) {
    const uint8_t flags = flag_if(kTry, has(kTries) && dice_.one_in(4));
    Instruction instruction = join_child(child, flags);
    if (process) instruction.op.kind = OpKind::WaitChild;
    if (process && dice_.one_in(2)) instruction.child = 0;
    body_->push_back(instruction);
  }

  void statement() {
    --budget_;
    if (statements_.empty()) return toss();
    (this->*statements_[dice_.below(static_cast<uint32_t>(statements_.size()))])();
  }

  // Up to two statements more, inside of another one.
  void block() {
    for (uint32_t left = dice_.below(3); left > 0 && budget_ > 0; --left) statement();
  }

  uint32_t here() const { return static_cast<uint32_t>(body_->size()); }
  void operation(const Operation& op) { body_->push_back(operate(op)); }

  // A branch over what comes next; close() says where that ends.
  uint32_t open(Instruction::Test test, int64_t value) {
    body_->push_back(go_to(0, test, value));
    return here() - 1;
  }
  void close(uint32_t opened) { (*body_)[opened].to = here(); }

  void maybe_branch(Instruction::Test test, int64_t value) {
    if (!has(kTries) || budget_ == 0 || dice_.one_in(2)) return;
    const uint32_t over = open(test, value);
    statement();
    close(over);
  }

  // --- statements

  static uint8_t flag_if(OpFlag flag, bool wanted) {
    return wanted ? static_cast<uint8_t>(flag) : uint8_t{0};
  }

  uint8_t random_flags() {
    if (!has(kTries) || dice_.below(3) != 0) return 0;
    return static_cast<uint8_t>(dice_.one_in(2) ? kTry : kTimed);
  }

  // What is done between a lock and its unlock; without the lock, neither happens. Now and then the
  // unlock is forgotten.
  void section(const Operation& lock, const Operation& unlock) {
    operation(lock);
    const uint32_t over = open(Instruction::Test::ErrorIsNot, 0);
    block();
    if (!dice_.one_in(12)) operation(unlock);
    close(over);
  }

  void mutex_section() {
    const ObjectId m = mutexes_[which()];
    section({.kind = OpKind::MutexLock,
             .flags = random_flags(),
             .object = m,
             .deadline_ns = kDeadlineNs},
            {.kind = OpKind::MutexUnlock, .object = m});
    if (has(kRobust) && dice_.one_in(6)) operation({.kind = OpKind::MutexConsistent, .object = m});
  }

  void rwlock_section() {
    const ObjectId l = rwlocks_[which()];
    const OpKind kind = dice_.one_in(2) ? OpKind::ReadLock : OpKind::WriteLock;
    section({.kind = kind, .flags = random_flags(), .object = l, .deadline_ns = kDeadlineNs},
            {.kind = OpKind::RwUnlock, .object = l});
  }

  void condition_wait() {
    const uint32_t i = which();
    const ObjectId cv = conditions_[i];
    const ObjectId m = mutexes_[i];
    const bool timed = random_flags() != 0;
    operation({.kind = OpKind::MutexLock, .object = m});
    block();
    operation(
        {.kind = OpKind::CondWait, .flags = flag_if(kTimed, timed), .object = cv, .second = m});
    const uint32_t over = open(Instruction::Test::ErrorIsNot, 0);
    if (timed) {
      operation({.kind = OpKind::CondWake,
                 .flags = kTimed,
                 .object = cv,
                 .second = m,
                 .deadline_ns = kDeadlineNs});
      maybe_branch(Instruction::Test::ErrorIs, ETIMEDOUT);
      operation({.kind = OpKind::MutexLock, .object = m});
    } else {
      operation({.kind = OpKind::CondReacquire, .object = cv, .second = m});
    }
    close(over);
    operation({.kind = OpKind::MutexUnlock, .object = m});
  }

  void condition_signal() {
    const OpKind kind = dice_.one_in(3) ? OpKind::CondBroadcast : OpKind::CondSignal;
    operation({.kind = kind, .object = conditions_[which()]});
  }

  void barrier_wait() {
    operation({.kind = OpKind::BarrierArrive, .object = barrier_});
    operation({.kind = OpKind::BarrierLeave, .object = barrier_});
    body_->back().takes_value = true;
    maybe_branch(Instruction::Test::ValueIs, 1);
  }

  void semaphore_operation() {
    const ObjectId s = semaphores_[which()];
    const uint32_t chosen = dice_.below(8);
    if (chosen < 3) return operation({.kind = OpKind::SemPost, .object = s});
    if (chosen == 3) {
      operation({.kind = OpKind::SemGetValue, .object = s});
      return maybe_branch(Instruction::Test::ValueIs, 0);
    }
    const uint8_t flags = random_flags();
    operation({.kind = OpKind::SemWait, .flags = flags, .object = s, .deadline_ns = kDeadlineNs});
    if (flags != 0) maybe_branch(Instruction::Test::ErrorIsNot, 0);
  }

  SemPart random_part() {
    SemPart part{.semaphore = set_semaphores_[which()]};
    part.delta = dice_.one_in(6) ? 0 : dice_.one_in(2) ? 1 : -1;
    part.no_wait = has(kTries) && dice_.one_in(6);
    part.undo = has(kRobust) && dice_.one_in(6);
    return part;
  }

  void sem_set_operation() {
    const uint32_t chosen = dice_.below(16);
    if (chosen == 0) return operation({.kind = OpKind::SemctlRemove, .object = set_});
    if (chosen == 1) {
      operation(script_.with_parts({.kind = OpKind::SemctlGet, .object = set_}, {random_part()}));
      return maybe_branch(Instruction::Test::ValueIs, 0);
    }
    if (chosen == 2) {
      SemPart part = random_part();
      part.delta = static_cast<int32_t>(dice_.below(3));
      return operation(script_.with_parts({.kind = OpKind::SemctlSet, .object = set_}, {part}));
    }
    std::vector<SemPart> parts{random_part()};
    if (dice_.one_in(4)) parts.push_back(random_part());
    const uint8_t flags = flag_if(kTimed, random_flags() == kTimed);
    operation(script_.with_parts(
        {.kind = OpKind::Semop, .flags = flags, .object = set_, .deadline_ns = kDeadlineNs},
        parts));
    maybe_branch(Instruction::Test::ErrorIs, EAGAIN);
  }

  void name_operation() {
    if (dice_.one_in(3)) return operation({.kind = OpKind::NameUnlink, .object = name_});
    operation({.kind = OpKind::NameOpen, .object = name_, .value = dice_.below(4)});
    maybe_branch(Instruction::Test::ErrorIsNot, 0);
  }

  void once_section() {
    operation({.kind = OpKind::OnceBegin, .object = once_});
    const uint32_t over = open(Instruction::Test::ErrorIsNot, EAGAIN);
    block();
    operation({.kind = OpKind::OnceEnd, .object = once_, .value = dice_.one_in(4) ? 0 : 1});
    close(over);
  }

  void futex_wait() {
    const ObjectId f = futexes_[which()];
    const uint8_t flags = flag_if(kTimed, random_flags() != 0);
    operation({.kind = OpKind::FutexWait, .object = f});
    operation(
        {.kind = OpKind::FutexBlocked, .flags = flags, .object = f, .deadline_ns = kDeadlineNs});
    if (flags != 0) maybe_branch(Instruction::Test::ErrorIs, ETIMEDOUT);
  }

  void futex_wake() {
    constexpr int64_t kHowMany[] = {1, 1, 2, INT32_MAX};
    operation({.kind = OpKind::FutexWake,
               .object = futexes_[which()],
               .value = kHowMany[dice_.below(4)]});
  }

  // Few values, so that a compare-exchange may go either way. What was seen may be written again.
  void variable_operation() {
    Operation op{.kind = OpKind::VarLoad, .object = variables_[which()], .value = dice_.below(3)};
    const uint32_t chosen = dice_.below(6);
    if (chosen < 2) {
      op.value = 0;
      operation(op);
      if (dice_.one_in(3)) body_->push_back(calculate(0, Instruction::Calculation::Keep));
      return maybe_branch(Instruction::Test::ValueIs, dice_.below(2));
    }
    if (chosen == 2) {
      op.kind = OpKind::VarStore;
      operation(op);
      if (dice_.one_in(4)) body_->back().value_from = 0;
      return;
    }
    if (chosen == 3) {
      op.kind = OpKind::VarUpdate;
      op.update = dice_.one_in(2) ? Update::Add : Update::Exchange;
      operation(op);
      return maybe_branch(Instruction::Test::ValueIs, 0);
    }
    op.kind = OpKind::VarCompareExchange;
    op.value = dice_.below(2);
    op.desired = dice_.below(3);
    operation(op);
    maybe_branch(Instruction::Test::ErrorIsNot, 0);
  }

  // Whole pages, and short reads and writes now and then.
  void channel_operation() {
    const Pipe& pipe = pipes_[which()];
    const int64_t bytes = dice_.one_in(4) ? 1000 : 4096;
    const uint32_t chosen = dice_.below(12);
    if (chosen < 4) {
      operation({.kind = OpKind::ChannelRead, .flags = random_flags(), .object = pipe.channel, .second = pipe.read_end,
                 .value = bytes, .deadline_ns = kDeadlineNs});
      return maybe_branch(Instruction::Test::ValueIs, 0);
    }
    if (chosen < 8) {
      operation({.kind = OpKind::ChannelWrite, .flags = random_flags(), .object = pipe.channel, .second = pipe.write_end,
                 .value = bytes, .deadline_ns = kDeadlineNs});
      return maybe_branch(Instruction::Test::ErrorIs, EPIPE);
    }
    if (chosen < 10) {
      const ObjectId closed = dice_.one_in(3) ? pipe.read_end : pipe.write_end;
      return operation({.kind = OpKind::DescriptionClose, .object = closed});
    }
    std::vector<SemPart> parts{{.semaphore = pipe.read_end, .delta = POLLIN}};
    if (dice_.one_in(2)) parts.push_back({.semaphore = pipes_[which()].write_end, .delta = POLLOUT});
    if (dice_.one_in(3)) {  // told of changes only, but for the first so many
      parts[0].undo = 1;
      parts[0].number = static_cast<uint16_t>(dice_.below(3));
    }
    operation(script_.with_parts({.kind = OpKind::Poll, .flags = random_flags(), .deadline_ns = kDeadlineNs}, parts));
    maybe_branch(Instruction::Test::ValueIs, 0);
  }

  // Lengths tell the types apart, for the branches.
  void queue_operation() {
    const bool is_posix = dice_.one_in(2);
    const ObjectId queue = (is_posix ? posix_queues_ : system_v_queues_)[which()];
    const uint32_t chosen = dice_.below(16);
    if (chosen == 0) return operation({.kind = is_posix ? OpKind::QueueGet : OpKind::QueueRemove, .object = queue});
    if (chosen == 1) {
      operation({.kind = OpKind::QueueGet, .object = queue});
      return maybe_branch(Instruction::Test::ValueIs, 0);
    }
    Operation op{.kind = OpKind::QueueSend, .flags = random_flags(), .object = queue, .deadline_ns = kDeadlineNs};
    op.desired = op.value = 1 + dice_.below(2);
    if (chosen < 9) {
      operation(op);
      return maybe_branch(Instruction::Test::ErrorIsNot, 0);
    }
    op.kind = OpKind::QueueReceive;
    op.value = dice_.one_in(4) ? 1 : 2;
    constexpr int64_t kTypes[] = {0, 0, 1, 2, -1, -2};
    op.desired = kTypes[dice_.below(6)];
    if (op.desired > 0 && dice_.one_in(4)) op.flags |= kExcept;
    if (is_posix || dice_.one_in(3)) op.flags |= kCut;
    operation(op);
    maybe_branch(Instruction::Test::ValueIs, 1);
  }

  void timer_operation() {
    constexpr int64_t kSecond = 1'000'000'000;
    const uint32_t timer = which();
    Operation op{.kind = OpKind::TimerSet, .object = timers_[timer], .second = timer_ends_[timer]};
    const uint32_t chosen = dice_.below(12);
    if (chosen < 4) {
      op.value = dice_.below(3) * kSecond;
      if (op.value != 0 && dice_.one_in(3)) op.desired = kSecond;
      return operation(op);
    }
    if (chosen < 8) {
      op.kind = chosen == 4 ? OpKind::TimerGet : OpKind::TimerRead;
      op.flags = flag_if(kTry, random_flags() != 0);
      operation(op);
      return maybe_branch(Instruction::Test::ValueIs, 0);
    }
    if (chosen < 10) {
      return operation({.kind = OpKind::ChannelWrite, .flags = kTry, .object = pipes_[timer].channel,
                        .second = pipes_[timer].write_end, .value = 4096});
    }
    std::vector<SemPart> parts{{.semaphore = timer_ends_[timer], .delta = POLLIN}};
    parts.push_back({.semaphore = dice_.one_in(2) ? timer_ends_[which()] : pipes_[which()].read_end, .delta = POLLIN});
    const auto flags = static_cast<uint8_t>(random_flags() | kMayExpire);
    operation(script_.with_parts({.kind = OpKind::Poll, .flags = flags, .deadline_ns = 3 * kSecond / 2}, parts));
    maybe_branch(Instruction::Test::ValueIs, 1);
  }

  // A lock that was given up before it could be changed is waited for.
  void file_lock_operation() {
    const Operation op = random_file_lock(file_, dice_.below(kFileLockChoices));
    operation(op);
    if (op.kind == OpKind::FileLock) {
      const uint32_t over = open(Instruction::Test::ValueIsNot, 1);
      operation(op);
      close(over);
    }
    maybe_branch(Instruction::Test::ErrorIs, 0);
  }

  void file_use() {
    if (dice_.one_in(12)) return operation({.kind = OpKind::DescriptionClose, .object = file_.descriptions[dice_.below(2)]});
    operation(random_file_use(script_, files_, file_, dice_));
    maybe_branch(Instruction::Test::ValueIs, 0);
  }

  // --- sockets

  int64_t address_flags() const { return is_internet_ ? 0 : kIsFile; }

  void bind_server() {
    operation({.kind = OpKind::SocketBind, .object = address_, .second = server_.description, .desired = address_flags()});
  }
  void listen() {
    operation({.kind = OpKind::SocketListen, .object = server_.description, .value = dice_.below(2)});
  }

  // Before anybody else is there.
  void open_server() {
    bind_server();
    if (!is_for_datagrams_) listen();
  }

  void socket_operation() {
    const uint32_t chosen = dice_.below(12);
    if (chosen == 0) return bind_server();
    if (chosen == 1) {
      const OpKind kind = dice_.one_in(2) ? OpKind::AddressUnlink : OpKind::AddressLook;
      operation({.kind = kind, .object = address_});
      return maybe_branch(Instruction::Test::ErrorIs, 0);
    }
    if (chosen == 2) {
      const ObjectId closed = dice_.one_in(2) ? server_.description : client_.description;
      return operation({.kind = OpKind::DescriptionClose, .object = closed});
    }
    if (chosen == 3) return poll_sockets();
    return is_for_datagrams_ ? datagram_operation() : stream_operation(chosen);
  }

  void poll_sockets() {
    const std::vector<SemPart> parts{{.semaphore = server_.description, .delta = POLLIN},
                                     {.semaphore = client_.description, .delta = POLLIN | POLLOUT}};
    operation(script_.with_parts({.kind = OpKind::Poll, .flags = random_flags(), .deadline_ns = kDeadlineNs}, parts));
    maybe_branch(Instruction::Test::ValueIs, 0);
  }

  void datagram_operation() {
    if (dice_.one_in(2)) {
      operation({.kind = OpKind::DatagramSend, .flags = flag_if(kLossy, is_internet_ && dice_.one_in(2)), .object = address_,
                 .second = client_.description, .value = 16, .desired = datagram_flags(kAnyHost4, address_flags())});
      return maybe_branch(Instruction::Test::ErrorIs, 0);
    }
    operation({.kind = OpKind::ChannelRead, .flags = flag_if(kLossy, is_internet_), .object = server_.reads,
               .second = server_.description, .value = 100});
    maybe_branch(Instruction::Test::ValueIs, 0);
  }

  void transfer(OpKind kind, ObjectId channel, ObjectId socket) {
    operation({.kind = kind, .flags = random_flags(), .object = channel, .second = socket, .value = 4096,
               .deadline_ns = kDeadlineNs});
    maybe_branch(kind == OpKind::ChannelRead ? Instruction::Test::ValueIs : Instruction::Test::ErrorIs, 0);
  }

  void stream_operation(uint32_t chosen) {
    if (chosen == 4) return listen();
    if (chosen < 7) {
      operation({.kind = OpKind::SocketConnect, .object = address_, .second = client_.description,
                 .desired = address_flags()});
      return maybe_branch(Instruction::Test::ErrorIs, 0);
    }
    if (chosen < 10) return accept();
    if (chosen == 10) return transfer(OpKind::ChannelWrite, client_.writes, client_.description);
    transfer(OpKind::ChannelRead, client_.reads, client_.description);
  }

  // Each has a description of its own for what it accepts; it reads or writes what the client has at the other end.
  void accept() {
    const ObjectId made =
        script_.add({.kind = ObjectKind::Description, .stage = SocketStage::Fresh, .is_held = false});
    operation({.kind = OpKind::SocketAccept, .object = server_.reads, .second = server_.description,
               .value = static_cast<int64_t>(index(made))});
    if (dice_.one_in(3)) return transfer(OpKind::ChannelWrite, client_.reads, made);
    if (dice_.one_in(2)) return transfer(OpKind::ChannelRead, client_.writes, made);
  }

  // --- signals

  void signal_action(int signal) {
    constexpr uint8_t kFlags[] = {kHandles, kHandles, kHandles | kRestarts, kHandles | kNoDefer, kHandles | kResetsAction,
                                  kIgnores, 0};
    operation({.kind = OpKind::SignalAction, .flags = kFlags[dice_.below(7)], .value = signal, .desired = random_set()});
  }

  int random_signal() {
    constexpr int kThese[] = {SIGUSR1, SIGUSR1, SIGUSR1, SIGUSR1, SIGTERM, SIGCHLD, 40};
    return kThese[dice_.below(7)];
  }
  int64_t random_set() {
    return dice_.one_in(2) ? 0 : static_cast<int64_t>(signal_bit(random_signal()) | signal_bit(random_signal()));
  }

  // To the first process, its first thread, a child, oneself, or all.
  void send_signal() {
    Operation op{.kind = OpKind::SignalSend, .target = kMainThread, .value = random_signal(), .desired = dice_.below(2)};
    const uint32_t chosen = dice_.below(8);
    if (chosen < 2) op.flags = kToThread;
    if (chosen == 2 || chosen == 3) op.target = kNoThread;
    if (chosen == 3) op.flags = kToThread;
    if (chosen == 4 && dice_.one_in(2)) op.flags = kToAll;
    operation(op);
    if (chosen != 5 || children_so_far_.empty()) return;
    const uint32_t child = dice_.below(static_cast<uint32_t>(children_so_far_.size()));
    body_->back().child = child + 1;
    if (!children_so_far_[child].process) body_->back().op.flags = kToThread;
  }

  void poll_with_mask() {
    const auto flags = static_cast<uint8_t>(random_flags() | kOwnMask);
    operation({.kind = OpKind::Poll, .flags = flags, .deadline_ns = kDeadlineNs, .desired = random_set()});
    maybe_branch(Instruction::Test::ErrorIsNot, 0);
  }

  void signal_operation() {
    const uint32_t chosen = dice_.below(16);
    if (chosen < 6) return send_signal();
    if (chosen < 8) return signal_action(random_signal());
    if (chosen < 11) return operation({.kind = OpKind::SignalMask, .value = random_set()});
    if (chosen == 11) return operation({.kind = OpKind::SignalPause, .value = random_set()});
    if (chosen == 14) return poll_with_mask();
    if (chosen == 12) {
      operation({.kind = OpKind::SignalLook});
      return maybe_branch(Instruction::Test::ValueIs, 0);
    }
    if (chosen == 13) {
      const bool sets = dice_.one_in(2);
      if (!sets) return operation({.kind = OpKind::SignalCancel, .value = SIGUSR1});
      return operation({.kind = OpKind::SignalSend, .flags = kFromTimer, .value = SIGUSR1});
    }
    operation({.kind = OpKind::SignalWait, .flags = random_flags(), .value = random_set(), .deadline_ns = kDeadlineNs});
    maybe_branch(Instruction::Test::ErrorIsNot, 0);
  }

  // It does not wait: what was interrupted may be a wait itself, which is still under way.
  void make_handler() {
    script_.handler = static_cast<uint32_t>(script_.bodies.size());
    script_.bodies.emplace_back();
    body_ = &script_.bodies.back();
    budget_ = 0;
    switch (dice_.below(4)) {
      case 0:
        return operation({.kind = OpKind::Toss, .value = 1});
      case 1:
        return;
      case 2:
        if (has(kSemaphores)) return operation({.kind = OpKind::SemPost, .object = semaphores_[which()]});
        [[fallthrough]];
      default:
        if (has(kVariables)) return variable_operation();
        if (has(kMutexes)) return mutex_section();
    }
  }

  void toss() {
    operation({.kind = OpKind::Toss, .value = 1 + dice_.below(2)});
    maybe_branch(Instruction::Test::ValueIs, 0);
  }

  void event() { operation({.kind = OpKind::Event, .object = events_[dice_.below(kEventNames)]}); }

  void yield() { operation({.kind = OpKind::Yield}); }

  void misuse() {
    if (dice_.below(3) != 0) return statement_instead();
    if (has(kMutexes | kConditions) && dice_.one_in(2)) {
      const OpKind kind = dice_.one_in(2) ? OpKind::MutexUnlock : OpKind::MutexDestroy;
      return operation({.kind = kind, .object = mutexes_[which()]});
    }
    if (has(kSemaphores))
      return operation({.kind = OpKind::SemDestroy, .object = semaphores_[which()]});
    operation({.kind = OpKind::Join, .target = ThreadId{kMaxThreads - 1}});
  }

  void end() {
    if (dice_.below(3) != 0) return statement_instead();
    Instruction instruction;
    switch (dice_.below(4)) {
      case 0:
        instruction.kind = Instruction::Kind::LeaveThread;
        break;
      case 1:
        instruction.kind = Instruction::Kind::EndProcess;
        instruction.value = 0x100;
        break;
      case 2:
        instruction.op = {.kind = OpKind::Crash, .value = SIGSEGV};
        break;
      default:
        instruction.op = {.kind = OpKind::Assertion};
        break;
    }
    body_->push_back(instruction);
  }

  // Ends and misuses cut the rest of a script off: they should be rare.
  void statement_instead() {
    ++budget_;
    statement();
  }

  Dice dice_;
  RandomScriptOptions options_;
  Script script_;
  uint32_t threads_ = 0;
  uint32_t in_use_ = 0;                       // objects of each kind
  std::vector<std::vector<Child>> children_;  // by body
  std::vector<Statement> statements_;         // as often as its weight
  Body* body_ = nullptr;
  uint32_t budget_ = 0;  // statements left for the body
  std::vector<Child> children_so_far_;  // of the body

  ObjectId mutexes_[kObjectsOfAKind] = {};
  ObjectId conditions_[kObjectsOfAKind] = {};
  ObjectId rwlocks_[kObjectsOfAKind] = {};
  ObjectId semaphores_[kObjectsOfAKind] = {};
  ObjectId set_semaphores_[kObjectsOfAKind] = {};
  ObjectId futexes_[kObjectsOfAKind] = {};
  ObjectId variables_[kObjectsOfAKind] = {};
  ObjectId set_ = kNoObject;
  ObjectId barrier_ = kNoObject;
  ObjectId name_ = kNoObject;
  ObjectId once_ = kNoObject;
  ObjectId events_[kEventNames] = {};
  Pipe pipes_[kObjectsOfAKind];
  ObjectId timers_[kObjectsOfAKind] = {};
  ObjectId timer_ends_[kObjectsOfAKind] = {};
  ObjectId posix_queues_[kObjectsOfAKind] = {};
  ObjectId system_v_queues_[kObjectsOfAKind] = {};
  ObjectId address_ = kNoObject;
  Socket server_;
  Socket client_;
  bool is_internet_ = false;
  bool is_for_datagrams_ = false;
  FileToLock file_;
  FilesToUse files_;
};

}  // namespace

Script random_script(uint64_t seed, const RandomScriptOptions& options) {
  return Generator(seed, options).make();
}

}  // namespace mazurka
