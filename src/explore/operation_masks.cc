#include "explore/operation_masks.h"

#include <algorithm>
#include <cstring>

#include "explore/mentioned_accesses.h"
#include "explore/operation_kinds.h"

namespace mazurka {
namespace {

// Beyond so many threads an operation may have more accesses than fit, and then it depends on all.
constexpr uint32_t kFewThreads = kMaxStepAccesses / 2;

bool destroys(OpKind kind) {
  switch (kind) {
    case OpKind::MutexDestroy:
    case OpKind::CondDestroy:
    case OpKind::RwDestroy:
    case OpKind::BarrierDestroy:
    case OpKind::SemDestroy:
      return true;
    default:
      return false;
  }
}

bool has_access(const Transition& made, const Resource& resource, Mode mode) {
  return std::any_of(made.accesses.begin(), made.accesses.end(), [&](const Access& access) {
    return access.resource == resource && access.mode == mode;
  });
}

// Whether its thread held the mutex until then.
bool releases(const Transition& made, ObjectId mutex) {
  if (made.effect.error != 0 || made.effect.misuse != Misuse::None) return false;
  return (made.op.kind == OpKind::MutexUnlock && made.op.object == mutex) ||
         (made.op.kind == OpKind::CondWait && made.op.second == mutex);
}

bool unlocks(const Transition& made, ObjectId rwlock) {
  return made.op.kind == OpKind::RwUnlock && made.op.object == rwlock &&
         made.effect.misuse == Misuse::None;
}

// The object that the transition can only enable operations on. It has no other accesses to objects.
uint64_t freed_by(const Transition& made) {
  if (made.effect.misuse != Misuse::None) return 0;
  switch (made.op.kind) {
    case OpKind::MutexUnlock:
      return AccessMask::bit_of(object_resource(made.op.object));
    case OpKind::RwUnlock:
      return AccessMask::bit_of(object_resource(made.op.object)) |
             AccessMask::bit_of(object_resource(made.op.object, kReaders));
    default:
      return 0;
  }
}

// Whether its thread stands before an operation that is no misuse where the execution ended. What is disabled is none; of the
// others it is seen by what they may access: a misuse would end the process.
bool is_no_misuse_in_the_end(End end, const ThreadAtEnd& thread) {
  if (thread.killed) return false;
  switch (end) {
    case End::Deadlock:
      return true;
    case End::DepthReached:
    case End::Bounded:
    case End::Blocked:
      return !thread.possible_accesses.empty() &&
             std::none_of(thread.possible_accesses.begin(), thread.possible_accesses.end(), [&](const Access& access) {
               return access.resource == process_resource(thread.process, kLife) && access.mode == Mode::Write;
             });
    default:
      return false;
  }
}

// All that an operation is, with its padding.
bool same_bytes(const Operation& a, const Operation& b) {
  uint64_t words[2][sizeof(Operation) / sizeof(uint64_t)];
  static_assert(sizeof words == 2 * sizeof(Operation));
  memcpy(words[0], &a, sizeof a);
  memcpy(words[1], &b, sizeof b);
  uint64_t different = 0;
  for (size_t i = 0; i < std::size(words[0]); ++i) different |= words[0][i] ^ words[1][i];
  return different == 0;
}

}  // namespace

void OperationMasks::read(const HappensBefore& order, bool all_dependent) {
  order_ = &order;
  all_dependent_ = all_dependent;
  const uint32_t kept = note_dangers() ? order.kept() : 0;
  events_.resize(order.size());
  operations_.resize(order.size());
  pending_.resize(order.thread_count());
  const size_t places = size_t{order.size()} + order.thread_count();
  if (sources_.size() < places) sources_.resize(places);
  for (uint32_t i = kept; i < order.size(); ++i) read_once(i);
  for (uint32_t slot = 0; slot < order.thread_count(); ++slot) read_pending(slot);
}

// --- what may make an operation a misuse

bool OperationMasks::note_dangers() {
  const bool had_dangers = has_dangers_;
  for (ObjectId id : objects_) known_[index(id)] = {};
  objects_.clear();
  has_dangers_ = false;
  joins_before_.swap(joins_);
  joins_.assign(order_->thread_count(), 0);
  note_settings(order_->execution().before);
  for (const Transition& made : order_->execution().transitions) {
    note_settings(made.after);
    if (destroys(made.op.kind)) note_danger(known(made.op.object));
    note_operation(made.op);
  }
  for (const ThreadAtEnd& thread : order_->execution().threads) {
    if (thread.stands_before_operation()) note_operation(thread.pending);
  }
  return !had_dangers && !has_dangers_ && joins_ == joins_before_;
}

OperationMasks::Known& OperationMasks::known(ObjectId id) {
  const size_t i = std::min(index(id), kMaxObjects);  // the last is for what is no object
  if (i >= known_.size()) known_.resize(i + 1);
  if (!known_[i].listed) {
    known_[i].listed = true;
    objects_.push_back(ObjectId(static_cast<uint32_t>(i)));
  }
  return known_[i];
}

void OperationMasks::note_danger(Known& object) {
  object.dangerous = true;
  has_dangers_ = true;
}

void OperationMasks::note_settings(const Invisible& invisible) {
  for (const ObjectSetting& setting : invisible.settings) {
    Known& object = known(setting.object);
    if (object.set) note_danger(object);
    object.set = true;
  }
}

void OperationMasks::note_operation(const Operation& op) {
  if (op.kind == OpKind::Join) {
    const uint32_t slot = slot_of(op.target);
    if (slot != HappensBefore::kNone && joins_[slot] < 2) ++joins_[slot];
  }
  if (op.kind == OpKind::CondWait) {
    Known& condition = known(op.object);
    if (condition.waited && condition.mutex != op.second) note_danger(condition);
    condition.waited = true;
    condition.mutex = op.second;
  }
}

uint32_t OperationMasks::slot_of(ThreadId id) const {
  return index(id) < kMaxThreads ? order_->slot_of(id) : HappensBefore::kNone;
}

bool OperationMasks::is_dangerous(ObjectId object) const {
  return object != kNoObject && index(object) < known_.size() && known_[index(object)].dangerous;
}

// Whether there is only this join, of a thread that is there wherever the operation is.
bool OperationMasks::is_only_join(uint32_t slot, ThreadId target) const {
  const uint32_t its = slot_of(target);
  if (its == HappensBefore::kNone || joins_[its] > 1) return false;
  const uint32_t creator = order_->creator(its);
  return creator == HappensBefore::kNone || order_->slot(creator) == slot;
}

bool OperationMasks::is_safe(uint32_t slot, const Operation& op) const {
  if (all_dependent_ || order_->thread_count() > kFewThreads) return false;
  if (has_dangers_ && (is_dangerous(op.object) || is_dangerous(op.second))) return false;
  if (op.kind == OpKind::Join) return is_only_join(slot, op.target);
  // Of more readers than are known by name, any may unlock.
  return op.kind != OpKind::RwUnlock || order_->thread_count() <= kMaxKnownReaders;
}

// --- masks

bool OperationMasks::Source::is_of(const Transition& made, bool exact) const {
  if (!known || is_exact != exact || thread != made.choice.thread || process != made.process) return false;
  if (access_count != made.accesses.size() || !same_bytes(op, made.op)) return false;
  return std::equal(accesses, accesses + access_count, made.accesses.begin(), [](const Access& a, const Access& b) {
    return a.resource == b.resource && a.mode == b.mode;
  });
}

void OperationMasks::Source::take(const Transition& made, bool exact) {
  known = made.accesses.size() <= kMostAccesses;
  if (!known) return;
  is_exact = exact;
  thread = made.choice.thread;
  process = made.process;
  access_count = static_cast<uint32_t>(made.accesses.size());
  op = made.op;
  std::copy(made.accesses.begin(), made.accesses.end(), accesses);
}

// Or takes them from the execution before.
void OperationMasks::read_once(uint32_t event) {
  const Transition& made = order_->transition(event);
  const uint32_t slot = order_->slot(event);
  const uint32_t place = order_->place(slot, order_->ordinal(event));
  const bool has_misuse = made.effect.misuse != Misuse::None;
  const bool is_exact = !has_misuse && is_safe(slot, made.op);
  Source& source = sources_[place];
  const bool may_be_known = !has_misuse && made.parts.empty() && !order_->touches_everything(event);
  if (may_be_known && source.is_of(made, is_exact)) {
    events_[event] = source.event;
    operations_[event] = source.operation;
    return;
  }
  read_event(event);
  operations_[event] = masks_of(slot, made.op, made.parts, made.process, is_exact);
  if (!may_be_known) return;
  source.take(made, is_exact);
  source.event = events_[event];
  source.operation = operations_[event];
}

void OperationMasks::read_event(uint32_t event) {
  AccessMask& every = events_[event].every;
  AccessMask& mask = events_[event].all;
  mask = {};
  if (order_->touches_everything(event)) mask = AccessMask::everything();
  every = mask;
  const Transition& made = order_->transition(event);
  for (const Access& access : made.accesses) {
    every.add(access.resource, access.mode);
    const bool life = access.resource.kind == Resource::Kind::Thread;
    if (!life || access.mode != Mode::Write) mask.add(access.resource, access.mode);
  }
  events_[event].disables = mask.changes;
  if (!order_->touches_everything(event)) events_[event].disables &= ~freed_by(made);
}

// What could have happened next in a cut execution is known like what happened: it was no misuse there.
void OperationMasks::read_pending(uint32_t slot) {
  Masks& masks = pending_[slot];
  masks = {};
  const ThreadAtEnd* end = order_->at_end(slot);
  if (end == nullptr || !end->stands_before_operation()) return;
  const bool is_exact = is_no_misuse_in_the_end(order_->execution().end, *end) && is_safe(slot, end->pending);
  masks = masks_of(slot, end->pending, end->parts, end->process, is_exact);
}

OperationMasks::Masks OperationMasks::masks_of(uint32_t slot, const Operation& op,
                                               const std::vector<SemPart>& parts,
                                               ProcessId process, bool is_exact) const {
  const bool blocks = all_dependent_ || may_block(op);
  AccessMask mask;
  mask.add(moves_resource(), Mode::Add);
  mask.add(thread_resource(order_->thread(slot)), Mode::Add);
  mask.add(process_resource(process, kLife), Mode::Read);
  if (!is_exact || !add_mentioned(op, parts, order_->thread(slot), process, mask)) {
    return {AccessMask::everything(), blocks ? UINT64_MAX : 0, false};
  }
  return {mask, blocks ? disabling_bits(op, parts) : 0, true};
}

// --- what the event frees

bool OperationMasks::waits_for(uint32_t slot, const Operation& op, uint32_t count,
                               uint32_t event) const {
  if (!operation_masks(slot, count).is_exact) return false;
  if ((op.flags & (kTry | kTimed)) != 0) return false;
  const Transition& made = order_->transition(event);
  const ThreadId thread = order_->thread(slot);
  switch (op.kind) {
    case OpKind::Join:
      return op.target == made.choice.thread;
    case OpKind::MutexLock:
      return releases(made, op.object);
    case OpKind::CondReacquire:
      return releases(made, op.second) || has_access(made, wake_resource(thread), Mode::Add);
    case OpKind::BarrierLeave:
    case OpKind::FutexBlocked:
      return has_access(made, wake_resource(thread), Mode::Add);
    case OpKind::WriteLock:
      return unlocks(made, op.object);
    case OpKind::ReadLock:
      return unlocks(made, op.object) && has_access(made, object_resource(op.object), Mode::Write);
    default:
      return false;
  }
}

}  // namespace mazurka
