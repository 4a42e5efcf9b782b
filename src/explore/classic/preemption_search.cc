#include "explore/classic/preemption_search.h"

#include <algorithm>
#include <iterator>

#include "explore/classic/schedule_ways.h"
#include "explore/engine/crew.h"
#include "explore/findings/preemptions.h"
#include "explore/sampling/trace_set.h"

namespace mazurka {
namespace {

// What all parts share.
struct Shared {
  Session& session;
  const Limits& limits;
  uint32_t most = 0;  // preemptions
  std::atomic<bool> was_cut = false;
  std::optional<uint32_t> reached = std::nullopt;  // by a round that was run to its end
  TraceSet traces = {};

  void save(ByteWriter& out) const {
    out.put(most);
    out.put(was_cut.load());
    out.put(reached.has_value());
    out.put(reached.value_or(0));
    traces.save(out);
  }
  void restore(ByteReader& in) {
    most = in.get<uint32_t>();
    was_cut = in.get<bool>();
    const auto has_reached = in.get<bool>();
    const auto number = in.get<uint32_t>();
    if (has_reached) reached = number;
    traces.restore(in);
  }
};

// What is left to do of one execution.
struct Open {
  std::shared_ptr<const std::vector<PlannedStep>> steps;  // null: the root, with one way
  std::vector<Way> ways;
  double weight = 1;  // of each
};

class SchedulePart : public Part {
 public:
  SchedulePart(Shared& shared, std::vector<Open> opens)
      : shared_(shared), opens_(std::move(opens)) {}

  // The latest first: depth first keeps them few.
  void plan(size_t most, Round& round) override {
    planned_.clear();
    while (!opens_.empty() && round.size() < most) {
      Open& open = opens_.back();
      write({open.steps, {open.ways.back()}, open.weight}, round);
      open.ways.pop_back();
      if (open.ways.empty()) opens_.pop_back();
    }
  }

  void put_back(size_t first) override {
    for (; planned_.size() > first; planned_.pop_back())
      opens_.push_back(std::move(planned_.back()));
  }

  void save(ByteWriter& out) const override {
    out.put(static_cast<uint64_t>(opens_.size()));
    for (const Open& open : opens_) {
      out.put(open.steps != nullptr);
      out.put_all(open.steps != nullptr ? *open.steps : std::vector<PlannedStep>());
      out.put_all(open.ways);
      out.put(open.weight);
    }
  }
  void restore(ByteReader& in) {
    opens_.resize(in.get_count(2 * sizeof(uint64_t)));
    for (Open& open : opens_) {
      const auto has_steps = in.get<bool>();
      auto steps = std::make_shared<std::vector<PlannedStep>>(in.get_all<PlannedStep>());
      open.ways = in.get_all<Way>();
      open.weight = in.get<double>();
      const bool fits = std::all_of(open.ways.begin(), open.ways.end(), [&](const Way& way) {
        return way.position < std::max<size_t>(steps->size(), 1);
      });
      if (!fits || open.ways.empty()) in.fail();
      if (has_steps) open.steps = std::move(steps);
    }
    if (!in.ok()) opens_.clear();
  }

  bool take(const Round& round, size_t i, const Execution& execution, Session& session) override {
    const Open& planned = planned_[i];
    const size_t known = round.plan(i).prefix.size();
    if (execution.transitions.size() < known) {  // it broke off before anything new
      session.note_done(planned.weight);
      return true;
    }
    shared_.traces.add(hasher_->of(execution));
    Open open;
    if (add_ways(execution, known, planned.ways[0].preemptions, shared_.most, open.ways))
      shared_.was_cut = true;
    const double share = planned.weight / static_cast<double>(open.ways.size() + 1);
    session.note_done(share);
    if (open.ways.empty()) return true;
    open.weight = share;
    open.steps = std::make_shared<std::vector<PlannedStep>>(
        schedule_of(execution, open.ways.back().position + 1));
    opens_.push_back(std::move(open));
    return true;
  }
  bool can_take_again() const override { return true; }

  std::unique_ptr<Part> split() override {
    std::vector<Open> given;
    if (opens_.size() > 1) {
      const auto half = opens_.begin() + static_cast<std::ptrdiff_t>(opens_.size() / 2);
      given.assign(std::make_move_iterator(opens_.begin()), std::make_move_iterator(half));
      opens_.erase(opens_.begin(), half);
    } else if (opens_.size() == 1 && opens_[0].ways.size() > 1) {
      std::vector<Way>& ways = opens_[0].ways;
      const auto half = ways.begin() + static_cast<std::ptrdiff_t>(ways.size() / 2);
      given.push_back({opens_[0].steps, {ways.begin(), half}, opens_[0].weight});
      ways.erase(ways.begin(), half);
    }
    if (given.empty()) return nullptr;
    return std::make_unique<SchedulePart>(shared_, std::move(given));
  }

 private:
  void write(Open open, Round& round) {
    const Way& way = open.ways[0];
    write_way(open.steps.get(), way, shared_.limits,
              round.add(open.steps == nullptr ? 0 : way.position));
    planned_.push_back(std::move(open));
  }

  Shared& shared_;
  std::unique_ptr<TraceHasher> hasher_ = std::make_unique<TraceHasher>();
  std::vector<Open> opens_;
  std::vector<Open> planned_;  // of the present round, each with one way
};

std::vector<Open> root() { return {Open{nullptr, {Way{}}, 1}}; }

// How many of them each finding takes; and whether that was searched for, in rounds with fewer.
void count_preemptions(const SearchOptions& options, std::optional<uint32_t> reached,
                       Verdict& verdict) {
  for (Finding& finding : verdict.findings) {
    const size_t length = std::min(finding.schedule.size(), finding.execution.transitions.size());
    const auto preempts = preemptions_of(finding.execution, length, options.limits.bound);
    if (!preempts || finding.unconfirmed) continue;
    finding.preemptions =
        static_cast<uint32_t>(std::count(preempts->begin(), preempts->end(), true));
    // Where the search goes on, a shorter schedule with more of them takes the place of the first.
    finding.is_least_preempted =
        *finding.preemptions == 0 ||
        (!options.keep_going && reached && *finding.preemptions <= *reached + 1);
  }
}

bool is_a_stop(WhyIncomplete why) {
  return why == WhyIncomplete::MaxExecutions || why == WhyIncomplete::FirstFinding ||
         why == WhyIncomplete::Interrupted || why == WhyIncomplete::Timeout;
}

// A round that was begun and not ended takes nothing from those before.
void keep_what_was_reached(uint32_t reached, Verdict& verdict) {
  Remarks<WhyIncomplete>& why = verdict.why_incomplete;
  why.push_back({WhyIncomplete::Deepening, reached});
  const bool is_bounded = std::all_of(why.begin(), why.end(), [](const auto& one) {
    return is_a_stop(one.kind) || one.kind == WhyIncomplete::Deepening ||
           one.kind == WhyIncomplete::Bound || one.kind == WhyIncomplete::Livelock ||
           one.kind == WhyIncomplete::Depth;
  });
  if (is_bounded) verdict.guarantee = Guarantee::Bounded;
}

}  // namespace

Verdict preemption_search(Program& program, const SearchOptions& options) {
  Session session(program, options);
  if (options.deepen) session.done_is_of(DoneOf::Round);
  Crew crew(program, session, options);
  Shared shared{session, options.limits};
  crew.save_shared_by([&](ByteWriter& out) { shared.save(out); });
  shared.most = options.deepen ? 0 : options.preemptions.value_or(0);
  ByteReader saved(options.checkpoints.resume);
  if (!options.checkpoints.resume.empty()) {
    session.restore(saved);
    shared.restore(saved);
  }
  auto parts = restored_parts<SchedulePart>(
      options, saved, session, [&] { return std::make_unique<SchedulePart>(shared, root()); });
  bool is_through = crew.work(std::move(parts));
  const auto may_deepen = [&] {
    return options.deepen && shared.was_cut && shared.most != options.preemptions &&
           !session.has_left_out();
  };
  while (is_through && may_deepen()) {
    shared.reached = shared.most++;
    shared.was_cut = false;
    session.begin_round();
    is_through = crew.work(std::make_unique<SchedulePart>(shared, root()));
  }
  const bool is_whole = is_through && !session.has_left_out();
  if (is_whole) shared.reached = shared.most;
  if (is_through && shared.was_cut) session.note_bound({WhyIncomplete::Preemptions, shared.most});
  Verdict verdict = session.finish(is_through);
  if (!is_whole && shared.reached) keep_what_was_reached(*shared.reached, verdict);
  verdict.within = {shared.reached, shared.traces.size()};
  count_preemptions(options, shared.reached, verdict);
  return verdict;
}

}  // namespace mazurka
