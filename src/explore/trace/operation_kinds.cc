#include "explore/trace/operation_kinds.h"

#include <signal.h>

#include <algorithm>

namespace mazurka {

bool may_have_outcomes(const Operation& op) {
  switch (op.kind) {
    case OpKind::Toss:
    case OpKind::CondSignal:
    case OpKind::FutexWake:
      return true;
    case OpKind::TimerRead:
      return true;
    case OpKind::Poll:
      return (op.flags & kMayExpire) != 0;
    case OpKind::WaitChild:
      return op.target == kNoThread;
    case OpKind::ChannelRead:
      return (op.flags & (kLossy | kPartial)) != 0;
    case OpKind::ChannelWrite:
      return (op.flags & kPartial) != 0;
    case OpKind::DatagramSend:
      return (op.flags & kLossy) != 0;
    default:
      return false;
  }
}

bool may_block(const Operation& op) {
  switch (op.kind) {
    case OpKind::Join:
    case OpKind::MutexLock:
    case OpKind::ReadLock:
    case OpKind::WriteLock:
    case OpKind::SemWait:
    case OpKind::ChannelRead:
    case OpKind::ChannelWrite:
    case OpKind::Poll:
    case OpKind::QueueSend:
    case OpKind::QueueReceive:
    case OpKind::TimerRead:
    case OpKind::SocketConnect:
    case OpKind::SocketAccept:
    case OpKind::DatagramSend:
    case OpKind::FifoWait:
    case OpKind::FileLock:
      return (op.flags & (kTry | kTimed)) == 0;
    case OpKind::Semop:
    case OpKind::FutexBlocked:
      return (op.flags & kTimed) == 0;
    case OpKind::WaitChild:
      return (op.flags & kTry) == 0;
    case OpKind::VarLoad:
    case OpKind::VarStore:
    case OpKind::VarUpdate:
    case OpKind::VarCompareExchange:
      return (op.flags & kSpinning) != 0;
    case OpKind::CondReacquire:
    case OpKind::BarrierLeave:
    case OpKind::OnceBegin:
    case OpKind::Yield:
      return true;
    default:
      return false;
  }
}

bool ends_threads(const Transition& made) {
  switch (made.op.kind) {
    case OpKind::ProcessEnd:
    case OpKind::Exec:
    case OpKind::Crash:
    case OpKind::Assertion:
    case OpKind::Misuse:
      return true;
    default:
      return made.effect.misuse != Misuse::None ||
             ended_by_signal(made.op, made.choice.outcome, made.effect);
  }
}

bool destroys(OpKind kind) {
  switch (kind) {
    case OpKind::MutexDestroy:
    case OpKind::CondDestroy:
    case OpKind::RwDestroy:
    case OpKind::BarrierDestroy:
    case OpKind::SemDestroy:
      return true;
    default:
      return false;
  }
}

bool may_bring_signals(const Operation& op) {
  switch (op.kind) {
    case OpKind::SignalSend:
      return op.value != 0;
    case OpKind::SignalAction:
      return op.value == SIGCHLD;
    case OpKind::SignalMask:
      return (static_cast<uint64_t>(op.value) & signal_bit(SIGCHLD)) != 0;
    default:
      return false;
  }
}

bool uses_signals(const Execution& execution) {
  if ((execution.rarities & kRareSignalCalls) == 0) return false;
  return std::any_of(execution.transitions.begin(), execution.transitions.end(),
                     [](const Transition& made) { return may_bring_signals(made.op); });
}

}  // namespace mazurka
