#include "sim/views/waiting_text.h"

#include <fmt/format.h>

#include "objects/all_words.h"

namespace mazurka {
namespace {

constexpr size_t kMostNamed = 4;

std::string names_of(const std::vector<ThreadId>& threads, const Describer& describer,
                     const Execution& execution) {
  std::string text;
  for (size_t i = 0; i < threads.size() && i < kMostNamed; ++i) {
    text += (i > 0 ? ", " : "") + describer.thread_title(threads[i], execution);
  }
  return threads.size() > kMostNamed
             ? text + fmt::format(" and {} others", threads.size() - kMostNamed)
             : text;
}

}  // namespace

Waiting waiting_of(const World& world, ThreadId thread, const Operation& op,
                   const std::vector<OpPart>& parts, const Takings& takings,
                   const Describer& describer, const Execution& execution) {
  const OpWords& words = words_of(op.kind);
  const ThreadState& state = world.thread(thread);
  const bool waits_for_wake = state.waiting_on != kNoObject && !state.woken;
  Waiting waiting;
  waiting.is_asleep = waits_for_wake || words.sleeps;
  waiting.holders = words.holders(world, thread, op);
  if (waits_for_wake && !words.sleeps) {
    waiting.why = kWaitsToBeWoken;
    return waiting;
  }
  if (!waiting.holders.empty() && !words.sleeps) {
    waiting.why = words.holders_are + names_of(waiting.holders, describer, execution);
    return waiting;
  }
  const Stuck stuck{world, thread, op, parts, takings, describer};
  Why why = words.why == nullptr ? cannot_happen(stuck) : words.why(stuck);
  waiting.why = std::move(why.text);
  if (!why.hopes.empty())
    waiting.why += why.before_hopes + names_of(why.hopes, describer, execution) + why.after_hopes;
  waiting.hopes = std::move(why.hopes);
  return waiting;
}

}  // namespace mazurka
