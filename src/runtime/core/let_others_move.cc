#include "runtime/core/let_others_move.h"

#include "objects/choices.h"

namespace mazurka {
namespace {

ThreadState& me() { return world().thread(current_thread()); }

void wait_for_others(Call call) {
  me().waiting_since = world().moves;
  reach({.kind = OpKind::WaitForOthers}, call);
}

}  // namespace

bool let_others_move(Call call) {
  const uint64_t moves = world().moves;
  wait_for_others(call);
  constexpr uint64_t kOwn = 1;
  const bool moved = world().moves > moves + kOwn;
  if (moved) me().repeated_waits = 0;
  return moved;
}

void block_until_others_move(Call call) {
  me().repeated_waits = kMaxIdleWaits;
  wait_for_others(call);
  me().repeated_waits = 0;
}

void tried_in_vain() { --world().moves; }

}  // namespace mazurka
