#include "kinds/signals/signal_state_text.h"

#include "kinds/signals/signal_text.h"
#include "objects/world.h"

namespace mazurka {
namespace {

std::string pending_text(const PendingSignal& pending, const Namer& names) {
  const std::string name = signal_name(pending.signal);
  if ((pending.flags & kFromTimer) != 0) return name + " may come from a timer";
  return name + " is pending" +
         (pending.sender == kNoThread ? "" : ", from " + names.thread(pending.sender));
}

}  // namespace

std::vector<std::string> signals_of(const World& world, ThreadId thread, const Namer& names) {
  const ThreadState& state = world.thread(thread);
  const bool is_first = thread == state.process;
  std::vector<std::string> all;
  for (uint32_t i = 0; i < world.signal_count; ++i) {
    const PendingSignal& pending = world.signals[i];
    const bool is_for_process =
        pending.thread == kNoThread && pending.process == state.process && is_first;
    if (is_for_process || pending.thread == thread) all.push_back(pending_text(pending, names));
  }
  if (state.blocked != 0) all.push_back("blocks " + signal_names(state.blocked));
  if (!is_first) return all;
  const SignalTable& table = signal_table(world, state.process);
  if (table.handled != 0) all.push_back("handles " + signal_names(table.handled));
  if (table.ignored != 0) all.push_back("ignores " + signal_names(table.ignored));
  return all;
}

}  // namespace mazurka
