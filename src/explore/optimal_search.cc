#include "explore/optimal_search.h"

#include <algorithm>

#include "explore/optimal_children.h"
#include "explore/session.h"

namespace mazurka {
namespace {

constexpr char kTooLong[] = "a schedule was too long to be followed";

class OptimalSearch {
 public:
  OptimalSearch(Program& program, const SearchOptions& options)
      : options_(options), session_(program, options) {
    start();
  }

  Verdict run() {
    while (!tasks_.empty() && session_.may_go_on()) {
      const Plan task = tasks_.back().plan(options_.limits);
      tasks_.pop_back();
      if (can_carry(task)) {
        run(task);
      } else {
        session_.leave_out(kTooLong);
      }
    }
    return session_.finish(tasks_.empty());
  }

 private:
  void start() { tasks_.assign(1, OptimalTask()); }

  void run(const Plan& task) {
    // The child leaves its parent's schedule where its last block begins.
    const size_t known = task.blocks.empty() ? 0 : task.blocks.back().begin;
    session_.run(children_.all_dependent() ? without_sleep(task) : task, known, execution_);
    if (session_.has_failed()) return;
    if (execution_.transitions.size() < task.prefix.size())
      return;  // broke off before anything new
    if (!children_.all_dependent() && has_yields(execution_)) {
      children_.make_all_dependent();
      session_.start_again();
      return start();
    }
    if (!children_.find(task, execution_, tasks_)) session_.leave_out(kUnfaithful);
  }

  // The program knows the real dependency only; where all is dependent, nothing ever sleeps.
  static Plan without_sleep(Plan task) {
    task.blocks.clear();
    task.block_accesses.clear();
    return task;
  }

  const SearchOptions& options_;
  Session session_;
  OptimalChildren children_;
  Execution execution_;
  std::vector<OptimalTask> tasks_;  // a stack: depth first keeps it small
};

}  // namespace

bool has_yields(const Execution& execution) {
  const auto is_yield = [](const Operation& op) { return op.kind == OpKind::Yield; };
  return std::any_of(execution.transitions.begin(), execution.transitions.end(),
                     [&](const Transition& made) { return is_yield(made.op); }) ||
         std::any_of(execution.threads.begin(), execution.threads.end(),
                     [&](const ThreadAtEnd& thread) {
                       return thread.stands_before_operation() && is_yield(thread.pending);
                     });
}

Verdict optimal_search(Program& program, const SearchOptions& options) {
  return OptimalSearch(program, options).run();
}

}  // namespace mazurka
