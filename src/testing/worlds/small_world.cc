#include "testing/worlds/small_world.h"

#include <errno.h>

#include <algorithm>
#include <memory>
#include <set>

#include "base/check.h"
#include "objects/misuse.h"
#include "objects/state_sink.h"

namespace mazurka {
namespace {

World& shared_world() {
  static const std::unique_ptr<World> shared = std::make_unique<World>();
  return *shared;
}

constexpr uint32_t kMaxAccesses = 64;

bool creates(const Label& label) {
  return label.item.then == Then::Forks || label.item.then == Then::Spawns;
}

// What a thread must do after an operation; None if it is free.
Operation second_half(const Operation& op, const Effect& effect) {
  const bool timed = op.flags & kTimed;
  if (effect.error != 0 && op.kind != OpKind::OnceBegin && op.kind != OpKind::CondWake) return {};
  switch (op.kind) {
    case OpKind::CondWait:
      return {.kind = timed ? OpKind::CondWake : OpKind::CondReacquire,
              .object = op.object,
              .second = op.second};
    case OpKind::CondWake:
      return {.kind = OpKind::MutexLock, .object = op.second};
    case OpKind::FutexWait:
      return {.kind = OpKind::FutexBlocked, .flags = op.flags, .object = op.object};
    case OpKind::BarrierArrive:
      return {.kind = OpKind::BarrierLeave, .object = op.object, .value = effect.value};
    case OpKind::OnceBegin:
      if (effect.error == EAGAIN) {
        return {.kind = OpKind::OnceEnd, .object = op.object, .value = op.value};
      }
      return {};
    case OpKind::FileLock:
      return effect.value == 1 ? op : Operation{};
    default:
      return {};
  }
}

void append(SmallWorld::View& view, const Operation& op) {
  view.insert(view.end(), {static_cast<int64_t>(op.kind), op.flags, index(op.target),
                           index(op.object), index(op.second), op.value, op.desired});
}

void append_object(SmallWorld::View& view, const World& world, ObjectId id, bool clocks) {
  const auto put = [](void* to, int64_t value) {
    static_cast<SmallWorld::View*>(to)->push_back(value);
  };
  StateSink sink{put, &view, clocks};
  add_object_state(world, id, sink);
}

// How many wait on the same object for longer: a futex wakes them in this order.
int64_t place_among_waiters(const World& world, ThreadId thread) {
  const ThreadState& me = world.thread(thread);
  int64_t place = 0;
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    const ThreadState& other = world.threads[i];
    const bool futex =
        me.waiting_on != kNoObject && world.object(me.waiting_on).kind == ObjectKind::Futex;
    if (futex && !me.woken && world.waits_on(ThreadId(i), me.waiting_on)) {
      place += other.waiting_since < me.waiting_since;
    }
  }
  return place;
}

void append(SmallWorld::View& view, const World& world, ThreadId id, bool clocks) {
  const ThreadState& t = world.thread(id);
  view.insert(view.end(), {static_cast<int64_t>(t.status), t.detached, t.joined, t.woken,
                           index(t.creator), index(t.process), t.robust_held, index(t.waiting_on),
                           t.children, place_among_waiters(world, id)});
  if (t.status == ThreadStatus::AtOperation) append(view, t.pending);
  if (clocks) view.insert(view.end(), {t.clock_ns, t.transitions, t.repeated_waits});
  view.push_back(static_cast<int64_t>(t.blocked));
  const ProcessState& p = world.process(id);
  view.insert(view.end(),
              {p.exists, p.ended, p.reaped, index(p.parent), p.live_threads, p.wait_status});
  const SignalTable& table = signal_table(world, id);
  for (const uint64_t set :
       {table.handled, table.ignored, table.restarts, table.no_defer, table.resets}) {
    view.push_back(static_cast<int64_t>(set));
  }
}

// Those for the same thread or process in their order, whatever came between.
void append_signals(SmallWorld::View& view, const World& world, bool clocks) {
  std::vector<std::vector<int64_t>> pending;
  for (uint32_t i = 0; i < world.signal_count; ++i) {
    const PendingSignal& entry = world.signals[i];
    pending.push_back({index(entry.process), index(entry.thread), entry.signal, index(entry.sender),
                       entry.flags, entry.value});
    if (clocks) pending.back().push_back(entry.time_ns);
  }
  const auto by_target = [](const auto& a, const auto& b) {
    return std::lexicographical_compare(a.begin(), a.begin() + 3, b.begin(), b.begin() + 3);
  };
  std::stable_sort(pending.begin(), pending.end(), by_target);
  for (const std::vector<int64_t>& entry : pending)
    view.insert(view.end(), entry.begin(), entry.end());
}

// Of semaphores that stay small here.
int64_t values_of(const World& world, const Operation& op) {
  int64_t values = 0;
  for (uint32_t i = 0; i < op.part_count; ++i) {
    const ObjectId id = world.parts[op.part_begin + i].object;
    values = values * 1000 + world.object(id).semaphore.value;
  }
  return values;
}

}  // namespace

const char* keep(const std::string& name) {
  static std::set<std::string> kept;
  return kept.insert(name).first->c_str();
}

bool dependent(const Accesses& a, const Accesses& b) {
  return conflict(a.data(), static_cast<uint32_t>(a.size()), b.data(),
                  static_cast<uint32_t>(b.size()));
}

bool same(const Accesses& a, const Accesses& b) {
  const auto has = [](const Accesses& list, const Access& wanted) {
    return std::any_of(list.begin(), list.end(), [&](const Access& access) {
      return access.resource == wanted.resource && access.mode == wanted.mode;
    });
  };
  return a.size() == b.size() &&
         std::all_of(a.begin(), a.end(), [&](const Access& access) { return has(b, access); });
}

bool same(const Effect& a, const Effect& b) {
  return a.error == b.error && a.misuse == b.misuse && a.signal == b.signal &&
         a.thread == b.thread && a.value == b.value;
}

SmallWorld::SmallWorld(const SmallWorldCase& chosen) : world_(shared_world()), case_(chosen) {
  world_.clear();
  case_.set_up(world_);
  for (uint32_t i = 0; i < world_.thread_limit; ++i) stand_before(ThreadId(i), {});
  number_descriptions();
}

std::vector<MenuItem> SmallWorld::items(ThreadId thread) const {
  const ThreadState& state = world_.thread(thread);
  std::vector<MenuItem> found;
  if (state.status != ThreadStatus::AtOperation) return found;
  if (state.pending.kind != OpKind::None) {
    const Then then = state.pending.kind == OpKind::Fork ? Then::Forks : Then::GoesOn;
    found.push_back({name_of(state.pending.kind), state.pending, then});
    return found;
  }
  for (const MenuItem& item : case_.menu) {
    if (item.who >> index(thread) & 1) found.push_back(item);
  }
  return found;
}

std::vector<Outcome> SmallWorld::outcomes(ThreadId thread, const MenuItem& item) const {
  std::vector<Outcome> found;
  if (world_.thread(thread).status != ThreadStatus::AtOperation) return found;
  each_outcome(world_, enabled(world_, thread, item.op), [&](Outcome outcome) {
    found.push_back(outcome);
    return true;
  });
  return found;
}

std::vector<Label> SmallWorld::enabled_labels() const {
  std::vector<Label> labels;
  for (uint32_t i = 0; i < world_.thread_limit; ++i) {
    uint32_t number = 0;
    for (const MenuItem& item : items(ThreadId(i))) {
      for (const Outcome outcome : outcomes(ThreadId(i), item)) {
        labels.push_back({ThreadId(i), number, item, outcome});
      }
      ++number;
    }
  }
  return labels;
}

bool SmallWorld::is_enabled(const Label& label) const {
  const std::vector<Outcome> found = outcomes(label.thread, label.item);
  return std::find(found.begin(), found.end(), label.outcome) != found.end();
}

Accesses SmallWorld::accesses_of(const Label& label, const AccessesFunction& function) const {
  Access items[kMaxAccesses];
  AccessList list{items, kMaxAccesses};
  function(world_, label, list);
  // Only where the fork is part of this transition: standing before a Fork it is not.
  const bool forks_later = label.item.then == Then::Forks && label.item.op.kind != OpKind::Fork &&
                           has_unseen_threads(world_, label.thread);
  const ThreadId child = next_child(label.thread);
  if (creates(label) && !forks_later && child != kNoThread) {
    list.add(thread_resource(child), Mode::Write);
    const ProcessId process = world_.thread(label.thread).process;
    if (label.item.then == Then::Forks) {
      list.add(process_resource(process, kLife), Mode::Write);
      list.add(process_resource(process, kChildren), Mode::Write);
    }
  }
  MAZURKA_CHECK(!list.overflow);
  return Accesses(items, items + list.count);
}

Effect SmallWorld::take(const Label& label) {
  const bool delivers = is_delivery(label.item.op, label.outcome);
  const Misuse foretold =
      delivers ? Misuse::None : foretell_misuse(world_, label.thread, label.item.op);
  Effect effect = apply(world_, label.thread, label.item.op, label.outcome);
  if (label.item.op.kind == OpKind::SemctlGet && effect.error == 0)
    effect.value = values_of(world_, label.item.op);
  MAZURKA_CHECK(effect.misuse == foretold);
  if (!delivers && effect.error == 0 && effect.misuse == Misuse::None) change_numbers(label);
  if (world_.thread(label.thread).status == ThreadStatus::Running) go_on(label, effect);
  return effect;
}

// --- numbers of descriptors

void SmallWorld::number_descriptions() {
  numbers_.assign(kMaxWorldThreads, {});
  for (uint32_t i = 0; i < world_.object_limit; ++i) {
    if (world_.objects[i].kind != ObjectKind::Description) continue;
    for (uint32_t process = 0; process < world_.thread_limit; ++process) {
      if (world_.objects[i].description.is_held_by(ThreadId(process)))
        number(ThreadId(process), ObjectId{i});
    }
  }
}

void SmallWorld::number(ProcessId process, ObjectId description) {
  std::vector<ObjectId>& all = numbers_[index(process)];
  if (std::find(all.begin(), all.end(), description) != all.end()) return;
  const auto free = std::find(all.begin(), all.end(), kNoObject);
  if (free == all.end()) {
    all.push_back(description);
  } else {
    *free = description;
  }
}

void SmallWorld::change_numbers(const Label& label) {
  const Operation& op = label.item.op;
  const ProcessId process = world_.thread(label.thread).process;
  std::vector<ObjectId>& all = numbers_[index(process)];
  if (op.kind == OpKind::DescriptionClose)
    std::replace(all.begin(), all.end(), op.object, kNoObject);
  while (!all.empty() && all.back() == kNoObject) all.pop_back();
  if (op.kind == OpKind::DescriptionOpen) number(process, op.object);
  if (op.kind == OpKind::DescriptionOpen && op.second != kNoObject) number(process, op.second);
  if (op.kind == OpKind::FifoOpen) number(process, op.second);
  if (op.kind == OpKind::SocketAccept) number(process, ObjectId{static_cast<uint32_t>(op.value)});
}

void SmallWorld::stand_before(ThreadId thread, const Operation& op) {
  world_.thread(thread).status = ThreadStatus::AtOperation;
  world_.thread(thread).pending = op;
}

// The invisible code: as ScriptedProgram's.
void SmallWorld::go_on(const Label& label, const Effect& effect) {
  const ThreadId me = label.thread;
  if (is_delivery(label.item.op, label.outcome)) return run_handler(me);
  const Operation next = second_half(label.item.op, effect);
  if (next.kind != OpKind::None) return stand_before(me, next);
  Then then = label.item.then;
  if (label.item.op.kind == OpKind::ThreadExit) then = Then::EndsProcess;
  switch (then) {
    case Then::GoesOn:
      return stand_before(me, {});
    case Then::LeavesThread:
      if (thread_exit_is_noticed(world_, me)) return stand_before(me, {.kind = OpKind::ThreadExit});
      return stand_at_exit(world_, me, 0);
    case Then::EndsProcess:
      if (process_end_is_noticed(world_, me)) return stand_before(me, {.kind = OpKind::ProcessEnd});
      return stand_at_exit(world_, me, 0);
    case Then::Forks:
      if (label.item.op.kind != OpKind::Fork && has_unseen_threads(world_, me)) {
        return stand_before(me, {.kind = OpKind::Fork});
      }
      [[fallthrough]];
    case Then::Spawns:
      create(me, then == Then::Forks);
      return stand_before(me, {});
  }
}

// One that does nothing. What it interrupted is not done: its thread is free to come to it again.
void SmallWorld::run_handler(ThreadId thread) {
  const ThreadState& state = world_.thread(thread);
  if (state.blocked == state.restores) return stand_before(thread, {});
  stand_before(thread, {.kind = OpKind::SignalMask, .value = static_cast<int64_t>(state.restores)});
}

// Threads that are not there at first have room for one child of each thread: thread i's is thread
// 4 + i.
ThreadId SmallWorld::next_child(ThreadId creator) const {
  const ThreadId id{static_cast<uint16_t>(4 + index(creator))};
  if (index(creator) >= 4) return kNoThread;
  const bool free =
      index(id) >= world_.thread_limit || world_.thread(id).status == ThreadStatus::Absent;
  return free ? id : kNoThread;
}

void SmallWorld::create(ThreadId creator, bool process) {
  const ThreadId id = next_child(creator);
  if (id == kNoThread) return;
  world_.create_thread(id, creator, process ? id : world_.thread(creator).process);
  if (process) numbers_[index(id)] = numbers_[index(world_.thread(creator).process)];
  stand_before(id, {});
}

SmallWorld::Saved SmallWorld::save() const {
  const World& w = world_;
  return {w.moves,
          w.events,
          w.part_count,
          {w.threads, w.threads + w.thread_limit},
          {w.processes, w.processes + w.thread_limit},
          {w.undo, w.undo + w.undo_count},
          {w.messages, w.messages + w.message_limit},
          {w.objects, w.objects + w.object_limit},
          {w.signals, w.signals + w.signal_count},
          {w.signal_tables, w.signal_tables + w.signal_table_count},
          {w.file_locks, w.file_locks + w.file_lock_count},
          numbers_};
}

void SmallWorld::load(const Saved& saved) {
  for (uint32_t i = 0; i < world_.thread_limit; ++i) {
    world_.threads[i] = ThreadState();
    world_.processes[i] = ProcessState();
  }
  world_.moves = saved.moves;
  world_.events = saved.events;
  world_.part_count = saved.part_count;
  world_.thread_limit = static_cast<uint32_t>(saved.threads.size());
  world_.undo_count = static_cast<uint32_t>(saved.undo.size());
  world_.message_limit = static_cast<uint32_t>(saved.messages.size());
  world_.object_limit = static_cast<uint32_t>(saved.objects.size());
  world_.touched_count = 0;
  world_.created_count = 0;
  world_.signal_count = static_cast<uint32_t>(saved.signals.size());
  world_.signal_table_count = static_cast<uint32_t>(saved.signal_tables.size());
  world_.file_lock_count = static_cast<uint32_t>(saved.file_locks.size());
  std::copy(saved.file_locks.begin(), saved.file_locks.end(), world_.file_locks);
  std::copy(saved.signals.begin(), saved.signals.end(), world_.signals);
  std::copy(saved.signal_tables.begin(), saved.signal_tables.end(), world_.signal_tables);
  std::copy(saved.threads.begin(), saved.threads.end(), world_.threads);
  std::copy(saved.processes.begin(), saved.processes.end(), world_.processes);
  std::copy(saved.undo.begin(), saved.undo.end(), world_.undo);
  std::copy(saved.messages.begin(), saved.messages.end(), world_.messages);
  std::copy(saved.objects.begin(), saved.objects.end(), world_.objects);
  numbers_ = saved.numbers;
}

SmallWorld::View SmallWorld::view(bool clocks) const {
  View view;
  if (clocks) view.push_back(static_cast<int64_t>(world_.moves));
  view.push_back(static_cast<int64_t>(world_.events));
  for (uint32_t i = 0; i < world_.thread_limit; ++i) {
    if (world_.threads[i].status == ThreadStatus::Absent) continue;
    view.push_back(i);
    append(view, world_, ThreadId(i), clocks);
  }
  std::vector<std::vector<int64_t>> owed;
  for (uint32_t i = 0; i < world_.undo_count; ++i) {
    const SemUndo& undo = world_.undo[i];
    if (undo.process == kNoProcess || (undo.adjustment == 0 && !undo.forgotten)) continue;
    owed.push_back({index(undo.process), index(undo.semaphore), undo.adjustment, undo.forgotten});
  }
  std::sort(owed.begin(), owed.end());
  for (const std::vector<int64_t>& undo : owed) view.insert(view.end(), undo.begin(), undo.end());
  for (uint32_t i = 0; i < world_.object_limit; ++i) {
    append_object(view, world_, ObjectId(i), clocks);
  }
  append_signals(view, world_, clocks);
  for (uint32_t i = 0; i < world_.thread_limit; ++i) {
    if (!world_.processes[i].exists || world_.processes[i].ended) continue;
    for (const ObjectId description : numbers_[i]) view.push_back(index(description));
    view.push_back(-1);
  }
  return view;
}

SmallWorld::View SmallWorld::key() const {
  View key = view(false);
  const bool yields = std::any_of(case_.menu.begin(), case_.menu.end(), [](const MenuItem& item) {
    return item.op.kind == OpKind::WaitForOthers;
  });
  for (uint32_t i = 0; yields && i < world_.thread_limit; ++i) {
    key.push_back(world_.moves > world_.threads[i].waiting_since);
  }
  // What waits for a change knows how many there were; it is there from the first one on.
  for (uint32_t i = 0; i < world_.object_limit; ++i) {
    if (world_.objects[i].kind == ObjectKind::Variable)
      key.push_back(world_.objects[i].variable.changes != 0);
  }
  for (uint32_t i = 0; i < world_.object_limit; ++i) {
    if (world_.objects[i].kind != ObjectKind::Timer) continue;
    for (uint32_t k = 0; k < world_.thread_limit; ++k) {
      key.push_back(world_.objects[i].timer.has_expired(world_.threads[k].clock_ns));
    }
  }
  return key;
}

bool SmallWorld::is_far() const {
  constexpr int64_t kFar = 2;
  if (world_.events > kFar) return true;
  for (uint32_t i = 0; i < world_.object_limit; ++i) {
    const Object& object = world_.objects[i];
    switch (object.kind) {
      case ObjectKind::Mutex:
        if (object.mutex.depth > kFar) return true;
        break;
      case ObjectKind::RwLock:
        if (object.rwlock.holds > kFar + 1) return true;
        break;
      case ObjectKind::Semaphore:
        if (object.semaphore.value > kFar + 1 && object.semaphore.value < kMaxSemValue - kFar) {
          return true;
        }
        break;
      case ObjectKind::Barrier:
        if (object.barrier.round > kFar) return true;
        break;
      case ObjectKind::Named:
        if (object.named.generation > kFar) return true;
        break;
      case ObjectKind::Variable:
        if (object.variable.value > kFar) return true;
        break;
      case ObjectKind::Generator:
        if (object.generator.drawn > kFar) return true;
        break;
      case ObjectKind::Timer:
        if (object.timer.expires_ns > kFar * 1'000'000'000) return true;
        break;
      case ObjectKind::Channel:
        if (object.channel.reader_opens > 1 || object.channel.writer_opens > 2) return true;
        if (object.channel.count > kFar && object.channel.count < kMostCounted - kFar) return true;
        break;
      default:
        break;
    }
  }
  if (world_.signal_count > kFar) return true;
  for (uint32_t i = 0; i < world_.undo_count; ++i) {
    if (world_.undo[i].adjustment > 1 || world_.undo[i].adjustment < -1) return true;
  }
  return false;
}

std::vector<SmallWorldCase> all_small_worlds() {
  std::vector<SmallWorldCase> all;
  for (const auto& list :
       {small_world_cases(), small_world_channels(), small_world_sockets(), small_world_queues(),
        small_world_timers(), small_world_signals(), small_world_file_locks(),
        small_world_file_uses(), small_world_several()}) {
    all.insert(all.end(), list.begin(), list.end());
  }
  return all;
}

}  // namespace mazurka
