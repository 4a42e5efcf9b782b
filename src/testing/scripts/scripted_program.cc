#include "testing/scripts/scripted_program.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "schedule/take_step.h"

namespace mazurka {
namespace {

// Invisible instructions in a row: nobody writes so many, so it is a loop.
constexpr uint32_t kMaxInvisible = 100'000;

// A world is large and its clearing cheap, so it is made once for all programs.
World& world_of_this_thread() {
  thread_local std::unique_ptr<World> world;
  if (world == nullptr) world = std::make_unique<World>();
  return *world;
}

FreeRun& free_run_of_this_thread() {
  thread_local std::unique_ptr<FreeRun> free_run;
  if (free_run == nullptr) free_run = std::make_unique<FreeRun>();
  return *free_run;
}

// As if by socket(): the other ends are not open yet.
void set_up_socket_channel(Channel& channel, const ScriptObject& wanted) {
  channel.is_socket = true;
  channel.is_internet = wanted.robust;
  channel.never_ends = wanted.stage == SocketStage::Datagrams;
  channel.form = channel.never_ends ? Channel::Form::Messages : Channel::Form::Stream;
  (wanted.is_held ? channel.readers : channel.writers) = 1;
}

void set_up_socket(Description& socket, const ScriptObject& wanted) {
  socket.stage = wanted.stage;
  socket.reads = wanted.reads;
  socket.writes = wanted.writes;
  if (wanted.is_held) socket.add_holder(kMainThread);
}

void set_up(Object& object, const ScriptObject& wanted) {
  switch (wanted.kind) {
    case ObjectKind::Mutex:
      object.mutex.type = wanted.mutex_type;
      object.mutex.robust = wanted.robust;
      break;
    case ObjectKind::Semaphore:
      object.semaphore.value = static_cast<int32_t>(wanted.value);
      break;
    case ObjectKind::Barrier:
      object.barrier.count = static_cast<uint32_t>(wanted.value);
      break;
    case ObjectKind::Named:
      object.named.exists = wanted.value != 0;
      break;
    case ObjectKind::FileName:
      object.file_name.exists = wanted.value != 0;
      object.file_name.target = wanted.reads;
      break;
    case ObjectKind::Variable:
      object.variable.value = wanted.value;
      break;
    case ObjectKind::Channel:
      object.channel.slots = static_cast<uint8_t>(wanted.value);
      if (wanted.stage == SocketStage::Plain) {
        object.channel.readers = object.channel.writers = wanted.is_held;
      } else {
        set_up_socket_channel(object.channel, wanted);
      }
      break;
    case ObjectKind::Description: {
      if (wanted.stage != SocketStage::Plain) {
        set_up_socket(object.description, wanted);
        break;
      }
      const bool reads = wanted.value > 0;
      const auto channel =
          ObjectId{static_cast<uint32_t>((reads ? wanted.value : -wanted.value) - 1)};
      (reads ? object.description.reads : object.description.writes) = channel;
      if (wanted.is_held) object.description.add_holder(kMainThread);
      break;
    }
    case ObjectKind::Queue:  // below zero: System V, so many bytes
      object.queue.form = wanted.value < 0 ? Queue::Form::SystemV : Queue::Form::Posix;
      object.queue.most = static_cast<uint32_t>(wanted.value < 0 ? -wanted.value : wanted.value);
      break;
    default:
      break;
  }
}

End end_of(StepEnd end) {
  switch (end) {
    case StepEnd::None:
      break;
    case StepEnd::Finished:
      return End::Finished;
    case StepEnd::Deadlock:
      return End::Deadlock;
    case StepEnd::Bounded:
      return End::Bounded;
    case StepEnd::DepthReached:
      return End::DepthReached;
    case StepEnd::Blocked:
      return End::Blocked;
    case StepEnd::Livelock:
      return End::Livelock;
    case StepEnd::Nondeterminism:
      return End::Nondeterminism;
  }
  return End::Trouble;
}

void copy_parts(const World& world, const Operation& op, std::vector<OpPart>& parts) {
  const OpPart* begin = world.parts + op.part_begin;
  parts.assign(begin, begin + op.part_count);
}

// Logs a step as a transition of an execution.
class TransitionLog {
 public:
  // `enabled` and `forgotten` are those of the program.
  TransitionLog(const World& world, Execution& out, uint32_t position, std::vector<Choice>& enabled,
                ObjectId forgotten)
      : world_(world), out_(out), position_(position), enabled_(enabled), forgotten_(forgotten) {
    enabled_.clear();
  }

  void begin_enabled() {}
  void add_enabled(Choice choice) { enabled_.push_back(choice); }
  const Choice* enabled() const { return enabled_.data(); }
  uint32_t enabled_count() const { return static_cast<uint32_t>(enabled_.size()); }

  const Operation& add_choice(Choice choice, bool is_hurried) {
    if (position_ == out_.transitions.size()) out_.transitions.emplace_back();
    Transition& made = transition();
    made.choice = choice;
    made.process = world_.thread(choice.thread).process;
    made.op = world_.thread(choice.thread).pending;
    copy_parts(world_, made.op, made.parts);
    made.enabled.assign(enabled_.begin(), enabled_.end());
    made.is_hurried = is_hurried;
    return made.op;
  }

  AccessList accesses() { return {items_, kMaxStepAccesses}; }
  void add_accesses(AccessList& list) {
    Access* end = std::remove_if(items_, items_ + list.count, [this](const Access& access) {
      return access.resource.kind == Resource::Kind::Object &&
             access.resource.index == index(forgotten_);
    });
    list.count = static_cast<uint32_t>(end - items_);
    transition().accesses.assign(items_, end);
    transition().accesses_everything = list.overflow;
  }

  void before_effect(Choice) {}
  void add_effect(Choice, Effect effect) { transition().effect = effect; }

 private:
  Transition& transition() { return out_.transitions[position_]; }

  const World& world_;
  Execution& out_;
  const uint32_t position_;
  std::vector<Choice>& enabled_;
  const ObjectId forgotten_;
  Access items_[kMaxStepAccesses];
};

// Logs what the invisible code after a transition did.
struct AfterLog {
  Invisible& out;

  void add_setting(ObjectId id, const Object& object) { out.settings.push_back({id, object}); }
  void add_creation(ThreadId id, const ThreadState& thread, bool forgotten) {
    out.creations.push_back({id, thread.creator, thread.process, forgotten});
  }
};

}  // namespace

ScriptedProgram::ScriptedProgram(Script script) : script_(std::move(script)) {}

Result<std::unique_ptr<Program>> ScriptedProgram::another() {
  auto made = std::make_unique<ScriptedProgram>(script_);
  made->identities_ = identities_;
  made->forgotten_ = forgotten_;
  return std::unique_ptr<Program>(std::move(made));
}

// --- one execution

void ScriptedProgram::start() {
  world_ = &world_of_this_thread();
  world_->clear();
  for (uint32_t i = 0; i < script_.objects.size(); ++i) {
    set_up(world_->create_object(ObjectId{i}, script_.objects[i].kind, kNoProcess),
           script_.objects[i]);
  }
  for (const OpPart& part : script_.parts) world_->parts[world_->part_count++] = part;
  diverging_ = kNoThread;
  too_many_ = false;
  if (frames_.empty()) frames_.resize(1);
  frames_[0] = {};
  interrupted_.assign(frames_.size(), {});
  world_->create_thread(kMainThread, kNoThread, kMainThread);
  run_invisible(kMainThread);
}

Result<void> ScriptedProgram::run(const Plan& plan, Execution& out) {
  out.end = End::Finished;
  out.culprit = kNoThread;
  out.position = 0;
  out.got = {};
  out.text.clear();
  write_free_run(plan, free_run_of_this_thread());
  free_run_of_this_thread().begin();
  start();
  take_invisible(out.before);
  uint32_t position = 0;
  while (step(plan, out, position)) ++position;
  finish(out, position);
  note_rarities(out);
  return {};
}

bool ScriptedProgram::step(const Plan& plan, Execution& out, uint32_t position) {
  if (diverging_ != kNoThread) {
    out.end = End::Divergence;
    out.culprit = diverging_;
    return false;
  }
  if (too_many_) {
    out.end = End::Trouble;
    out.text = "more threads than there can be";
    return false;
  }
  const Limits& limits = plan.limits;
  const StepRules rules = {plan.prefix.data(), static_cast<uint32_t>(plan.prefix.size()),
                           limits.depth,       limits.bound,
                           limits.livelock,    plan.lists_enabled};
  TransitionLog log(*world_, out, position, enabled_, forgotten_);
  const TakenStep taken = take_step(*world_, free_run_of_this_thread(), rules, position, log);
  if (taken.end != StepEnd::None) {
    end_without_step(taken, out, position);
    return false;
  }
  Transition& transition = out.transitions[position];
  if (transition.effect.error != kOnceMore) frames_[index(taken.thread)].last = transition.effect;
  if (world_->thread(taken.thread).status == ThreadStatus::Running) go_on(transition);
  take_invisible(transition.after);
  add_creations(transition);
  return true;
}

void ScriptedProgram::end_without_step(const TakenStep& taken, Execution& out,
                                       uint32_t position) const {
  out.end = end_of(taken.end);
  out.culprit = taken.thread;
  if (taken.end != StepEnd::Nondeterminism) return;
  out.position = position;
  out.got = came_instead(*world_, taken.thread);
}

void ScriptedProgram::take_invisible(Invisible& out) {
  out.settings.clear();
  out.creations.clear();
  AfterLog log{out};
  mazurka::take_invisible(*world_, free_run_of_this_thread(), log);
}

void ScriptedProgram::finish(Execution& out, uint32_t steps) const {
  out.transitions.resize(steps);
  size_t count = 0;
  for (uint32_t i = 0; i < world_->thread_limit; ++i) {
    const ThreadState& thread = world_->threads[i];
    if (thread.status == ThreadStatus::Absent) continue;
    if (count == out.threads.size()) out.threads.emplace_back();
    ThreadAtEnd& at_end = out.threads[count++];
    at_end.id = ThreadId(i);
    at_end.status = thread.status;
    at_end.killed = thread.killed;
    at_end.process = thread.process;
    at_end.pending = thread.pending;
    copy_parts(*world_, at_end.pending, at_end.parts);
    at_end.possible_accesses.clear();
    if (at_end.stands_before_operation()) read_possible_accesses(*world_, at_end);
  }
  out.threads.resize(count);
  out.first_process_ended = world_->process(kMainThread).ended;
  out.wait_status = out.first_process_ended ? world_->process(kMainThread).wait_status : 0;
}

// --- invisible code

void ScriptedProgram::go_on(const Transition& transition) {
  const ThreadId id = transition.choice.thread;
  if (is_delivery(transition.op, transition.choice.outcome)) return enter_handler(transition);
  if (frames_[index(id)].returns) return resume(id);
  if (transition.op.kind == OpKind::ThreadExit) return stand_before_end(id, OpKind::ProcessEnd, 0);
  if (transition.op.kind == OpKind::Fork) {
    const Frame& frame = frames_[index(id)];
    create(id, script_.bodies[frame.body][frame.next - 1].to, true);
  }
  run_invisible(id);
}

void ScriptedProgram::enter_handler(const Transition& transition) {
  const ThreadId id = transition.choice.thread;
  Frame& frame = frames_[index(id)];
  const bool once_more = transition.effect.error == kOnceMore;
  interrupted_[index(id)].push_back({frame, transition.op, once_more, world_->thread(id).restores});
  frame = {script_.handler, 0, {}, {}, false};
  run_invisible(id);
}

void ScriptedProgram::leave_handler(ThreadId id) {
  const uint64_t restores = interrupted_[index(id)].back().restores;
  if (world_->thread(id).blocked == restores) return resume(id);
  frames_[index(id)].returns = true;
  stand_before(id, operate({.kind = OpKind::SignalMask, .value = static_cast<int64_t>(restores)}));
}

void ScriptedProgram::resume(ThreadId id) {
  const Interrupted back = interrupted_[index(id)].back();
  interrupted_[index(id)].pop_back();
  frames_[index(id)] = back.frame;
  if (back.once_more) {
    world_->thread(id).status = ThreadStatus::AtOperation;
    world_->thread(id).pending = back.op;
  } else if (back.frame.returns) {
    resume(id);
  } else {
    run_invisible(id);
  }
}

void ScriptedProgram::run_invisible(ThreadId id) {
  static const Body kDoesNothing;
  for (uint32_t count = 0; diverging_ == kNoThread && !too_many_; ++count) {
    Frame& frame = frames_[index(id)];
    const Body& body = frame.body == kNoBody ? kDoesNothing : script_.bodies[frame.body];
    if (count >= kMaxInvisible) {
      diverging_ = id;
      return;
    }
    if (frame.next >= body.size()) {
      if (!interrupted_[index(id)].empty()) return leave_handler(id);
      const bool first = world_->thread(id).process == id;
      return stand_before_end(id, first ? OpKind::ProcessEnd : OpKind::ThreadExit, 0);
    }
    const Instruction& instruction = body[frame.next++];
    switch (instruction.kind) {
      case Instruction::Kind::Operate:
        return stand_before(id, instruction);
      case Instruction::Kind::GoTo:
        if (holds(instruction, frame.last)) frame.next = instruction.to;
        break;
      case Instruction::Kind::Calculate:
        calculate(instruction, frame);
        break;
      case Instruction::Kind::Fork:
        if (has_unseen_threads(*world_, id))
          return stand_before(id, operate({.kind = OpKind::Fork}));
        [[fallthrough]];
      case Instruction::Kind::Spawn:
        create(id, instruction.to, instruction.kind == Instruction::Kind::Fork);
        break;
      case Instruction::Kind::LeaveThread:
        return stand_before_end(id, OpKind::ThreadExit, 0);
      case Instruction::Kind::EndProcess:
        return stand_before_end(id, OpKind::ProcessEnd, instruction.value);
    }
  }
}

void ScriptedProgram::stand_before(ThreadId id, const Instruction& instruction) {
  ThreadState& thread = world_->thread(id);
  thread.status = ThreadStatus::AtOperation;
  thread.pending = instruction.op;
  const Frame& frame = frames_[index(id)];
  if (instruction.takes_value) thread.pending.value = frame.last.value;
  if (instruction.value_from != kNoRegister) {
    thread.pending.value = frame.registers[instruction.value_from];
  }
  if (instruction.object_plus != kNoRegister) {
    const int64_t place = index(instruction.op.object) + frame.registers[instruction.object_plus];
    MAZURKA_CHECK(place >= 0 && place < static_cast<int64_t>(script_.objects.size()));
    thread.pending.object = ObjectId{static_cast<uint32_t>(place)};
  }
  if (instruction.op.kind == OpKind::SignalSend && (instruction.op.flags & kToAll) == 0 &&
      instruction.op.target == kNoThread) {
    thread.pending.target = (instruction.op.flags & kToThread) != 0 ? id : thread.process;
  }
  if (instruction.child == 0) return;
  thread.pending.target = intern_child(id, instruction.child);
}

void ScriptedProgram::stand_before_end(ThreadId id, OpKind kind, int64_t wait_status) {
  const bool noticed = kind == OpKind::ThreadExit ? thread_exit_is_noticed(*world_, id)
                                                  : process_end_is_noticed(*world_, id);
  if (noticed) return stand_before(id, operate({.kind = kind, .value = wait_status}));
  stand_at_exit(*world_, id, static_cast<int>(wait_status));
}

bool ScriptedProgram::holds(const Instruction& instruction, const Effect& effect) const {
  switch (instruction.test) {
    case Instruction::Test::Always:
      return true;
    case Instruction::Test::ErrorIs:
      return effect.error == instruction.value;
    case Instruction::Test::ErrorIsNot:
      return effect.error != instruction.value;
    case Instruction::Test::ValueIs:
      return effect.value == instruction.value;
    case Instruction::Test::ValueIsNot:
      return effect.value != instruction.value;
  }
  return false;
}

void ScriptedProgram::calculate(const Instruction& instruction, Frame& frame) {
  int64_t& changed = frame.registers[instruction.to];
  switch (instruction.calculation) {
    case Instruction::Calculation::Set:
      changed = instruction.value;
      break;
    case Instruction::Calculation::Add:
      changed += instruction.value;
      break;
    case Instruction::Calculation::Remainder:
      changed %= instruction.value;
      break;
    case Instruction::Calculation::Keep:
      changed = frame.last.value;
      break;
  }
}

void ScriptedProgram::create(ThreadId creator, uint32_t body, bool process) {
  const ThreadId id = intern_child(creator, world_->thread(creator).children + 1);
  if (id == kNoThread) {
    too_many_ = true;
    return;
  }
  world_->create_thread(id, creator, process ? id : world_->thread(creator).process);
  if (frames_.size() <= index(id)) frames_.resize(index(id) + size_t{1});
  frames_[index(id)] = {body, 0, {}, {}, false};
  if (interrupted_.size() < frames_.size()) interrupted_.resize(frames_.size());
  run_invisible(id);
}

// --- names

ThreadId ScriptedProgram::intern_child(ThreadId parent, uint32_t ordinal) {
  const std::lock_guard lock(identities_->mutex);
  std::vector<Identity>& all = identities_->all;
  std::vector<ThreadId>& known = all[index(parent)].children;
  if (ordinal <= known.size() && known[ordinal - 1] != kNoThread) return known[ordinal - 1];
  if (all.size() >= kMaxThreads || ordinal > kMaxThreads) return kNoThread;
  const ThreadId id{static_cast<uint16_t>(all.size())};
  if (ordinal > known.size()) known.resize(ordinal, kNoThread);
  known[ordinal - 1] = id;
  all.push_back({parent, ordinal, {}});
  return id;
}

std::string ScriptedProgram::thread_name(ThreadId id) const {
  std::string name = "T0";
  for (uint32_t ordinal : thread_path(id)) name.append(".").append(std::to_string(ordinal));
  return name;
}

std::vector<uint32_t> ScriptedProgram::thread_path(ThreadId id) const {
  const std::lock_guard lock(identities_->mutex);
  std::vector<uint32_t> path;
  for (; id != kMainThread; id = identities_->all.at(index(id)).parent) {
    path.insert(path.begin(), identities_->all.at(index(id)).ordinal);
  }
  return path;
}

std::string ScriptedProgram::save_names() const {
  const std::lock_guard lock(identities_->mutex);
  ByteWriter out;
  for (const Identity& identity : identities_->all) {
    out.put(identity.parent);
    out.put(identity.ordinal);
  }
  return out.bytes();
}

// In the order of their ids, so each gets its own again.
Result<void> ScriptedProgram::restore_names(const std::string& names) {
  ByteReader in(names);
  for (bool is_first = true; in.ok() && !in.at_end(); is_first = false) {
    const auto parent = in.get<ThreadId>();
    const auto ordinal = in.get<uint32_t>();
    if (!is_first) intern_child(parent, ordinal);
  }
  return {};
}

Result<ThreadId> ScriptedProgram::intern_thread(const std::vector<uint32_t>& path) {
  ThreadId id = kMainThread;
  for (uint32_t ordinal : path) {
    if (ordinal == 0) return Error{"a thread's children are counted from 1"};
    id = intern_child(id, ordinal);
    if (id == kNoThread) return Error{"more threads than there can be"};
  }
  return id;
}

std::string ScriptedProgram::object_name(ObjectId id) const {
  std::string name = "object ";
  name += std::to_string(index(id));
  return name;
}

}  // namespace mazurka
