#include "program/plan_writer.h"

#include <algorithm>

#include "protocol/batch.h"
#include "protocol/known_words.h"

namespace mazurka {
namespace {

// Where the next plan's parts go.
struct Ends {
  size_t prefix = 0;
  size_t sleep = 0;
  size_t blocks = 0;
  size_t block_accesses = 0;

  bool has_room_for(const Plan& plan) const {
    return prefix + plan.prefix.size() <= kMaxSteps && sleep + plan.sleep.size() <= kMaxSleep &&
           blocks + plan.blocks.size() <= kMaxBlocks &&
           block_accesses + plan.block_accesses.size() <= kMaxBlockAccesses;
  }
};

// Puts them at `end` of the array, and moves it on.
template <typename T>
void append(const std::vector<T>& items, T* array, size_t& end, uint32_t& begin, uint32_t& count) {
  begin = static_cast<uint32_t>(end);
  count = static_cast<uint32_t>(items.size());
  std::copy(items.begin(), items.end(), array + end);
  end += items.size();
}

void write(const Plan& plan, Segment& out, PlanHeader& header, Ends& ends) {
  header = {};
  append(plan.prefix, out.prefix, ends.prefix, header.prefix_begin, header.prefix_length);
  header.depth = plan.limits.depth;
  header.bound = plan.limits.bound;
  header.livelock = plan.limits.livelock;
  header.stacks = plan.stacks;
  header.show_output = plan.show_output;
  header.random = plan.random;
  header.policy = policy_of(plan);
  header.watched = plan.watched;
  header.conditional = plan.conditional;
  header.invisible_first = plan.rule != nullptr;
  header.composed = plan.rule != nullptr && plan.rule->composed;
  header.lists_enabled = plan.lists_enabled;
  header.forced = plan.forced;
  append(plan.sleep, out.planned_sleep, ends.sleep, header.sleep_begin, header.sleep_count);
  append(plan.blocks, out.planned_blocks, ends.blocks, header.block_begin, header.block_count);
  append(plan.block_accesses, out.planned_block_accesses, ends.block_accesses,
         header.block_access_begin, header.block_access_count);
  if (plan.is_awake) header.block_count = header.block_access_count = 0;
}

// One for all plans: a search learns between its rounds.
void write(const TransitionRule& rule, Segment& out) {
  out.free_run.visible_locks = rule.visible_locks;
  if (!rule.composed || out.known_words.version == rule.version) return;
  clear_words(out.known_words);
  for (const MemoryWord& word : rule.words) add_word(out.known_words, word);
  out.known_words.version = rule.version;
}

// One for all plans of a batch.
void write(const SamplingRule* rule, Segment& out) {
  static const SamplingRule kNothing;
  if (rule == nullptr) rule = &kNothing;
  if (out.free_run.sampling.version != rule->version) out.free_run.sampling = *rule;
}

}  // namespace

size_t write_batch(const Plan* plans, size_t count, Segment& out) {
  clear_batch(out);
  Ends ends;
  size_t written = 0;
  if (count > 0 && plans[0].rule != nullptr) write(*plans[0].rule, out);
  if (count > 0) write(plans[0].sampling.get(), out);
  while (written < std::min<size_t>(count, kMaxBatch) &&
         plans[written].sampling == plans[0].sampling && ends.has_room_for(plans[written])) {
    write(plans[written], out, out.plans[written], ends);
    ++written;
  }
  out.batch.plan_count = static_cast<uint32_t>(written);
  return written;
}

}  // namespace mazurka
