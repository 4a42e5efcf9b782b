#include "explore/happens_before.h"

#include <algorithm>

#include "base/check.h"
#include "objects/world.h"

namespace mazurka {
namespace {

constexpr uint32_t kLanes = 8;  // rows of clocks are joined so many at a time

constexpr uint8_t bit_of(Mode mode) { return static_cast<uint8_t>(1u << static_cast<uint32_t>(mode)); }

// Accesses of only these modes.
constexpr bool orders_nothing(uint8_t modes) { return modes == bit_of(Mode::Add) || modes == bit_of(Mode::Read); }

size_t kind_of(const Access& access) {
  static_assert((kMaxResourceKinds & (kMaxResourceKinds - 1)) == 0);
  return static_cast<size_t>(access.resource.kind) & (kMaxResourceKinds - 1);
}

// Cut off in the middle of a transition: whatever else could have happened first did not.
bool is_cut_by_last(End end) {
  return end == End::Divergence || end == End::Hung || end == End::Lost ||
         end == End::SegmentDamaged;
}

}  // namespace

void HappensBefore::read(const Execution& execution, bool all_dependent, uint32_t common, bool is_followed) {
  execution_ = &execution;
  kept_ = can_keep(all_dependent) ? common : 0;
  all_dependent_ = all_dependent;
  is_followed_ = is_followed;
  if (kept_ > 0) take_back(kept_);
  if (kept_ == 0 || !read_threads()) {
    start();
    read_threads();
  }
  sort_by_thread();
  const size_t count = execution.transitions.size();
  if (kept_ == 0) {
    stride_ = (thread_count() + kLanes - 1) / kLanes * kLanes;
    last_.start(stride_);
  }
  last_.keep_changes(is_followed);
  clocks_.resize(count * stride_);
  const bool is_cut = is_cut_by_last(execution.end);
  for (uint32_t i = kept_; i < count; ++i) {
    events_[i].touches_everything = all_dependent || execution.transitions[i].accesses_everything ||
                                    (is_cut && i + 1 == count);
    read_event(i);
  }
}

void HappensBefore::start() {
  kept_ = 0;
  edges_.clear();
  everyone_ = kNone;
  if (slot_of_.empty()) slot_of_.assign(kMaxThreads, kNone);
  for (const Thread& thread : threads_) slot_of_[index(thread.id)] = kNone;
  threads_.clear();
  std::fill(std::begin(modes_), std::end(modes_), 0);
  for (const ThreadAtEnd& thread : execution_->threads) add_thread(thread.id);
}

// Slots stay the same only if all threads had theirs before any event.
bool HappensBefore::can_keep(bool all_dependent) const {
  return is_followed_ && all_dependent == all_dependent_ && threads_.size() == execution_->threads.size();
}

// To what was known when the first `count` events had been read. Requires that there were more.
void HappensBefore::take_back(uint32_t count) {
  MAZURKA_CHECK(count < events_.size());
  for (uint32_t i = count; i < events_.size(); ++i) --threads_[slot(i)].length;
  for (Thread& thread : threads_) {
    if (thread.creator != kNone && thread.creator >= count) thread.creator = kNone;
  }
  for (; edges_.size() > events_[count].edges_begin; edges_.pop_back()) {
    events_[edges_.back().source].first_edge = edges_.back().next_of_source;
  }
  everyone_ = events_[count].everyone;
  last_.take_back(events_[count].accesses_before);
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

// False if what was kept is no good: there are further threads, or it orders too little (order_by_accesses).
bool HappensBefore::read_threads() {
  const uint32_t known = thread_count();
  uint8_t modes[kMaxResourceKinds];
  std::copy(std::begin(modes_), std::end(modes_), modes);
  for (const ThreadAtEnd& thread : execution_->threads) threads_[slot_of(thread.id)].at_end = &thread;
  events_.resize(execution_->transitions.size());
  for (uint32_t i = kept_; i < size(); ++i) {
    const Transition& made = transition(i);
    const uint32_t slot = add_thread(made.choice.thread);
    events_[i] = {slot, threads_[slot].length++, kNone, 0, kNone, 0, false};
    for (const ThreadCreation& creation : made.after.creations)
      threads_[add_thread(creation.created)].creator = i;
    note_modes(made);
  }
  const bool orders_more = !std::equal(std::begin(modes_), std::end(modes_), modes, [](uint8_t now, uint8_t before) {
    return now == before || !orders_nothing(before);
  });
  return thread_count() == known && !orders_more;
}

void HappensBefore::note_modes(const Transition& made) {
  for (const Access& access : made.accesses) {
    modes_[kind_of(access)] |= bit_of(access.mode);
  }
}

void HappensBefore::sort_by_thread() {
  uint32_t begin = 0;
  for (Thread& thread : threads_) {
    thread.begin = begin;
    begin += thread.length;
  }
  by_thread_.resize(size());
  for (uint32_t i = 0; i < size(); ++i) {
    by_thread_[threads_[slot(i)].begin + ordinal(i)] = i;
  }
}

// --- clocks

// As signed numbers, which every processor compares several at a time; no thread has two thousand million events.
void HappensBefore::join(uint32_t* clock, const uint32_t* other) const {
  auto* __restrict to = reinterpret_cast<int32_t*>(clock);
  const auto* __restrict from = reinterpret_cast<const int32_t*>(other);
  for (uint32_t row = 0; row < stride_; row += kLanes) {
    for (uint32_t i = row; i < row + kLanes; ++i) to[i] = std::max(to[i], from[i]);
  }
}

void HappensBefore::read_event(uint32_t event) {
  uint32_t* clock = clocks_.data() + size_t{event} * stride_;
  Event& it = events_[event];
  it.edges_begin = static_cast<uint32_t>(edges_.size());
  it.everyone = everyone_;
  it.accesses_before = last_.taken();
  const uint32_t last = previous(it.slot, it.ordinal);
  if (it.ordinal > 0) {
    std::copy(history(last), history(last) + stride_, clock);
  } else {
    std::fill(clock, clock + stride_, 0);
    if (last != kNone && last < event) order_after(last, event, clock);
  }
  clock[it.slot] = it.ordinal + 1;  // first: it may have two accesses to one resource
  if (everyone_ != kNone) order_after(everyone_, event, clock);
  if (it.touches_everything) order_after_all(event, clock);
  order_by_accesses(event, clock);
  if (it.touches_everything) everyone_ = event;
}

void HappensBefore::order_after(uint32_t source, uint32_t event, uint32_t* clock) {
  const Event& it = events_[source];
  if (clock[it.slot] > it.ordinal) return;
  join(clock, history(source));
  edges_.push_back({source, event, it.first_edge});
  events_[source].first_edge = static_cast<uint32_t>(edges_.size() - 1);
}

// From behind: what happens before others is passed over at once. All that came before the last
// such event does.
void HappensBefore::order_after_all(uint32_t event, uint32_t* clock) {
  const uint32_t begin = everyone_ == kNone ? 0 : everyone_ + 1;
  for (uint32_t i = event; i-- > begin;) order_after(i, event, clock);
}

// What all only add to, or only read, orders nothing: that somebody moved mostly, and the lives of processes.
void HappensBefore::order_by_accesses(uint32_t event, uint32_t* clock) {
  for (const Access& access : transition(event).accesses) {
    const uint8_t modes = modes_[kind_of(access)];
    if (orders_nothing(modes)) continue;
    last_.take(access, slot(event), event,
               [&](uint32_t source) { order_after(source, event, clock); });
  }
}

bool HappensBefore::is_immediate(uint32_t i, uint32_t j) const {
  if (ordinal(j) > 0 && is_before(i, event(slot(j), ordinal(j) - 1))) return false;
  const size_t end = j + 1 < size() ? events_[j + 1].edges_begin : edges_.size();
  bool found = false;
  for (size_t k = events_[j].edges_begin; k < end; ++k) {
    const uint32_t source = edges_[k].source;
    if (source == i) {
      found = true;
    } else if (is_before(i, source)) {
      return false;
    }
  }
  return found;
}

bool HappensBefore::conflicts(uint32_t event, const Access* accesses, uint32_t count) const {
  if (touches_everything(event)) return true;
  const std::vector<Access>& its = transition(event).accesses;
  return conflict(its.data(), static_cast<uint32_t>(its.size()), accesses, count);
}

// --- configurations

void HappensBefore::add_history(Configuration& set, uint32_t event) const {
  join(set.data(), history(event));
}

void HappensBefore::prefix(uint32_t count, Configuration& out) const {
  out.assign(stride_, 0);
  for (uint32_t i = 0; i < count; ++i) out[slot(i)] = ordinal(i) + 1;
}

void HappensBefore::without_future(uint32_t event, Configuration& out) const {
  out.assign(stride_, 0);
  for (uint32_t s = 0; s < thread_count(); ++s) out[s] = not_after(event, s);
}

uint32_t HappensBefore::not_after(uint32_t event, uint32_t slot) const {
  const uint32_t* events = by_thread_.data() + threads_[slot].begin;
  const uint32_t* first =
      std::partition_point(events, events + threads_[slot].length,
                           [&](uint32_t other) { return !is_before(event, other); });
  return static_cast<uint32_t>(first - events);
}

}  // namespace mazurka
