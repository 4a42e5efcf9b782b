#include "sim/views/wake_history.h"

#include <fmt/format.h>

#include <optional>

#include "sim/views/waiting_text.h"

namespace mazurka {
namespace {

bool wakes(const Transition& made, ObjectId object) {
  const OpKind kind = made.op.kind;
  const bool is_wake =
      kind == OpKind::CondSignal || kind == OpKind::CondBroadcast || kind == OpKind::FutexWake;
  return is_wake && made.op.object == object && made.effect.misuse == Misuse::None;
}

bool ends_here(const Run& run, uint32_t at) {
  const End end = run.execution.end;
  return at == run.length() && (end == End::Deadlock || end == End::Livelock);
}

}  // namespace

std::string wake_history(const Run& run, uint32_t at, ThreadId thread, ObjectId object,
                         Naming& naming) {
  std::optional<uint32_t> last;   // that somebody notified it
  std::optional<uint32_t> began;  // the thread's own last step: it began to wait
  for (uint32_t i = at; i-- > 0 && !(last && began);) {
    const Transition& made = run.execution.transitions[i];
    if (!began && made.choice.thread == thread) began = i;
    if (!last && wakes(made, object)) last = i;
  }
  const bool is_over = ends_here(run, at);
  if (!last) return is_over ? "will never be woken: nobody has notified it" : kWaitsToBeWoken;
  const Transition& made = run.execution.transitions[*last];
  const std::string where = naming.describer().short_location(made.place);
  std::string text = fmt::format("{} the last notify was step {}{}",
                                 is_over ? "will never be woken:" : "waits to be woken;", *last + 1,
                                 where.empty() ? "" : " (" + where + ")");
  if (began && *last < *began) return text + ", before it began to wait";
  if (made.op.kind == OpKind::CondSignal && made.choice.outcome != kNobody) {
    const ThreadId woken{made.choice.outcome};
    if (woken != thread) text += ", which woke " + naming.describer().thread(woken);
  }
  return text;
}

}  // namespace mazurka
