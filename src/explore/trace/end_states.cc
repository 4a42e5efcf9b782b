#include "explore/trace/end_states.h"

#include <algorithm>

namespace mazurka {
namespace {

// splitmix64's finaliser over a running sum: order matters, and neighbours do not collide.
class Fingerprint {
 public:
  template <typename... T>
  void add(T... values) {
    (add_one(static_cast<uint64_t>(values)), ...);
  }
  uint64_t value() const { return state_; }

 private:
  void add_one(uint64_t value) {
    uint64_t z = state_ + 0x9e3779b97f4a7c15 + value;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    state_ = z ^ (z >> 31);
  }

  uint64_t state_ = 0;
};

void add(Fingerprint& print, const Operation& op) {
  print.add(op.kind, op.flags, index(op.target), index(op.object), index(op.second), op.value);
}

void add(Fingerprint& print, const Effect& effect) {
  print.add(effect.error, effect.misuse, index(effect.thread), effect.value);
}

uint64_t print_of(const ThreadAtEnd& thread, const Execution& execution) {
  Fingerprint print;
  print.add(index(thread.id), thread.status);
  for (const Transition& transition : execution.transitions) {
    if (transition.choice.thread != thread.id) continue;
    add(print, transition.op);
    add(print, transition.effect);
  }
  if (thread.stands_before_operation()) add(print, thread.pending);
  return print.value();
}

}  // namespace

uint64_t end_state(const Execution& execution) {
  std::vector<uint64_t> threads;
  for (const ThreadAtEnd& thread : execution.threads)
    threads.push_back(print_of(thread, execution));
  std::sort(threads.begin(), threads.end());  // whatever order the log has them in
  Fingerprint print;
  print.add(execution.end, execution.first_process_ended, execution.wait_status);
  for (const uint64_t thread : threads) print.add(thread);
  return print.value();
}

bool has_end_state(const Execution& execution) {
  switch (execution.end) {
    case End::Finished:
    case End::Deadlock:
    case End::Bounded:
    case End::Divergence:
    case End::Lost:
      return true;
    default:
      return false;
  }
}

bool kills(const Execution& execution) {
  return std::any_of(execution.threads.begin(), execution.threads.end(),
                     [](const ThreadAtEnd& thread) { return thread.killed; });
}

Result<void> EndStates::run(const Plan& plan, Execution& out) {
  if (Result<void> ran = program_.run(plan, out); !ran) return ran;
  keep(plan, out);
  return {};
}

Result<size_t> EndStates::run_some(const Plan* plans, size_t count, Execution* out) {
  if (more) count = 1;  // it tells of the last execution only
  Result<size_t> ran = program_.run_some(plans, count, out);
  for (size_t i = 0; ran.ok() && i < *ran; ++i) keep(plans[i], out[i]);
  return ran;
}

void EndStates::share(uint64_t address) {
  program_.share(address);
  forget();
}

void EndStates::forget() {
  const std::lock_guard lock(kept_->mutex);
  kept_->all.clear();
  kept_->deadlocks.clear();
}

Result<std::unique_ptr<Program>> EndStates::another() {
  if (more) return Error{"what is added to the fingerprints is known of one instance only"};
  Result<std::unique_ptr<Program>> program = program_.another();
  if (!program) return program.error();
  return std::unique_ptr<Program>(new EndStates(std::move(*program), kept_, leaves_out_killed));
}

void EndStates::keep(const Plan& plan, const Execution& execution) {
  if (plan.stacks || !has_end_state(execution)) return;
  if (leaves_out_killed && kills(execution)) return;
  uint64_t state = end_state(execution);
  if (more) state ^= more() * 0x9e3779b97f4a7c15;
  const std::lock_guard lock(kept_->mutex);
  const auto [place, is_new] = kept_->all.try_emplace(state);
  for (size_t i = 0; is_new && i < execution.transitions.size(); ++i) {
    place->second.push_back(execution.transitions[i].choice);
  }
  if (execution.end == End::Deadlock) kept_->deadlocks.insert(state);
}

}  // namespace mazurka
