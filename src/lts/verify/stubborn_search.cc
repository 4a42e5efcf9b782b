#include "lts/verify/stubborn_search.h"

#include <algorithm>
#include <chrono>
#include <unordered_set>

#include "base/check.h"
#include "lts/verify/replay.h"
#include "lts/verify/stubborn_set.h"

namespace mazurka::lts {
namespace {

// States as vectors of local states, one after the other, each with the step that led there first.
class VectorTable {
 public:
  explicit VectorTable(size_t width) : width_(width), index_(0, Hash{this}, Same{this}) {}

  struct Origin {
    uint32_t from;
    ActionId action;
  };

  size_t size() const { return origins_.size(); }
  const uint32_t* at(uint32_t number) const { return locals_.data() + size_t{number} * width_; }
  const Origin& origin(uint32_t number) const { return origins_[number]; }
  // About.
  size_t bytes() const { return size() * (width_ * sizeof(uint32_t) + sizeof(Origin) + 40); }

  // Gives its number, and whether it is new.
  std::pair<uint32_t, bool> add(const std::vector<uint32_t>& locals, Origin origin) {
    const auto number = static_cast<uint32_t>(size());
    locals_.insert(locals_.end(), locals.begin(), locals.end());
    origins_.push_back(origin);
    const auto [place, is_new] = index_.insert(number);
    if (!is_new) {
      locals_.resize(locals_.size() - width_);
      origins_.pop_back();
    }
    return {*place, is_new};
  }

 private:
  struct Hash {
    const VectorTable* table;
    size_t operator()(uint32_t number) const {
      uint64_t hash = 0;
      for (size_t i = 0; i < table->width_; ++i) {
        hash = (hash ^ table->at(number)[i]) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 29;
      }
      return hash;
    }
  };
  struct Same {
    const VectorTable* table;
    bool operator()(uint32_t a, uint32_t b) const {
      return std::equal(table->at(a), table->at(a) + table->width_, table->at(b));
    }
  };

  size_t width_;
  std::vector<uint32_t> locals_;
  std::vector<Origin> origins_;
  std::unordered_set<uint32_t, Hash, Same> index_;
};

class StubbornSearch {
 public:
  StubbornSearch(const Network& system, const Tester& tester, const VerifyOptions& options)
      : system_(system),
        tester_(tester),
        options_(options),
        sets_(system, tester),
        table_(sets_.component_count()),
        wanted_(kinds_of(tester)) {
    find_useful();
  }

  Verification run() {
    const auto start = std::chrono::steady_clock::now();
    std::vector<uint32_t> initial;
    for (size_t i = 0; i < sets_.component_count(); ++i) {
      initial.push_back(static_cast<uint32_t>(sets_.component(i).initial()));
    }
    visit(initial, {UINT32_MAX, kTau});
    for (uint32_t i = 0; i < table_.size() && !is_done(); ++i) expand(i);
    result_.algorithm = Algorithm::Stubborn;
    result_.passes = 1;
    result_.states = table_.size();
    const double states = static_cast<double>(std::max<size_t>(table_.size(), 1));
    result_.bytes_per_state = static_cast<double>(table_.bytes()) / states;
    result_.table_bytes_per_state = result_.bytes_per_state;
    result_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::sort(result_.violations.begin(), result_.violations.end(),
              [](const Violation& a, const Violation& b) { return a.kind < b.kind; });
    return std::move(result_);
  }

 private:
  static size_t kinds_of(const Tester& tester) {
    return size_t{tester.any(kReject)} + size_t{tester.any(kDeadlock)};
  }

  // From which states the tester can come to a reject or deadlock state at all.
  void find_useful() {
    const ExplicitLts& lts = tester_.lts;
    is_useful_.resize(lts.state_count());
    for (uint32_t s = 0; s < is_useful_.size(); ++s) {
      is_useful_[s] = (tester_.sets[s] & (kReject | kDeadlock)) != 0;
    }
    for (bool grows = true; grows;) {
      grows = false;
      for (uint32_t s = 0; s < is_useful_.size(); ++s) {
        if (is_useful_[s]) continue;
        const auto edges = lts.edges(s);
        is_useful_[s] = std::any_of(edges.begin(), edges.end(),
                                    [&](const Edge& edge) { return is_useful_[edge.target]; });
        grows = grows || is_useful_[s];
      }
    }
  }

  bool is_done() {
    if (table_.bytes() > options_.memory_limit) result_.stopped = StopReason::Memory;
    if (table_.size() == UINT32_MAX) result_.stopped = StopReason::Memory;
    if (options_.interrupted != nullptr && *options_.interrupted != 0) {
      result_.stopped = StopReason::Interrupted;
    }
    const size_t found = result_.violations.size();
    return result_.stopped != StopReason::None || found == (options_.all ? wanted_ : 1) ||
           wanted_ == 0;
  }

  uint32_t visit(const std::vector<uint32_t>& locals, VectorTable::Origin origin) {
    const auto [number, is_new] = table_.add(locals, origin);
    if (is_new && (tester_.sets[locals[0]] & kReject) != 0) {
      report(ViolationKind::IllegalFiniteTrace, number);
    }
    return number;
  }

  void expand(uint32_t number) {
    const std::vector<uint32_t> locals(table_.at(number), table_.at(number) + width());
    if (!is_useful_[locals[0]]) return;
    const std::vector<StubbornSets::Action> enabled = sets_.enabled(locals.data());
    if (enabled.empty() && (tester_.sets[locals[0]] & kDeadlock) != 0) {
      report(ViolationKind::IllegalStableFailure, number);
    }
    const std::vector<StubbornSets::Action> stubborn = sets_.stubborn(locals.data());
    uint32_t latest = 0;
    for (const auto action : stubborn) latest = std::max(latest, follow(number, locals, action));
    if (stubborn.size() == enabled.size() || !tester_.any(kReject) || latest > number) return;
    for (const auto action : enabled) {
      const bool is_done = std::find(stubborn.begin(), stubborn.end(), action) != stubborn.end();
      if (!is_done) follow(number, locals, action);
    }
  }

  size_t width() const { return sets_.component_count(); }

  // Every combination of the participants' transitions. Gives the greatest number of a successor.
  uint32_t follow(uint32_t number, const std::vector<uint32_t>& locals,
                  StubbornSets::Action action) {
    const ActionId name = sets_.local_name(action);
    const ActionId shown = name != kTauT && system_.hides(name) ? kTau : name;
    std::vector<std::vector<uint32_t>> targets = {locals};
    for (const uint32_t component : sets_.participants(action)) {
      std::vector<std::vector<uint32_t>> more;
      for (const Edge& edge : sets_.component(component).edges(locals[component], name)) {
        for (std::vector<uint32_t> target : targets) {
          target[component] = edge.target;
          more.push_back(std::move(target));
        }
      }
      targets = std::move(more);
    }
    uint32_t latest = 0;
    for (const std::vector<uint32_t>& target : targets) {
      ++result_.transitions;
      ++result_.steps;
      latest = std::max(latest, visit(target, {number, shown}));
    }
    return latest;
  }

  void report(ViolationKind kind, uint32_t number) {
    const auto is_known = [kind](const Violation& violation) { return violation.kind == kind; };
    std::vector<Violation>& found = result_.violations;
    if (std::any_of(found.begin(), found.end(), is_known)) return;
    if (!options_.all && !found.empty()) return;
    Violation violation{kind, {}, {}};
    for (uint32_t at = number; table_.origin(at).from != UINT32_MAX; at = table_.origin(at).from) {
      violation.prefix.push_back(
          {table_.origin(at).action, {table_.at(at), table_.at(at) + width()}});
    }
    std::reverse(violation.prefix.begin(), violation.prefix.end());
    MAZURKA_CHECK(replays(violation, system_, tester_));
    found.push_back(std::move(violation));
  }

  const Network& system_;
  const Tester& tester_;
  const VerifyOptions& options_;
  StubbornSets sets_;
  VectorTable table_;
  size_t wanted_;  // kinds of violation that there may be
  std::vector<bool> is_useful_;
  Verification result_;
};

}  // namespace

Verification verify_by_stubborn_sets(const Network& system, const Tester& tester,
                                     const VerifyOptions& options) {
  MAZURKA_CHECK(!tester.any(kLivelock | kInfinite));
  return StubbornSearch(system, tester, options).run();
}

}  // namespace mazurka::lts
