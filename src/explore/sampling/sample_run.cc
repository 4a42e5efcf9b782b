#include "explore/sampling/sample_run.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace mazurka {
namespace {

// Splitmix64 (Steele, Lea, Flood, OOPSLA'14), twice. Never 0.
uint64_t walk_of(uint64_t seed, uint64_t number) {
  const auto mixed = [](uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
  };
  const uint64_t golden = 0x9e3779b97f4a7c15;
  return std::max<uint64_t>(mixed(mixed(seed + golden) + (number + 1) * golden), 1);
}

// Those from `begin` to before `end`.
class SamplePart : public Part {
 public:
  SamplePart(SampleShared& shared, Policy policy, std::shared_ptr<const SamplingRule> rule,
             uint64_t first_of_all, uint64_t begin, uint64_t end, std::atomic<uint64_t>& fresh)
      : shared_(shared),
        policy_(policy),
        rule_(std::move(rule)),
        first_of_all_(first_of_all),
        next_(begin),
        end_(end),
        fresh_(fresh) {}

  void plan(size_t most, Round& round) override {
    begin_ = next_;
    for (; next_ < end_ && round.size() < most; ++next_) {
      Plan& plan = round.add(0);
      plan = {};
      plan.limits = shared_.options.limits;
      plan.lists_enabled = false;
      plan.policy = policy_;
      plan.random = walk_of(shared_.options.seed, next_);
      plan.sampling = rule_;
    }
  }

  void put_back(size_t first) override { next_ = begin_ + first; }
  bool is_beside() const override { return shared_.is_beside; }

  bool take(const Round&, size_t i, const Execution& execution, Session&) override {
    const uint64_t number = begin_ + i;
    shared_.learned.learn(execution, number);
    if (shared_.traces.add(hasher_->of(execution), first_of_all_ + number)) ++fresh_;
    return true;
  }

  std::unique_ptr<Part> split() override {
    if (end_ - next_ < 2) return nullptr;
    const uint64_t middle = next_ + (end_ - next_) / 2;
    auto part =
        std::make_unique<SamplePart>(shared_, policy_, rule_, first_of_all_, middle, end_, fresh_);
    end_ = middle;
    return part;
  }

 private:
  SampleShared& shared_;
  const Policy policy_;
  const std::shared_ptr<const SamplingRule> rule_;
  const uint64_t first_of_all_;  // number among all samplers' executions of this one's first
  std::unique_ptr<TraceHasher> hasher_ = std::make_unique<TraceHasher>();
  uint64_t begin_ = 0;  // of the present round
  uint64_t next_;
  uint64_t end_;
  std::atomic<uint64_t>& fresh_;  // executions with new traces
};

}  // namespace

bool SampleRun::work(uint64_t count) {
  const uint64_t begin = next_;
  const uint64_t end = next_ + count;
  std::atomic<uint64_t> fresh = 0;
  while (next_ < end) {
    const uint64_t learns_at = std::max<uint64_t>(std::bit_ceil(next_ + 1), 2);
    const bool learns = rule_ == nullptr || std::has_single_bit(next_);
    if (learns) {
      if (assumed_threads_ != shared_.learned.threads() || rule_ == nullptr ||
          rule_->length != shared_.learned.steps())
        alike_ = 0;
      assumed_threads_ = shared_.learned.threads();
      rule_ = shared_.learned.rule(shared_.program, shared_.options.bug_depth);
    }
    const uint64_t most = shared_.session.executions_left();
    const uint64_t stop = next_ + std::min({learns_at - next_, end - next_, most});
    if (stop == next_ || !work_on(next_, stop, fresh)) return false;
  }
  if (next_ > begin) freshness_ = static_cast<double>(fresh) / static_cast<double>(next_ - begin);
  return true;
}

bool SampleRun::work_on(uint64_t begin, uint64_t end, std::atomic<uint64_t>& fresh) {
  const uint64_t before = shared_.traces.executions();
  auto part =
      std::make_unique<SamplePart>(shared_, policy_, rule_, before - begin, begin, end, fresh);
  const bool is_through = shared_.crew.work_unsaved(std::move(part));
  const uint64_t ran = shared_.traces.executions() - before;
  next_ = begin + ran;
  alike_ += ran;
  return is_through;
}

SamplerCounts SampleRun::counts() const {
  const Learned& learned = shared_.learned;
  SamplerCounts counts;
  counts.search = name_;
  counts.executions = next_;
  counts.threads = learned.threads();
  counts.steps = learned.steps();
  if (policy_ != Policy::Pct) return counts;
  counts.bug_depth = shared_.options.bug_depth;
  const bool holds = rule_ != nullptr && assumed_threads_ == counts.threads &&
                     rule_->length == counts.steps && !learned.has_pauses();
  if (!holds || counts.threads == 0 || counts.steps == 0) return counts;
  counts.counting = alike_;
  const double hit = std::pow(counts.steps, -static_cast<double>(counts.bug_depth - 1)) /
                     static_cast<double>(counts.threads);
  counts.missed = hit >= 1 ? 0 : std::exp(static_cast<double>(alike_) * std::log1p(-hit));
  return counts;
}

Samples samples_of(const SampleShared& shared, const std::vector<SampleRun>& runs) {
  Samples samples;
  samples.seed = shared.options.seed;
  samples.executions = shared.traces.executions();
  samples.traces = shared.traces.traces();
  samples.traces_are_exact = shared.traces.is_exact();
  samples.late_traces = shared.traces.late();
  for (const SampleRun& run : runs) {
    if (run.counts().executions > 0) samples.samplers.push_back(run.counts());
  }
  return samples;
}

}  // namespace mazurka
