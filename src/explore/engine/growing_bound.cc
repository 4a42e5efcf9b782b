#include "explore/engine/growing_bound.h"

#include <algorithm>
#include <utility>

namespace mazurka {
namespace {

constexpr uint32_t kFirstBound = 4;
// Where nobody has said how long it may take. Each bound takes far longer than the last one.
constexpr uint64_t kMostExecutions = 100'000;

// 0: no limit.
uint64_t most_executions(const SearchOptions& options) {
  if (options.max_executions > 0 || options.timeout_s > 0) return options.max_executions;
  return kMostExecutions;
}

bool has(const Verdict& verdict, WhyIncomplete kind) {
  return std::any_of(verdict.why_incomplete.begin(), verdict.why_incomplete.end(),
                     [kind](const auto& why) { return why.kind == kind; });
}

bool was_cut_at_depth(const Verdict& verdict) {
  return has(verdict, WhyIncomplete::Depth) || has(verdict, WhyIncomplete::DepthUnderReduction);
}

// Bounds that do not grow (preemptions) may have been reached, too.
bool was_cut_at_bound(const Verdict& verdict) { return has(verdict, WhyIncomplete::Bound); }

// All rounds together: what was run, and what was found.
class Rounds {
 public:
  void add(Verdict& verdict) {
    counts_.executions += verdict.counts.executions;
    counts_.blocked_executions += verdict.counts.blocked_executions;
    counts_.transitions += verdict.counts.transitions;
    counts_.steps += verdict.counts.steps;
    counts_.sampled_executions += verdict.counts.sampled_executions;
    counts_.max_depth = std::max(counts_.max_depth, verdict.counts.max_depth);
    seconds_ += verdict.seconds;
    for (Finding& finding : verdict.findings) keep(std::move(finding));
    verdict.findings.clear();
  }

  const Counts& counts() const { return counts_; }
  double seconds() const { return seconds_; }

  void write(Verdict& verdict) {
    verdict.counts = counts_;
    verdict.seconds = seconds_;
    verdict.findings = std::move(findings_);
  }

 private:
  // With the counts of the latest round, which has seen all of the others again and more.
  void keep(Finding finding) {
    for (Finding& known : findings_) {
      if (!(known.sighting == finding.sighting)) continue;
      known.count = std::max(known.count, finding.count);
      return;
    }
    findings_.push_back(std::move(finding));
  }

  Counts counts_;
  double seconds_ = 0;
  std::vector<Finding> findings_;
};

uint64_t executions(const Counts& counts) { return counts.executions + counts.sampled_executions; }

bool must_stop(const SearchOptions& options, const Verdict& verdict, const Rounds& rounds,
               bool has_findings) {
  return verdict.trouble || (has_findings && !options.keep_going) ||
         (options.stop != nullptr && options.stop->is_due()) ||
         (most_executions(options) > 0 && executions(rounds.counts()) >= most_executions(options));
}

// Why the rounds end here, beside the bound that was reached.
void say_what_was_reached(uint32_t reached, Verdict& verdict) {
  Remarks<WhyIncomplete>& why = verdict.why_incomplete;
  const bool is_over = verdict.guarantee != Guarantee::Sampled && !was_cut_at_bound(verdict) &&
                       !was_cut_at_depth(verdict);
  if (is_over || reached == 0) return;
  std::erase_if(why, [](const auto& one) {
    return one.kind == WhyIncomplete::Bound || one.kind == WhyIncomplete::Depth ||
           one.kind == WhyIncomplete::DepthUnderReduction || one.kind == WhyIncomplete::StartsAnew;
  });
  if (why.empty()) verdict.guarantee = Guarantee::Bounded;
  why.insert(why.begin(), {WhyIncomplete::GrownBound, reached});
}

}  // namespace

Verdict search_with_growing_bound(const std::function<Verdict(const SearchOptions&)>& run,
                                  const SearchOptions& options) {
  SearchOptions round = options;
  round.stops_at_depth = true;
  Verdict verdict = run(round);
  const bool is_over = !verdict.findings.empty() && !options.keep_going;
  if (!was_cut_at_depth(verdict) || is_over || verdict.trouble) return verdict;
  Rounds rounds;
  uint32_t reached = 0;
  for (uint32_t bound = kFirstBound;; bound *= 2) {
    bool has_findings = !verdict.findings.empty();
    rounds.add(verdict);
    if (must_stop(options, verdict, rounds, has_findings)) break;
    if (options.on_start_anew) options.on_start_anew();
    round.limits.bound = bound;
    const uint64_t most = most_executions(options);
    if (most > 0) round.max_executions = most - executions(rounds.counts());
    if (options.timeout_s > 0)
      round.timeout_s = std::max(options.timeout_s - rounds.seconds(), 1e-3);
    verdict = run(round);
    verdict.bound = bound;
    has_findings = !verdict.findings.empty();
    const bool is_whole = verdict.guarantee != Guarantee::Sampled && !was_cut_at_depth(verdict);
    if (is_whole) reached = bound;
    if (is_whole && was_cut_at_bound(verdict) && bound < options.limits.depth &&
        !(has_findings && !options.keep_going))
      continue;
    rounds.add(verdict);
    break;
  }
  for (auto& why : verdict.why_incomplete) {
    if (why.kind == WhyIncomplete::MaxExecutions) why.number = most_executions(options);
  }
  say_what_was_reached(reached, verdict);
  rounds.write(verdict);
  return verdict;
}

}  // namespace mazurka
