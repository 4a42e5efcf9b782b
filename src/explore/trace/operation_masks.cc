#include "explore/trace/operation_masks.h"

#include <algorithm>

#include "explore/trace/mentioned_accesses.h"
#include "explore/trace/operation_kinds.h"
#include "objects/op_table.h"

namespace mazurka {
namespace {

// Beyond so many threads an operation may have more accesses than fit, and then it depends on all.
constexpr uint32_t kFewThreads = kMaxStepAccesses / 2;

bool has_access(const Transition& made, const Resource& resource, Mode mode) {
  return std::any_of(made.accesses.begin(), made.accesses.end(), [&](const Access& access) {
    return access.resource == resource && access.mode == mode;
  });
}

// Whether its thread held the mutex until then.
bool releases(const Transition& made, ObjectId mutex) {
  if (made.effect.error != 0 || made.effect.misuse != Misuse::None) return false;
  const Releases what = row_of(made.op.kind).releases;
  return (what == Releases::Mutex && made.op.object == mutex) ||
         (what == Releases::SecondMutex && made.op.second == mutex);
}

bool unlocks(const Transition& made, ObjectId rwlock) {
  return row_of(made.op.kind).releases == Releases::RwLock && made.op.object == rwlock &&
         made.effect.misuse == Misuse::None;
}

// Whether its thread stands before an operation that is no misuse where the execution ended. What
// is disabled is none; of the others it is seen by what they may access: a misuse would end the
// process.
bool is_no_misuse_in_the_end(End end, const ThreadAtEnd& thread) {
  if (thread.killed) return false;
  switch (end) {
    case End::Deadlock:
      return true;
    case End::DepthReached:
    case End::Bounded:
    case End::Blocked:
      return !thread.possible_accesses.empty() &&
             std::none_of(thread.possible_accesses.begin(), thread.possible_accesses.end(),
                          [&](const Access& access) {
                            return access.resource == process_resource(thread.process, kLife) &&
                                   access.mode == Mode::Write;
                          });
    default:
      return false;
  }
}

}  // namespace

void OperationMasks::read(const HappensBefore& order, bool all_dependent) {
  order_ = &order;
  all_dependent_ = all_dependent;
  can_be_exact_ = !all_dependent && order.thread_count() <= kFewThreads;
  note_dangers();
  are_mostly_exact_ = can_be_exact_ && !has_dangers_;
  read_all_pending();
}

// --- what may make an operation a misuse

void OperationMasks::note_dangers() {
  for (ObjectId id : objects_) known_[index(id)] = {};
  objects_.clear();
  has_dangers_ = false;
  joins_.assign(order_->thread_count(), 0);
  note_settings(order_->execution().before);
  for (uint32_t i = 0; i < order_->size(); ++i) {
    if (order_->has_invisible(i)) note_settings(order_->transition(i).after);
    if (!order_->digest(i).is_remarkable) continue;
    const Operation& op = order_->digest(i).op;
    if (destroys(op.kind)) note_danger(known(op.object));
    note_operation(op);
  }
  if (!order_->has_pending()) return;
  for (const ThreadAtEnd& thread : order_->execution().threads) {
    if (thread.stands_before_operation()) note_operation(thread.pending);
  }
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
  if (!can_be_exact_) return false;
  if (has_dangers_ && (is_dangerous(op.object) || is_dangerous(op.second))) return false;
  if (op.kind == OpKind::Join) return is_only_join(slot, op.target);
  // Of more readers than are known by name, any may unlock.
  return op.kind != OpKind::RwUnlock || order_->thread_count() <= kMaxKnownReaders;
}

// --- masks

// Mostly nobody stands before anything, nor did in the execution before.
void OperationMasks::read_all_pending() {
  const bool had_pending = has_pending_;
  has_pending_ = order_->has_pending();
  if (!had_pending && !has_pending_ && pending_.size() == order_->thread_count()) return;
  pending_.resize(order_->thread_count());
  for (uint32_t slot = 0; slot < order_->thread_count(); ++slot) read_pending(slot);
}

// What could have happened next in a cut execution is known like what happened: it was no misuse
// there.
void OperationMasks::read_pending(uint32_t slot) {
  OperationMask& mask = pending_[slot];
  mask = {};
  const ThreadAtEnd* end = order_->at_end(slot);
  if (end == nullptr || !end->stands_before_operation()) return;
  const bool is_exact =
      is_no_misuse_in_the_end(order_->execution().end, *end) && is_safe(slot, end->pending);
  mask = is_exact ? mask_of(end->pending, end->parts, order_->thread(slot), end->process)
                  : any_mask(all_dependent_ || may_block(end->pending));
}

// --- what the event frees

bool OperationMasks::waits_for(uint32_t slot, const Operation& op, uint32_t count,
                               uint32_t event) const {
  if (!operation_masks(slot, count).is_exact) return false;
  if ((op.flags & (kTry | kTimed)) != 0) return false;
  const Transition& made = order_->transition(event);
  const ThreadId thread = order_->thread(slot);
  switch (row_of(op.kind).awaits) {
    case Awaits::End:
      return op.target == made.choice.thread;
    case Awaits::Mutex:
      return releases(made, op.object);
    case Awaits::WakeAndMutex:
      return releases(made, op.second) || has_access(made, wake_resource(thread), Mode::Add);
    case Awaits::Wake:
      return has_access(made, wake_resource(thread), Mode::Add);
    case Awaits::Holders:
      return unlocks(made, op.object);
    case Awaits::Writer:
      return unlocks(made, op.object) && has_access(made, object_resource(op.object), Mode::Write);
    case Awaits::Anything:
    case Awaits::ChildEnd:
    case Awaits::Once:
      return false;
  }
  return false;
}

}  // namespace mazurka
