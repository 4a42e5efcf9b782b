#include "explore/trace/replica.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "base/check.h"
#include "explore/trace/logged_world.h"
#include "objects/choices.h"

namespace mazurka {
namespace {

// The status with which a process ended by itself is not in the log.
bool same(const Effect& a, const Effect& b, OpKind kind) {
  return a.error == b.error && a.misuse == b.misuse && a.signal == b.signal &&
         a.thread == b.thread && (a.value == b.value || kind == OpKind::WaitChild);
}

// Those of replicas that are gone, all clear. Making a world takes longer than a small search does.
std::vector<Replica::WorldPointer>& spare_worlds() {
  thread_local std::vector<Replica::WorldPointer> spare;
  return spare;
}
constexpr size_t kMostSpareWorlds = 2;  // what one replica needs

constexpr uint32_t kFewEvents = 4;

// Of zeroes, as in the shared segment: most of its megabytes are never touched.
Replica::WorldPointer make_world() {
  void* memory = std::calloc(1, sizeof(World));
  if (memory == nullptr) throw std::bad_alloc();
  Replica::WorldPointer world(static_cast<World*>(memory));
  world->clear();
  return world;
}

Replica::WorldPointer take_world() {
  std::vector<Replica::WorldPointer>& spare = spare_worlds();
  if (spare.empty()) return make_world();
  Replica::WorldPointer world = std::move(spare.back());
  spare.pop_back();
  return world;
}

void put_back(Replica::WorldPointer world) {
  if (spare_worlds().size() == kMostSpareWorlds) return;
  world->clear();
  spare_worlds().push_back(std::move(world));
}

void set_accesses(const AccessList& list, Label& out) {
  out.accesses.assign(list.items, list.items + list.count);
  out.touches_everything = list.overflow;
  out.mask = AccessMask::of(out.accesses.data(), out.accesses.size());
}

}  // namespace

Replica::Replica()
    : prefix_(take_world()),
      world_(take_world()),
      first_setting_(kMaxObjects, nullptr),
      accesses_(kMaxStepAccesses) {}

Replica::~Replica() {
  for (ObjectId id : objects_) world_->object(id).kind = ObjectKind::None;  // also beyond its limit
  put_back(std::move(prefix_));
  put_back(std::move(world_));
}

void Replica::read(const HappensBefore& order, uint32_t bound, bool goes_on, uint32_t common) {
  const bool was_simple = order_ == &order && is_faithful_ && !has_parts_ && bound == bound_;
  common_ = common;
  order_ = &order;
  bound_ = bound;
  is_faithful_ = true;
  for (ObjectId id : objects_) world_->object(id).kind = ObjectKind::None;  // copy does the rest
  prefix_->part_count = 0;
  world_->part_count = 0;
  has_parts_ = has_parts();
  if (has_parts_) read_operations();
  const bool same_settings = find_first_settings(was_simple && goes_on);
  if (!was_simple || !same_settings || has_parts_ || !goes_on) state_count_ = 0;
  while (state_count_ > 0 && states_[state_count_ - 1].position > order.kept()) --state_count_;
  position_ = kNowhere;
}

// --- what the execution says

// What many operations of a program had in one place, those of the replica have, too: it has no
// more room than the program.
const Operation* Replica::with_parts(const Operation& op, const std::vector<OpPart>& parts) {
  if (op.part_count == 0 && parts.empty()) return &op;
  Operation& own = with_parts_.emplace_back(op);
  own.part_count = static_cast<uint32_t>(parts.size());
  const uint64_t place = uint64_t{op.part_begin} << 32 | own.part_count;
  const auto [known, is_new] = part_begins_.try_emplace(place, prefix_->part_count);
  own.part_begin = known->second;
  const size_t bytes = parts.size() * sizeof(OpPart);
  if (!is_new && memcmp(parts.data(), prefix_->parts + own.part_begin, bytes) == 0) return &own;
  own.part_begin = prefix_->part_count;
  if (parts.size() > kMaxParts - prefix_->part_count) {
    own.part_count = 0;
    is_faithful_ = false;
    return &own;
  }
  for (World* world : {prefix_.get(), world_.get()}) {
    std::copy(parts.begin(), parts.end(), world->parts + own.part_begin);
    world->part_count += own.part_count;
  }
  return &own;
}

bool Replica::has_parts() const {
  if (order_->has_parts()) return true;
  const std::vector<ThreadAtEnd>& threads = order_->execution().threads;
  return order_->has_pending() &&
         std::any_of(threads.begin(), threads.end(), [](const ThreadAtEnd& thread) {
           return thread.stands_before_operation() &&
                  (thread.pending.part_count != 0 || !thread.parts.empty());
         });
}

// A thread that was killed still has what it stood before; one that left by itself has nothing.
void Replica::read_operations() {
  begin_.resize(order_->thread_count());
  pending_.resize(size_t{order_->size()} + order_->thread_count());
  with_parts_.clear();
  part_begins_.clear();
  const Operation** next = pending_.data();
  for (uint32_t slot = 0; slot < order_->thread_count(); ++slot) {
    begin_[slot] = static_cast<uint32_t>(next - pending_.data());
    for (uint32_t i = 0; i < order_->length(slot); ++i) {
      const Transition& made = order_->transition(order_->event(slot, i));
      *next++ = with_parts(made.op, made.parts);
    }
    const ThreadAtEnd* end = order_->at_end(slot);
    const bool stands = end != nullptr && end->stands_before_operation();
    *next++ = stands ? with_parts(end->pending, end->parts) : nullptr;
  }
}

// Another order may touch first what this one touched late, and setting up is not ordered: so all
// objects are there from the start, as they were when they were set up first. Whether these are the
// same as in the execution before.
bool Replica::find_first_settings(bool begins_as_before) {
  const std::vector<ObjectSetting>& first = order_->execution().before.settings;
  const bool had_none_later = has_no_later_settings_;
  has_no_later_settings_ = true;
  for (uint32_t i = 0; i < order_->size(); ++i) {
    if (order_->has_invisible(i) && !order_->transition(i).after.settings.empty())
      has_no_later_settings_ = false;
  }
  if (begins_as_before && had_none_later && has_no_later_settings_) {
    for (auto i = first.rbegin(); i != first.rend(); ++i) first_setting_[index(i->object)] = &*i;
    return true;
  }
  for (ObjectId id : objects_) first_setting_[index(id)] = nullptr;
  objects_.clear();
  const auto look = [&](const Invisible& invisible) {
    for (const ObjectSetting& setting : invisible.settings) {
      if (first_setting_[index(setting.object)] != nullptr) continue;
      first_setting_[index(setting.object)] = &setting;
      objects_.push_back(setting.object);
    }
  };
  look(order_->execution().before);
  for (uint32_t i = 0; i < order_->size(); ++i) {
    if (order_->has_invisible(i)) look(order_->transition(i).after);
  }
  const bool same =
      settings_before_.size() == objects_.size() &&
      std::all_of(
          settings_before_.begin(), settings_before_.end(), [&](const ObjectSetting& before) {
            const ObjectSetting* now = first_setting_[index(before.object)];
            // States are zero before they are set up, gaps included.
            // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
            return now != nullptr && memcmp(&now->state, &before.state, sizeof before.state) == 0;
          });
  if (same) {  // states have them in the order in which they were found then
    for (size_t i = 0; i < objects_.size(); ++i) objects_[i] = settings_before_[i].object;
    return true;
  }
  settings_before_.clear();
  for (ObjectId id : objects_) settings_before_.push_back(*first_setting_[index(id)]);
  return false;
}

// --- replaying

void Replica::start(World& world) {
  for (ObjectId id : objects_) set_object(world, *first_setting_[index(id)]);
  do_invisible(world, order_->execution().before);
}

void Replica::do_invisible(World& world, const Invisible& invisible) {
  if (!create_threads(world, invisible.creations)) is_faithful_ = false;
  for (const ObjectSetting& setting : invisible.settings) {
    if (first_setting_[index(setting.object)] == &setting) {
      count_robust(world, Object(), setting.state);  // its owner is here now
    } else {
      set_object(world, setting);
    }
  }
  for (const ThreadCreation& creation : invisible.creations) {
    stand(world, order_->slot_of(creation.created), 0);
  }
  forget_invisible(world, invisible.creations);
}

void Replica::stand(World& world, uint32_t slot, uint32_t count) const {
  const Operation* next = operation(slot, count);
  const ThreadId id = order_->thread(slot);
  if (next != nullptr) {
    ThreadState& thread = world.thread(id);
    thread.pending = *next;
    thread.status = ThreadStatus::AtOperation;
    return;
  }
  const ThreadAtEnd* end = order_->at_end(slot);
  if (count == order_->length(slot) && end != nullptr && end->status == ThreadStatus::AtExit)
    stand_at_exit(world, id, 0);
}

void Replica::do_event(World& world, uint32_t event) {
  const Transition& made = order_->transition(event);
  const ThreadId id = made.choice.thread;
  const uint32_t slot = order_->slot(event);
  const uint32_t ordinal = order_->ordinal(event);
  const Operation& op = has_parts_ ? *operation(slot, ordinal) : made.op;
  const bool stands =
      index(id) < world.thread_limit && world.thread(id).status == ThreadStatus::AtOperation;
  Effect effect;
  bool happens = stands;
  if (stands && op.kind == OpKind::WaitForOthers) {
    effect = apply(world, id, op, made.choice.outcome);
  } else if (stands) {
    happens = apply_if_enabled(world, id, op, made.choice.outcome, effect);
  }
  if (!happens) {
    is_faithful_ = false;
    return;
  }
  if (!same(effect, made.effect, op.kind)) is_faithful_ = false;
  if (order_->has_invisible(event)) {
    do_invisible(world, made.after);
  } else {
    world.created_count = world.touched_count = 0;
  }
  if (world.thread(id).status == ThreadStatus::Running) stand(world, slot, ordinal + 1);
}

void Replica::begin() {
  const uint32_t parts = prefix_->part_count;
  prefix_->clear();
  prefix_->part_count = parts;
  start(*prefix_);
  position_ = 0;
  if (common_ != kNone) keep_state();
}

// Unless it is known, or so near to one that is that doing the events again is cheaper than a copy.
void Replica::keep_state() {
  if (state_count_ > 0 && position_ < states_[state_count_ - 1].position + kFewEvents) return;
  if (state_count_ == states_.size()) states_.emplace_back();
  State& state = states_[state_count_++];
  state.position = position_;
  state.world.take(*prefix_, objects_);
}

void Replica::go_to_prefix(uint32_t count) {
  size_t known = state_count_;
  while (known > 0 && states_[known - 1].position > count) --known;
  const bool is_there = position_ <= count;
  if (known > 0 && (!is_there || position_ < states_[known - 1].position)) {
    states_[known - 1].world.put(*prefix_, objects_);
    position_ = states_[known - 1].position;
  } else if (!is_there) {
    begin();
  }
  while (position_ < count) {
    do_event(*prefix_, position_++);
    if (position_ == common_) keep_state();
  }
}

void Replica::go_to(const Configuration& set) {
  if (position_ == kNowhere) go_to_prefix(0);
  uint64_t left = 0;
  for (uint32_t count : set) left += count;
  MAZURKA_DEBUG_CHECK(left >= position_);
  left -= position_;
  here_ = left == 0 ? prefix_.get() : world_.get();
  if (left == 0) return;
  copy_world(*prefix_, *world_, objects_);
  for (uint32_t i = position_; left > 0; ++i) {
    if (!order_->contains(set, i)) continue;
    do_event(*world_, i);
    --left;
  }
}

// --- asking

bool Replica::stands(uint32_t slot) const {
  const ThreadId id = order_->thread(slot);
  return index(id) < here_->thread_limit && here_->thread(id).status == ThreadStatus::AtOperation;
}

bool Replica::stands_at_bound(uint32_t slot) const {
  return stands(slot) && mazurka::stands_at_bound(here_->thread(order_->thread(slot)), bound_);
}

const std::vector<Outcome>& Replica::enabled(uint32_t slot) {
  outcomes_.clear();
  if (!stands(slot)) return outcomes_;
  const ThreadId id = order_->thread(slot);
  if (here_->thread(id).pending.kind ==
      OpKind::WaitForOthers) {  // depends on what the others can do
    each_choice(*here_, bound_, [&](Choice choice) {
      if (choice.thread == id) outcomes_.push_back(choice.outcome);
      return true;
    });
    return outcomes_;
  }
  each_outcome(*here_, ways_on(*here_, id, bound_), [&](Outcome outcome) {
    outcomes_.push_back(outcome);
    return true;
  });
  return outcomes_;
}

void Replica::label(uint32_t slot, Outcome outcome, Label& out) {
  const ThreadId id = order_->thread(slot);
  AccessList list{accesses_.data(), kMaxStepAccesses};
  accesses(*here_, id, here_->thread(id).pending, outcome, list);
  out.choice = {id, outcome};
  set_accesses(list, out);
}

void Replica::possible_label(uint32_t slot, Label& out) {
  MAZURKA_DEBUG_CHECK(stands(slot));
  const ThreadId id = order_->thread(slot);
  AccessList list{accesses_.data(), kMaxStepAccesses};
  possible_accesses(*here_, id, here_->thread(id).pending, list);
  out.choice = {id, kOnlyOutcome};
  set_accesses(list, out);
}

}  // namespace mazurka
