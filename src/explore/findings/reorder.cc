#include "explore/findings/reorder.h"

#include <algorithm>
#include <map>
#include <utility>

#include "explore/trace/happens_before.h"
#include "explore/trace/replica.h"

namespace mazurka {
namespace {

constexpr size_t kMostOrders = 64;           // that are followed at a time
constexpr size_t kMostReplayed = 2'000'000;  // events on the models
constexpr size_t kFewestOrders = 4;

// The beginning of an order: where it has come to, and how.
struct Beginning {
  Configuration done;
  uint32_t last = HappensBefore::kNone;  // whose turn it is
  uint32_t preemptions = 0;
  size_t parent = 0;  // of the beginnings that are shorter by one
  uint32_t event = HappensBefore::kNone;
};

class Reordering {
 public:
  Reordering(const HappensBefore& order, uint32_t bound) : order_(order) {
    replica_.read(order, bound);
  }

  // The events of `whole` in a new order; none if there are too many.
  std::vector<uint32_t> find(const Configuration& whole) {
    whole_ = whole;
    size_t size = 0;
    for (const uint32_t count : whole) size += count;
    width_ = std::min(kMostReplayed / std::max<size_t>(size * size, 1), kMostOrders);
    if (width_ < kFewestOrders) return {};
    std::vector<std::vector<Beginning>> levels(1);
    levels[0].push_back({Configuration(whole.size(), 0), order_.slot_of(kMainThread)});
    for (size_t i = 0; i < size; ++i) levels.push_back(longer(levels.back()));
    return replica_.is_faithful() ? events_of(levels) : std::vector<uint32_t>();
  }

 private:
  std::vector<Beginning> longer(const std::vector<Beginning>& shorter) {
    std::map<std::pair<Configuration, uint32_t>, Beginning> found;
    for (size_t i = 0; i < shorter.size(); ++i) {
      const Beginning& from = shorter[i];
      replica_.go_to(from.done);
      const bool is_busy =
          from.last != HappensBefore::kNone && !replica_.enabled(from.last).empty();
      for (uint32_t slot = 0; slot < order_.thread_count(); ++slot) {
        if (!can_move(from.done, slot)) continue;
        Beginning next = {from.done, slot, from.preemptions, i,
                          order_.event(slot, from.done[slot])};
        ++next.done[slot];
        if (is_busy && slot != from.last) ++next.preemptions;
        const auto [place, is_new] = found.try_emplace({next.done, slot}, next);
        if (!is_new && next.preemptions < place->second.preemptions) place->second = next;
      }
    }
    std::vector<Beginning> all;
    all.reserve(found.size());
    for (auto& [key, beginning] : found) all.push_back(std::move(beginning));
    std::stable_sort(all.begin(), all.end(), [](const Beginning& a, const Beginning& b) {
      return a.preemptions < b.preemptions;
    });
    if (all.size() > width_) all.resize(width_);
    return all;
  }

  // Whether all is done that happens before the thread's next event.
  bool can_move(const Configuration& done, uint32_t slot) const {
    if (done[slot] >= whole_[slot]) return false;
    const uint32_t* history = order_.history(order_.event(slot, done[slot]));
    for (uint32_t other = 0; other < order_.thread_count(); ++other) {
      if (history[other] > done[other] + (other == slot ? 1 : 0)) return false;
    }
    return true;
  }

  static std::vector<uint32_t> events_of(const std::vector<std::vector<Beginning>>& levels) {
    std::vector<uint32_t> events;
    size_t place = 0;  // the best one is the first
    for (size_t i = levels.size() - 1; i > 0; --i) {
      events.push_back(levels[i][place].event);
      place = levels[i][place].parent;
    }
    std::reverse(events.begin(), events.end());
    return events;
  }

  const HappensBefore& order_;
  Replica replica_;
  Configuration whole_;
  size_t width_ = kMostOrders;
};

// A failing transition needs what happens before it; a deadlock or another end needs everything.
Configuration needed(const HappensBefore& order, const Sighting& sighting) {
  Configuration all;
  order.prefix(sighting.length, all);
  if (sighting.length == 0 || !shows_in_transition(sighting, order.execution())) return all;
  Configuration history(all.size(), 0);
  order.add_history(history, sighting.length - 1);
  return history;
}

}  // namespace

std::vector<PlannedStep> reordered(const Execution& execution, const Sighting& sighting,
                                   uint32_t bound) {
  Execution copy = execution;
  add_waits_for_moves(copy);
  HappensBefore order;
  order.read(copy);
  const std::vector<PlannedStep> steps = schedule_of(copy, sighting.length);
  std::vector<PlannedStep> schedule;
  for (const uint32_t event : Reordering(order, bound).find(needed(order, sighting))) {
    schedule.push_back(steps[event]);
  }
  return schedule;
}

}  // namespace mazurka
