#include "explore/happens_before.h"

#include <algorithm>

#include "base/check.h"
#include "objects/world.h"

namespace mazurka {
namespace {

uint64_t key_of(const Resource& resource) {
  return uint64_t{resource.index} << 32 | uint64_t{resource.part} << 8 |
         static_cast<uint64_t>(resource.kind);
}

// Cut off in the middle of a transition: whatever else could have happened first did not.
bool is_cut_by_last(End end) {
  return end == End::Divergence || end == End::Hung || end == End::Lost ||
         end == End::SegmentDamaged;
}

}  // namespace

void HappensBefore::read(const Execution& execution, bool all_dependent) {
  execution_ = &execution;
  const size_t count = execution.transitions.size();
  slots_.assign(count, 0);
  ordinals_.assign(count, 0);
  touches_everything_.assign(count, all_dependent);
  for (size_t i = 0; i < count; ++i) {
    if (execution.transitions[i].accesses_everything) touches_everything_[i] = true;
  }
  if (count > 0 && is_cut_by_last(execution.end)) touches_everything_.back() = true;
  read_threads();
  stride_ = thread_count();
  clocks_.assign(count * stride_, 0);
  everyone_.assign(stride_, 0);
  numbers_.clear();
  resource_clocks_.clear();
  for (uint32_t i = 0; i < count; ++i) read_event(i);
}

// --- threads

uint32_t HappensBefore::add_thread(ThreadId id) {
  MAZURKA_CHECK(index(id) < kMaxThreads);
  uint32_t& slot = slot_of_[index(id)];
  if (slot != kNone) return slot;
  slot = thread_count();
  threads_.emplace_back().id = id;
  return slot;
}

void HappensBefore::read_threads() {
  slot_of_.assign(kMaxThreads, kNone);
  threads_.clear();
  for (const ThreadAtEnd& thread : execution_->threads)
    threads_[add_thread(thread.id)].at_end = &thread;
  for (uint32_t i = 0; i < size(); ++i) {
    const Transition& made = transition(i);
    const uint32_t slot = add_thread(made.choice.thread);
    slots_[i] = slot;
    ordinals_[i] = length(slot);
    threads_[slot].events.push_back(i);
    for (const ThreadCreation& creation : made.after.creations)
      threads_[add_thread(creation.created)].creator = i;
  }
}

// --- clocks

void HappensBefore::join(uint32_t* clock, const uint32_t* other) const {
  for (uint32_t i = 0; i < stride_; ++i) clock[i] = std::max(clock[i], other[i]);
}

uint32_t* HappensBefore::clock_of(const Resource& resource, int which) {
  const auto [place, is_new] =
      numbers_.try_emplace(key_of(resource), static_cast<uint32_t>(numbers_.size()));
  if (is_new)
    resource_clocks_.resize(resource_clocks_.size() + size_t{kClocksOfResource} * stride_, 0);
  return resource_clocks_.data() +
         (size_t{place->second} * kClocksOfResource + static_cast<size_t>(which)) * stride_;
}

void HappensBefore::read_event(uint32_t event) {
  uint32_t* clock = clocks_.data() + size_t{event} * stride_;
  const Thread& thread = threads_[slots_[event]];
  const uint32_t ordinal = ordinals_[event];
  if (ordinal > 0) join(clock, history(thread.events[ordinal - 1]));
  if (ordinal == 0 && thread.creator != kNone && thread.creator < event)
    join(clock, history(thread.creator));
  join(clock, everyone_.data());
  if (touches_everything_[event]) {
    for (uint32_t i = 0; i < event; ++i)
      clock[slots_[i]] = std::max(clock[slots_[i]], ordinals_[i] + 1);
  } else {
    order_by_accesses(transition(event), clock);
  }
  clock[slots_[event]] = ordinal + 1;
  leave_in_resources(transition(event), clock);
  if (touches_everything_[event]) everyone_.assign(clock, clock + stride_);
}

void HappensBefore::order_by_accesses(const Transition& made, uint32_t* clock) {
  for (const Access& access : made.accesses) {
    join(clock, clock_of(access.resource, kWrites));
    if (access.mode != Mode::Read) join(clock, clock_of(access.resource, kReads));
    if (access.mode != Mode::Add) join(clock, clock_of(access.resource, kAdds));
  }
}

// After a write, what came before it is in the write's own clock.
void HappensBefore::leave_in_resources(const Transition& made, const uint32_t* clock) {
  for (const Access& access : made.accesses) {
    const int which = access.mode == Mode::Write  ? kWrites
                      : access.mode == Mode::Read ? kReads
                                                  : kAdds;
    join(clock_of(access.resource, which), clock);
  }
}

bool HappensBefore::conflicts(uint32_t event, const Access* accesses, uint32_t count) const {
  if (touches_everything_[event]) return true;
  const std::vector<Access>& its = transition(event).accesses;
  return conflict(its.data(), static_cast<uint32_t>(its.size()), accesses, count);
}

// --- configurations

void HappensBefore::add_history(Configuration& set, uint32_t event) const {
  join(set.data(), history(event));
}

void HappensBefore::prefix(uint32_t count, Configuration& out) const {
  out.assign(stride_, 0);
  for (uint32_t i = 0; i < count; ++i) out[slots_[i]] = ordinals_[i] + 1;
}

void HappensBefore::without_future(uint32_t event, Configuration& out) const {
  out.resize(stride_);
  for (uint32_t s = 0; s < stride_; ++s) {
    const std::vector<uint32_t>& events = threads_[s].events;
    const auto first = std::partition_point(
        events.begin(), events.end(), [&](uint32_t other) { return !is_before(event, other); });
    out[s] = static_cast<uint32_t>(first - events.begin());
  }
}

}  // namespace mazurka
