#include "execution/execution.h"

#include <algorithm>

#include "base/check.h"

namespace mazurka {

bool can_carry(const Plan& plan) {
  return plan.prefix.size() <= kMaxSteps && plan.sleep.size() <= kMaxSleep &&
         plan.blocks.size() <= kMaxBlocks && plan.block_accesses.size() <= kMaxBlockAccesses;
}

Policy policy_of(const Plan& plan) {
  return plan.random != 0 || plan.policy == Policy::Stay ? plan.policy : Policy::First;
}

void write_free_run(const Plan& plan, FreeRun& out) {
  MAZURKA_CHECK(can_carry(plan));
  out.random = plan.random;
  out.policy = policy_of(plan);
  if (plan.sampling != nullptr) {
    out.sampling = *plan.sampling;
  } else if (out.sampling.version != 0) {
    out.sampling = {};
  }
  out.forced = plan.forced;
  out.conditional = plan.conditional;
  out.invisible_first = plan.rule != nullptr;
  out.composed = plan.rule != nullptr && plan.rule->composed;
  if (plan.rule != nullptr) out.visible_locks = plan.rule->visible_locks;
  out.sleep_count = static_cast<uint32_t>(plan.sleep.size());
  out.block_count = plan.is_awake ? 0 : static_cast<uint32_t>(plan.blocks.size());
  out.block_access_count = static_cast<uint32_t>(plan.block_accesses.size());
  std::copy(plan.sleep.begin(), plan.sleep.end(), out.sleep);
  std::copy(plan.blocks.begin(), plan.blocks.end(), out.blocks);
  std::copy(plan.block_accesses.begin(), plan.block_accesses.end(), out.block_accesses);
}

void add_creations(Transition& transition) {
  for (const ThreadCreation& creation : transition.after.creations) {
    transition.accesses.push_back(
        {{Resource::Kind::Thread, 0, 0, index(creation.created)}, Mode::Write, {}});
  }
}

void note_rarities(Execution& execution) {
  execution.rarities = 0;
  for (const Transition& made : execution.transitions)
    execution.rarities |= rarities_of(made.op, made.choice, made.effect);
  for (const ThreadAtEnd& thread : execution.threads)
    execution.rarities |= rarities_of(thread.pending);
}

namespace {

// Whether some thread has done such an operation, or is about to.
template <typename F>
bool any_operation(const Execution& execution, F&& is_one) {
  return std::any_of(execution.transitions.begin(), execution.transitions.end(),
                     [&](const Transition& made) { return is_one(made.op.kind); }) ||
         std::any_of(execution.threads.begin(), execution.threads.end(),
                     [&](const ThreadAtEnd& end) {
                       return end.stands_before_operation() && is_one(end.pending.kind);
                     });
}

}  // namespace

bool waits_for_others(const Execution& execution) {
  return (execution.rarities & kRareWaits) != 0 &&
         any_operation(execution, [](OpKind kind) { return kind == OpKind::WaitForOthers; });
}

bool has_pauses(const Execution& execution) {
  return any_operation(execution, lets_others_go_first);
}

void add_waits_for_moves(Execution& execution) {
  if (!waits_for_others(execution)) return;
  std::vector<bool> yields(kMaxThreads);  // by thread, whether that is what it does next
  for (const ThreadAtEnd& thread : execution.threads) {
    yields[index(thread.id)] =
        thread.stands_before_operation() && thread.pending.kind == OpKind::WaitForOthers;
  }
  for (size_t i = execution.transitions.size(); i-- > 0;) {
    Transition& transition = execution.transitions[i];
    const uint16_t thread = index(transition.choice.thread);
    bool begins = yields[thread];
    for (const ThreadCreation& made : transition.after.creations) {
      begins = begins || yields[index(made.created)];
    }
    if (begins) transition.accesses.push_back({moves_resource(), Mode::Write, {}});
    yields[thread] = transition.op.kind == OpKind::WaitForOthers;
  }
}

void read_possible_accesses(const World& world, ThreadAtEnd& thread) {
  MAZURKA_CHECK(thread.stands_before_operation());
  Access items[kMaxStepAccesses];
  AccessList list{items, kMaxStepAccesses};
  possible_accesses(world, thread.id, thread.pending, list);
  thread.possible_accesses.assign(items, items + list.count);
}

std::optional<MemoryMode> memory_mode_of(const std::string& name) {
  if (name == "races") return MemoryMode::Races;
  if (name == "visible") return MemoryMode::Visible;
  return std::nullopt;
}

std::optional<Discipline> discipline_of(const std::string& name) {
  for (const Discipline discipline : {Discipline::Checked, Discipline::Strict}) {
    if (name == name_of(discipline)) return discipline;
  }
  return std::nullopt;
}

const char* name_of(Discipline discipline) {
  switch (discipline) {
    case Discipline::Unchecked:
      break;
    case Discipline::Checked:
      return "checked";
    case Discipline::Strict:
      return "strict";
  }
  return "unchecked";
}

}  // namespace mazurka
