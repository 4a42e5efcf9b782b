#include "explore/optimal/optimal_run.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>

#include "explore/optimal/optimal_children.h"

namespace mazurka {

// What all parts of the search share.
class OptimalShared {
 public:
  Session& session;
  Crew& crew;
  const Limits& limits;
  std::atomic<bool> all_dependent = false;
  std::atomic<bool> must_start_again = false;

  OptimalShared(Session& its_session, Crew& its_crew, const Limits& its_limits)
      : session(its_session), crew(its_crew), limits(its_limits) {}

  // They are large, and a part that is given away should not be: whoever works on one borrows them.
  std::unique_ptr<OptimalChildren> borrow() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) free_.push_back(std::make_unique<OptimalChildren>());
    std::unique_ptr<OptimalChildren> children = std::move(free_.back());
    free_.pop_back();
    children->forget();
    if (all_dependent) children->make_all_dependent();
    return children;
  }
  void give_back(std::unique_ptr<OptimalChildren> children) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(children));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<OptimalChildren>> free_;
};

namespace {

class OptimalPart : public Part {
 public:
  OptimalPart(OptimalShared& shared, std::vector<OptimalTask> tasks)
      : shared_(shared), tasks_(std::move(tasks)) {}
  ~OptimalPart() override {
    if (children_ != nullptr) shared_.give_back(std::move(children_));
  }
  OptimalPart(const OptimalPart&) = delete;
  OptimalPart& operator=(const OptimalPart&) = delete;

  // The latest first: depth first keeps them few.
  void plan(size_t most, Round& round) override {
    planned_.clear();
    if (children_ != nullptr) children_->forget();
    while (!tasks_.empty() && round.size() < most) {
      const OptimalTask& task = tasks_.back();
      if (task.fits()) {
        // The child leaves its parent's schedule where its last block begins.
        Plan& plan = round.add(task.block.begin);
        task.write(plan);
        plan.limits = shared_.limits;
        // The program knows the real dependency only; where all is dependent, nothing ever sleeps.
        plan.is_awake = shared_.all_dependent;
        plan.lists_enabled = false;
        plan.random = 0;  // it may have been a sample's
        plan.sampling = nullptr;
        planned_.push_back(std::move(tasks_.back()));
      } else {
        shared_.session.leave_out({WhyIncomplete::ScheduleTooLong});
        shared_.session.note_done(task.weight);
      }
      tasks_.pop_back();
    }
  }

  void put_back(size_t first) override {
    for (; planned_.size() > first; planned_.pop_back())
      tasks_.push_back(std::move(planned_.back()));
  }

  void save(ByteWriter& out) const override { save_tasks(tasks_, out); }
  void restore(ByteReader& in) { tasks_ = restore_tasks(in); }

  bool take(const Round& round, size_t i, const Execution& execution, Session& session) override {
    const Plan& plan = round.plan(i);
    const double weight = planned_[i].weight;
    if (execution.transitions.size() < plan.prefix.size()) {  // broke off before anything new
      session.note_done(weight);
      return true;
    }
    // A wait for others lasts until they have moved since its thread did. So two transitions that
    // commute otherwise do not if one of them leads to such a wait, and which ones do is not known
    // before they happen: with such waits, all transitions are dependent.
    if (!shared_.all_dependent && waits_for_others(execution)) {
      shared_.must_start_again = true;
      shared_.crew.drop_all();
      return true;
    }
    if (children_ == nullptr) children_ = shared_.borrow();
    const size_t before = tasks_.size();
    const Execution* next = i + 1 < round.size() ? &round.execution(i + 1) : nullptr;
    children_->stop_by(session.stop());
    const bool knows_all = children_->find(plan, execution, tasks_, next);
    if (children_->is_broken_off()) {
      tasks_.resize(before);
      children_->forget();
      return false;
    }
    if (!knows_all) session.leave_out({WhyIncomplete::ModelsNotFollowed});
    // Each child is expected to be as much work as this one was, whatever it turns out to be.
    const double share = weight / static_cast<double>(tasks_.size() - before + 1);
    for (size_t child = before; child < tasks_.size(); ++child) tasks_[child].weight = share;
    session.note_done(share);
    return true;
  }
  bool can_take_again() const override { return true; }

  std::unique_ptr<Part> split() override {
    if (tasks_.size() < 2) return nullptr;
    const auto half = tasks_.begin() + static_cast<std::ptrdiff_t>(tasks_.size() / 2);
    std::vector<OptimalTask> oldest(std::make_move_iterator(tasks_.begin()),
                                    std::make_move_iterator(half));
    tasks_.erase(tasks_.begin(), half);
    return std::make_unique<OptimalPart>(shared_, std::move(oldest));
  }

 private:
  OptimalShared& shared_;
  std::unique_ptr<OptimalChildren> children_;  // once it is worked on
  std::vector<OptimalTask> tasks_;
  std::vector<OptimalTask> planned_;  // of the present round
};

}  // namespace

OptimalRun::OptimalRun(Session& session, Crew& crew, const SearchOptions& options)
    : shared_(std::make_unique<OptimalShared>(session, crew, options.limits)) {
  crew.save_shared_by([this](ByteWriter& out) { out.put(shared_->all_dependent.load()); });
  ByteReader saved(options.checkpoints.resume);
  if (!options.checkpoints.resume.empty()) {
    session.restore(saved);
    shared_->all_dependent = saved.get<bool>();
  }
  parts_ = restored_parts<OptimalPart>(options, saved, session, [&] {
    return std::make_unique<OptimalPart>(*shared_, std::vector<OptimalTask>(1));
  });
}

OptimalRun::~OptimalRun() = default;

bool OptimalRun::work(uint64_t until) {
  bool is_through = shared_->crew.work(parts_, until);
  if (!shared_->must_start_again.exchange(false)) return is_through;
  shared_->all_dependent = true;
  shared_->session.start_again();
  parts_.clear();
  parts_.push_back(std::make_unique<OptimalPart>(*shared_, std::vector<OptimalTask>(1)));
  return shared_->crew.work(parts_, until);
}

}  // namespace mazurka
