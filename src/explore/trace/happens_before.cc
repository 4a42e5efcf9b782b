#include "explore/trace/happens_before.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "objects/world.h"

namespace mazurka {
namespace {

constexpr uint32_t kLanes = 8;  // rows of clocks are joined so many at a time

// So many at a time, too: rows are short, and a call of memcpy takes longer.
void copy_row(uint32_t* to, const uint32_t* from, uint32_t stride) {
  for (uint32_t i = 0; i < stride; i += kLanes) memcpy(to + i, from + i, kLanes * sizeof *to);
}
void clear_row(uint32_t* row, uint32_t stride) {
  for (uint32_t i = 0; i < stride; i += kLanes) memset(row + i, 0, kLanes * sizeof *row);
}

}  // namespace

bool is_cut_by_last(End end) {
  return end == End::Divergence || end == End::Hung || end == End::Lost ||
         end == End::SegmentDamaged;
}

void HappensBefore::read(const Execution& execution, bool all_dependent, uint32_t common) {
  execution_ = &execution;
  const bool goes_on = all_dependent == all_dependent_ && has_same_threads();
  all_dependent_ = all_dependent;
  kept_ = goes_on ? common : 0;
  if (goes_on) {
    take_back(kept_);
  } else {
    start();
  }
  if (!read_events()) {
    start();
    add_unlisted_threads();
    read_events();
  }
  sort_by_thread();
}

void HappensBefore::start() {
  kept_ = 0;
  if (slot_of_.empty()) slot_of_.assign(kMaxThreads, kNone);
  for (const Thread& thread : threads_) slot_of_[index(thread.id)] = kNone;
  threads_.clear();
  for (const ThreadAtEnd& thread : execution_->threads) add_thread(thread.id);
  bringing_signals_ = with_parts_ = with_invisible_ = 0;
  edges_.clear();
  everyone_ = kNone;
  last_.take_back(0);
}

// Then slots are the same, too: all threads had theirs before any event.
bool HappensBefore::has_same_threads() const {
  return !threads_.empty() &&
         std::equal(threads_.begin(), threads_.end(), execution_->threads.begin(),
                    execution_->threads.end(),
                    [](const Thread& a, const ThreadAtEnd& b) { return a.id == b.id; });
}

// To what was known when the first `count` events had been read. Requires that there were more, or
// that it is 0.
void HappensBefore::take_back(uint32_t count) {
  MAZURKA_CHECK(count == 0 || count < events_.size());
  for (uint32_t i = count; i < events_.size(); ++i) --threads_[slot(i)].length;
  for (uint32_t i = count;
       i < events_.size() && (bringing_signals_ | with_parts_ | with_invisible_) != 0; ++i) {
    bringing_signals_ -= digest(i).may_bring_signals;
    with_parts_ -= digest(i).has_parts;
    with_invisible_ -= has_invisible(i);
  }
  for (Thread& thread : threads_) {
    thread.last = thread.length > 0 ? by_thread_[thread.begin + thread.length - 1] : kNone;
    if (thread.creator != kNone && thread.creator >= count) thread.creator = kNone;
    if (thread.join != kNone && thread.join >= count) thread.join = kNone;
  }
  if (events_.empty()) return;
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

// Those of which the log does not say how they ended.
void HappensBefore::add_unlisted_threads() {
  for (const Transition& made : execution_->transitions) {
    add_thread(made.choice.thread);
    for (const ThreadCreation& creation : made.after.creations) add_thread(creation.created);
  }
}

inline const Digest& HappensBefore::digest_of(const Transition& made, uint32_t slot,
                                              uint32_t ordinal) {
  if (slot >= digest_of_.size()) digest_of_.resize(slot + 1);
  std::vector<Digest*>& its = digest_of_[slot];
  if (ordinal == its.size()) its.push_back(&digests_.emplace_back());
  Digest& digest = *its[ordinal];
  if (!digest.is_of(made)) digest.read(made);
  return digest;
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

// As signed numbers, which every processor compares several at a time; no thread has two thousand
// million events. By hand: the compiler did it one by one.
inline void HappensBefore::join_both(uint32_t* clock, const uint32_t* one,
                                     const uint32_t* other) const {
  using Lanes = int32_t __attribute__((vector_size(16)));
  constexpr uint32_t kStep = sizeof(Lanes) / sizeof *clock;
  static_assert(kLanes % kStep == 0);
  for (uint32_t i = 0; i < stride_; i += kStep) {
    Lanes a;
    Lanes b;
    memcpy(&a, one + i, sizeof a);
    memcpy(&b, other + i, sizeof b);
    const Lanes larger = a > b;
    a = (a & larger) | (b & ~larger);
    memcpy(clock + i, &a, sizeof a);
  }
}

void HappensBefore::order_after(uint32_t source, uint32_t event, uint32_t* clock) {
  const Event& it = events_[source];
  if (clock[it.slot] > it.ordinal) return;
  join(clock, history(source));
  add_edge(source, event);
}

inline void HappensBefore::add_edge(uint32_t source, uint32_t event) {
  edges_.push_back({source, event, events_[source].first_edge});
  events_[source].first_edge = static_cast<uint32_t>(edges_.size() - 1);
}

// From behind: what happens before others is passed over at once. All that came before the last
// such event does.
void HappensBefore::order_after_all(uint32_t event, uint32_t* clock) {
  const uint32_t begin = everyone_ == kNone ? 0 : everyone_ + 1;
  for (uint32_t i = event; i-- > begin;) order_after(i, event, clock);
}

// All that a thread does adds to its life, and comes after what created it. So these accesses need
// not be noted: whoever else looks at its life follows its last event, or if there is none, its
// creation. Nor need the first join be: whoever comes after it follows it. Returns whether that is
// all, because nobody else did before.
bool HappensBefore::order_by_life(const Access& access, uint32_t event, uint32_t* clock) {
  const uint32_t life =
      access.resource.index < kMaxThreads ? slot_of_[access.resource.index] : kNone;
  if (life == kNone) return false;
  if (life == slot(event)) return access.mode == Mode::Add && last_.is_untouched(access.resource);
  Thread& thread = threads_[life];
  if (thread.creator == event) return last_.is_untouched(access.resource);
  const uint32_t last =
      thread.length > 0 && access.mode != Mode::Add ? thread.last : thread.creator;
  if (last != kNone) order_after(last, event, clock);
  if (thread.join != kNone) {
    order_after(thread.join, event, clock);
    return false;
  }
  const bool is_first = access.mode == Mode::Write && last_.is_untouched(access.resource);
  if (is_first) thread.join = event;
  return is_first;
}

// In the same way all that its threads do reads a process's life.
bool HappensBefore::order_by_process(const Access& access, uint32_t event, uint32_t* clock) {
  if (access.resource.part != kLife) return false;
  if (access.mode == Mode::Read) {
    return access.resource.index == index(digest(event).process) &&
           last_.is_untouched(access.resource);
  }
  for (const Thread& thread : threads_) {
    if (thread.last != kNone && index(thread.process) == access.resource.index)
      order_after(thread.last, event, clock);
  }
  return false;
}

// What is not among the digest's accesses.
inline void HappensBefore::order_by_own_lives(uint32_t event, uint32_t* clock) {
  const auto take = [&](const Access& access) {
    last_.take(access, slot(event), event,
               [&](uint32_t source) { order_after(source, event, clock); });
  };
  const Digest& its = digest(event);
  if (!last_.is_untouched(Resource::Kind::Thread, 0, index(its.thread)))
    take({thread_resource(its.thread), Mode::Add, {}});
  if (!last_.is_untouched(Resource::Kind::Process, kLife, index(its.process))) {
    take({process_resource(its.process, kLife), Mode::Read, {}});
  }
}

// Returns whether it is dependent with all that there is: every transition adds to the moves.
inline bool HappensBefore::order_by_accesses(uint32_t event, uint32_t* clock) {
  bool with_all = false;
  const Digest& its = digest(event);
  for (const Access* i = its.ordering; i != its.ordering + its.ordering_count; ++i) {
    const Access& access = *i;
    switch (access.resource.kind) {
      case Resource::Kind::Moves:
        if (access.mode == Mode::Add) continue;
        with_all = true;
        order_after_all(event, clock);
        continue;
      case Resource::Kind::Thread:
        if (order_by_life(access, event, clock)) continue;
        break;
      case Resource::Kind::Process:
        if (order_by_process(access, event, clock)) continue;
        break;
      default:
        break;
    }
    last_.take(access, slot(event), event,
               [&](uint32_t source) { order_after(source, event, clock); });
  }
  if (its.is_known && last_.has_lives()) order_by_own_lives(event, clock);
  return with_all;
}

// A join that follows its thread and what it joins, and nothing else, as most do: the same as
// below, at once. False: it is not like that.
inline bool HappensBefore::read_plain_join(uint32_t event, uint32_t* clock) {
  const Event& it = events_[event];
  const Thread& mine = threads_[it.slot];
  const uint32_t slot = slot_of(it.digest->joined);
  const bool is_special = it.ordinal == 0 || it.touches_everything || everyone_ != kNone ||
                          mine.join != kNone || last_.has_lives() || slot == kNone;
  if (is_special) return false;
  Thread& joined = threads_[slot];
  if (joined.last == kNone || joined.join != kNone || joined.creator == event) return false;
  const uint32_t* before = history(mine.last);
  if (before[slot] == joined.length) {
    copy_row(clock, before, stride_);
  } else {
    join_both(clock, before, history(joined.last));
    add_edge(joined.last, event);
  }
  clock[it.slot] = it.ordinal + 1;
  joined.join = event;
  return true;
}

inline void HappensBefore::read_event(uint32_t event) {
  uint32_t* clock = clocks_.data() + size_t{event} * stride_;
  const Event& it = events_[event];
  if (it.digest->joined != kNoThread && read_plain_join(event, clock)) return;
  const Thread& thread = threads_[it.slot];
  if (it.ordinal > 0) {
    copy_row(clock, history(thread.last), stride_);
  } else {
    clear_row(clock, stride_);
    if (thread.creator != kNone) order_after(thread.creator, event, clock);
  }
  clock[it.slot] = it.ordinal + 1;  // first: it may have two accesses to one resource
  if (thread.join != kNone) order_after(thread.join, event, clock);
  if (everyone_ != kNone) order_after(everyone_, event, clock);
  if (it.touches_everything) order_after_all(event, clock);
  if (order_by_accesses(event, clock) || it.touches_everything) everyone_ = event;
}

// False if there is a thread that has no slot; so the next.
bool HappensBefore::note_creations(uint32_t event) {
  for (const ThreadCreation& creation : transition(event).after.creations) {
    if (slot_of(creation.created) == kNone) return false;
    threads_[slot_of(creation.created)].creator = event;
  }
  return true;
}

bool HappensBefore::read_events() {
  has_pending_ = false;
  for (const ThreadAtEnd& thread : execution_->threads) {
    threads_[slot_of(thread.id)].at_end = &thread;
    has_pending_ |= thread.stands_before_operation();
  }
  if (kept_ == 0) stride_ = (thread_count() + kLanes - 1) / kLanes * kLanes;
  const size_t count = execution_->transitions.size();
  events_.resize(count);
  clocks_.resize(count * stride_);
  const bool is_cut = is_cut_by_last(execution_->end);
  for (uint32_t i = kept_; i < count; ++i) {
    const Transition& made = transition(i);
    const uint32_t slot = slot_of(made.choice.thread);
    if (slot == kNone) return false;
    if (!made.has_no_more && !note_creations(i)) return false;
    const uint32_t ordinal = threads_[slot].length++;
    const bool touches_everything =
        all_dependent_ || made.accesses_everything || (is_cut && i + 1 == count);
    const Digest& digest = digest_of(made, slot, ordinal);
    bringing_signals_ += digest.may_bring_signals;
    with_parts_ += digest.has_parts;
    Event& event = events_[i];
    event.slot = slot;
    event.ordinal = ordinal;
    event.first_edge = kNone;
    event.edges_begin = static_cast<uint32_t>(edges_.size());
    event.everyone = everyone_;
    event.accesses_before = static_cast<uint32_t>(last_.taken());
    event.digest = &digest;
    event.touches_everything = touches_everything;
    event.has_invisible =
        !made.has_no_more && (!made.after.settings.empty() || !made.after.creations.empty());
    with_invisible_ += event.has_invisible;
    read_event(i);
    threads_[slot].last = i;
    threads_[slot].process = made.process;
  }
  return true;
}

bool HappensBefore::is_immediate(uint32_t i, uint32_t j) const {
  MAZURKA_DEBUG_CHECK(slot(i) != slot(j));
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
