#include "explore/estimate/size_estimate.h"

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/faulting_time_stamps.h"
#include "explore/classic/schedule_ways.h"
#include "explore/engine/crew.h"
#include "explore/estimate/drawn_level.h"
#include "explore/optimal/optimal_children.h"

namespace mazurka {
namespace {

constexpr size_t kNodesAtATime = 32;
// Of logarithms: what is known as well as that is not refined any more.
constexpr double kFineEnough = 0.01;
constexpr uint64_t kLeastPasses = 64;

Reversed reversed_at(const Execution& execution, uint32_t position, ThreadId head) {
  const Transition& made = execution.transitions[position];
  const auto [first, second] = std::minmax(made.choice.thread, head);
  return {made.op.object, first, second};
}

}  // namespace

// Passes through a tree whose nodes are executions.
class SizeEstimator::Tree {
 public:
  Tree(Program& its_program, const SearchOptions& its_options)
      : program(its_program), options(its_options), draws_(its_options.seed) {}
  virtual ~Tree() = default;

  Result<void> pass() {
    const uint32_t width = passes.next_width();
    const Needs needs = program.needs();
    const uint64_t learned = program.learned();
    LogSum size;
    bool is_exact = true;
    met_ = 0;
    begin();
    levels_.resize(std::max<size_t>(levels_.size(), 1));
    levels_[0].begin();
    size_t depth = 0;
    for (; !levels_[depth].nodes().empty(); ++depth) {
      if (levels_.size() == depth + 1) levels_.emplace_back();
      levels_[depth + 1].begin(width);
      if (Result<void> ran = run_level(levels_[depth], levels_[depth + 1], size); !ran) return ran;
      if (is_over()) return {};
      if (program.needs() != needs || program.learned() != learned || must_start_again) {
        start_again();
        return {};
      }
      levels_[depth + 1].settle();
      is_exact = is_exact && levels_[depth + 1].is_whole();
      go_down();
    }
    learn(depth);
    ++result.passes;
    passes.add(width, met_ == 0 ? 0 : size.log(), is_exact, met_);
    return {};
  }

  bool is_over() const {
    return (options.stop != nullptr && options.stop->is_due()) ||
           (options.interrupted != nullptr && *options.interrupted != 0);
  }

  std::vector<std::pair<Reversed, double>> shares() const {
    LogSum all;
    for (const auto& [what, sum] : reversed_) all.add(sum.log());
    std::vector<std::pair<Reversed, double>> shares;
    for (const auto& [what, sum] : reversed_)
      shares.emplace_back(what, std::exp(sum.log() - all.log()));
    std::stable_sort(shares.begin(), shares.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return shares;
  }

  Program& program;
  const SearchOptions& options;
  SizePasses passes;
  SizeEstimate result;  // but for what is made of the passes

 protected:
  virtual void begin() = 0;  // the root alone is the present level
  virtual void write(size_t node, Plan& out) = 0;
  // The children of the node, found in its execution, wait to be kept.
  virtual size_t find_children(size_t node, const Plan& plan, const Execution& execution) = 0;
  virtual NodeKind kind_of(size_t child, const Execution& execution) const = 0;
  // The child is kept at the place, which is free or becomes so.
  virtual void keep(size_t child, size_t place) = 0;
  virtual std::optional<Reversed> reversed(size_t, const Execution&) const { return std::nullopt; }
  virtual void go_down() = 0;  // what was kept is the present level

  bool must_start_again = false;

 private:
  void start_again() {
    must_start_again = false;
    passes.clear();
    reversed_.clear();
    worths_ = {};
  }

  Result<void> run_level(DrawnLevel& level, DrawnLevel& next, LogSum& size) {
    const size_t count = level.nodes().size();
    for (size_t begin = 0; begin < count && !is_over() && !must_start_again;
         begin += kNodesAtATime) {
      const size_t end = std::min(begin + kNodesAtATime, count);
      round_.clear();
      for (size_t node = begin; node < end; ++node) write(node, round_.add(0));
      if (Result<void> ran = round_.run(program); !ran) return ran;
      for (size_t node = begin; node < end && !must_start_again; ++node) {
        Execution& execution = round_.execution(node - begin);
        if (execution.end == End::Trouble) return Error{execution.text};
        ++result.executions;
        result.was_cut = result.was_cut || execution.end == End::DepthReached;
        take(level, node, round_.plan(node - begin), execution, next, size);
      }
    }
    return {};
  }

  void take(DrawnLevel& level, size_t node, const Plan& plan, Execution& execution,
            DrawnLevel& next, LogSum& size) {
    DrawnNode& its = level.nodes()[node];
    if (execution.end != End::Blocked) {
      ++met_;
      size.add(its.log_weight);
      its.below.add(0);
    }
    if (execution.transitions.size() < plan.prefix.size()) {
      result.is_sure = false;
      return;
    }
    add_waits_for_moves(execution);
    const size_t found = find_children(node, plan, execution);
    for (size_t child = 0; child < found; ++child) {
      if (const auto what = reversed(child, execution)) reversed_[*what].add(its.log_weight);
      const NodeKind kind = kind_of(child, execution);
      const DrawnNode drawn = {its.log_weight, static_cast<uint32_t>(node), kind, {}};
      if (const auto place = next.offer(drawn, worths_.of(kind), draws_)) keep(child, *place);
    }
  }

  // What is below the nodes of a pass, from the last level up.
  void learn(size_t depth) {
    for (size_t i = depth; i-- > 1;) {
      for (const DrawnNode& node : levels_[i].nodes()) {
        DrawnNode& parent = levels_[i - 1].nodes()[node.parent];
        parent.below.add(node.log_weight - parent.log_weight + node.below.log());
        if (!std::isinf(node.below.log())) worths_.learn(node.kind, node.below.log());
      }
    }
  }

  Draws draws_;
  Round round_;
  Worths worths_;
  std::vector<DrawnLevel> levels_;
  uint64_t met_ = 0;  // in the present pass
  std::map<Reversed, LogSum> reversed_;
};

class SizeEstimator::ReverseTree final : public Tree {
 public:
  using Tree::Tree;

 protected:
  void begin() override {
    present_.clear();
    present_.emplace_back();
  }
  void write(size_t node, Plan& out) override {
    present_[node].write(out);
    out.limits = options.limits;
    out.is_awake = children_->all_dependent();
    out.lists_enabled = false;
    out.random = 0;
    out.sampling = nullptr;
  }

  size_t find_children(size_t, const Plan& plan, const Execution& execution) override {
    found_.clear();
    if (!children_->all_dependent() && waits_for_others(execution)) {
      children_->make_all_dependent();
      result.waits_for_others = must_start_again = true;
      return 0;
    }
    children_->forget();
    children_->stop_by(options.stop.get());
    if (!children_->find(plan, execution, found_)) result.is_sure = false;
    std::erase_if(found_, [](const OptimalTask& task) { return !task.fits(); });
    return found_.size();
  }

  void keep(size_t child, size_t place) override {
    if (place >= next_.size()) next_.resize(place + 1);
    next_[place] = found_[child];
  }
  NodeKind kind_of(size_t child, const Execution& execution) const override {
    const auto length = static_cast<uint32_t>(execution.transitions.size());
    return {0, length - std::min(length, found_[child].block.begin)};
  }
  std::optional<Reversed> reversed(size_t child, const Execution& execution) const override {
    const PlanBlock& block = found_[child].block;
    return reversed_at(execution, block.begin, block.head);
  }
  void go_down() override {
    present_.swap(next_);
    next_.clear();
  }

 private:
  std::unique_ptr<OptimalChildren> children_ = std::make_unique<OptimalChildren>();
  std::vector<OptimalTask> present_;
  std::vector<OptimalTask> next_;
  std::vector<OptimalTask> found_;
};

class SizeEstimator::ScheduleTree final : public Tree {
 public:
  ScheduleTree(Program& its_program, const SearchOptions& its_options, uint32_t most)
      : Tree(its_program, its_options), most_(most) {}

 protected:
  void begin() override { present_.assign(1, Node()); }
  void write(size_t node, Plan& out) override {
    write_way(present_[node].steps.get(), present_[node].way, options.limits, out);
  }

  size_t find_children(size_t node, const Plan& plan, const Execution& execution) override {
    ways_.clear();
    add_ways(execution, plan.prefix.size(), present_[node].way.preemptions, most_, ways_);
    steps_ = nullptr;
    if (!ways_.empty()) {
      steps_ = std::make_shared<std::vector<PlannedStep>>(
          schedule_of(execution, ways_.back().position + 1));
    }
    return ways_.size();
  }

  NodeKind kind_of(size_t child, const Execution& execution) const override {
    const Way& way = ways_[child];
    return {most_ - way.preemptions,
            static_cast<uint32_t>(execution.transitions.size()) - way.position};
  }
  void keep(size_t child, size_t place) override {
    if (place >= next_.size()) next_.resize(place + 1);
    next_[place] = {steps_, ways_[child]};
  }
  void go_down() override {
    present_.swap(next_);
    next_.clear();
  }

 private:
  struct Node {
    std::shared_ptr<const std::vector<PlannedStep>> steps = nullptr;
    Way way = {};
  };

  const uint32_t most_;
  std::vector<Node> present_;
  std::vector<Node> next_;
  std::vector<Way> ways_;
  std::shared_ptr<const std::vector<PlannedStep>> steps_;
};

SizeEstimator::SizeEstimator(Program& program, const SearchOptions& options,
                             std::optional<uint32_t> preemptions) {
  if (preemptions) {
    tree_ = std::make_unique<ScheduleTree>(program, options, *preemptions);
  } else {
    tree_ = std::make_unique<ReverseTree>(program, options);
  }
}

SizeEstimator::~SizeEstimator() = default;

bool SizeEstimator::is_fine_enough() const {
  if (!has_estimate()) return false;
  const TreeSize size = tree_->passes.size();
  return size.is_exact ||
         (tree_->result.passes >= kLeastPasses && size.log_high - size.log_low < kFineEnough);
}

Result<void> SizeEstimator::work_until(uint64_t executions) {
  const FaultingTimeStamps as_in_the_program;
  while (tree_->result.executions < executions && !tree_->is_over() && !is_fine_enough()) {
    if (Result<void> passed = tree_->pass(); !passed) return passed;
  }
  return {};
}

Result<void> SizeEstimator::work(double seconds) {
  const FaultingTimeStamps as_in_the_program;
  const Clock::time_point begin = Clock::now();
  const Clock::time_point end = begin + as_duration(seconds);
  do {
    if (Result<void> passed = tree_->pass(); !passed) return passed;
  } while (Clock::now() < end && !tree_->is_over() && !is_fine_enough());
  tree_->result.seconds += seconds_since(begin);
  return {};
}

bool SizeEstimator::has_estimate() const { return !tree_->passes.empty(); }
bool SizeEstimator::is_exact() const { return has_estimate() && tree_->passes.size().is_exact; }

SizeEstimate SizeEstimator::estimate() const {
  SizeEstimate estimate = tree_->result;
  if (has_estimate()) estimate.size = tree_->passes.size();
  estimate.reversed = tree_->shares();
  return estimate;
}

}  // namespace mazurka
