#include "explore/engine/transition_rules.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "explore/trace/operation_kinds.h"

namespace mazurka {

bool TransitionRules::learn(const Operation& op) {
  if (may_bring_signals(op)) return !std::exchange(has_signals_, true);
  if (op.kind == OpKind::WaitForOthers) return !std::exchange(waits_for_others_, true);
  if (!looks_at_lock(op) || looked_at_.has(op.object)) return false;
  looked_at_.add(op.object);
  ++looked_at_count_;
  return true;
}

bool TransitionRules::learn(const MemoryWord& word) {
  const auto [known, is_new] = known_words_.try_emplace({word.space, word.address}, words_.size());
  if (is_new) words_.push_back({word.address, word.space, 0, 0});
  MemoryWord& mine = words_[known->second];
  const auto cuts = static_cast<uint16_t>(mine.cuts | word.new_cuts);
  if (!is_new && cuts == mine.cuts) return false;
  mine.cuts = mine.new_cuts = cuts;
  return true;
}

bool TransitionRules::learn(const MemoryConflict& conflict) {
  is_violated_ = is_violated_ || conflict.kind == ConflictKind::Discipline;
  is_wrongly_unshared_ = is_wrongly_unshared_ || conflict.kind == ConflictKind::Unshared;
  is_torn_ = is_torn_ || conflict.kind == ConflictKind::Torn;
  if (conflict.kind != ConflictKind::Tentative) return false;
  shared_.push_back(conflict.address);
  return true;
}

bool TransitionRules::learn(const Execution& execution) {
  bool more = false;
  for (const Transition& transition : execution.transitions) more = learn(transition.op) || more;
  for (const ThreadAtEnd& thread : execution.threads) {
    if (thread.stands_before_operation()) more = learn(thread.pending) || more;
  }
  for (const MemoryWord& word : execution.new_words) more = learn(word) || more;
  for (const MemoryConflict& conflict : execution.conflicts) more = learn(conflict) || more;
  const bool has_processes =
      std::any_of(execution.threads.begin(), execution.threads.end(),
                  [](const ThreadAtEnd& thread) { return thread.process != kMainThread; });
  more = more || (has_processes && !has_processes_);
  has_processes_ = has_processes_ || has_processes;
  return more;
}

// Instances of programs tell by the version whether they know the words already.
std::shared_ptr<const TransitionRule> TransitionRules::rule() {
  static std::atomic<uint64_t> versions = 0;
  if (has_processes_ || waits_for_others_ || has_signals_) return nullptr;
  return std::make_shared<const TransitionRule>(
      TransitionRule{looked_at_, composed_, ++versions, words_});
}

Remarks<Note> TransitionRules::notes() const {
  if (has_processes_) return {{Note::HasProcesses}};
  if (waits_for_others_) return {{Note::WaitsForOthers}};
  if (has_signals_) return {{Note::UsesSignals}};
  if (looked_at_count_ == 0) return {};
  return {{Note::LocksLookedAt, looked_at_count_}};
}

}  // namespace mazurka
