// For the tests of the searches: threads that each do so many independent operations, and a test
// that decides what each execution shows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "execution/program.h"

namespace mazurka {

class FakeProgram : public Program {
 public:
  explicit FakeProgram(std::vector<int> operations) : operations_(std::move(operations)) {}

  std::function<void(const Plan&, Execution&)> change;  // of an execution, before it is given out
  std::vector<UnmodelledCall> unmodelled_calls;
  int runs = 0;

  Result<void> run(const Plan& plan, Execution& out) override {
    ++runs;
    out = Execution{};
    std::vector<int> left = operations_;
    while (true) {
      const std::vector<Choice> enabled = choices(left);
      if (enabled.empty()) break;
      const size_t at = out.transitions.size();
      if (at == plan.limits.depth) {
        out.end = End::DepthReached;
        break;
      }
      const bool planned = at < plan.prefix.size();
      const Choice choice = planned ? plan.prefix[at].choice : enabled[0];
      Transition transition = step(choice, left[index(choice.thread)]--);
      if (!planned) transition.enabled = enabled;
      out.transitions.push_back(std::move(transition));
    }
    if (change) change(plan, out);
    return {};
  }

  std::string thread_name(ThreadId id) const override {
    return id == kMainThread ? "T0" : "T0." + std::to_string(index(id));
  }
  std::vector<uint32_t> thread_path(ThreadId id) const override {
    return id == kMainThread ? std::vector<uint32_t>{} : std::vector<uint32_t>{index(id)};
  }
  Result<ThreadId> intern_thread(const std::vector<uint32_t>& path) override {
    if (path.size() > 1) return Error{"no such thread"};
    return path.empty() ? kMainThread : ThreadId(static_cast<uint16_t>(path[0]));
  }
  std::string object_name(ObjectId id) const override { return "m" + std::to_string(index(id)); }
  std::vector<UnmodelledCall> unmodelled() const override { return unmodelled_calls; }

 private:
  static std::vector<Choice> choices(const std::vector<int>& left) {
    std::vector<Choice> enabled;
    for (size_t i = 0; i < left.size(); ++i) {
      if (left[i] > 0) enabled.push_back({ThreadId(static_cast<uint16_t>(i)), kOnlyOutcome});
    }
    return enabled;
  }

  static Transition step(Choice choice, int left) {
    Transition transition;
    transition.choice = choice;
    transition.process = kMainThread;
    transition.op.kind = OpKind::MutexLock;
    transition.op.object = ObjectId(index(choice.thread));
    transition.place.pc = 0x1000u * (index(choice.thread) + 1u) + static_cast<unsigned>(left);
    return transition;
  }

  std::vector<int> operations_;
};

}  // namespace mazurka
