#include "objects/operation.h"

namespace mazurka {

const char* name_of(OpKind kind) {
  switch (kind) {
    case OpKind::None:
      return "nothing";
    case OpKind::Join:
      return "join";
    case OpKind::ThreadExit:
      return "thread exit";
    case OpKind::ProcessEnd:
      return "process end";
    case OpKind::Fork:
      return "fork";
    case OpKind::Exec:
      return "exec";
    case OpKind::Crash:
      return "crash";
    case OpKind::Assertion:
      return "assertion";
    case OpKind::Misuse:
      return "misuse";
    case OpKind::WaitChild:
      return "wait for child";
    case OpKind::Toss:
      return "toss";
    case OpKind::Event:
      return "event";
    case OpKind::MutexLock:
      return "lock";
    case OpKind::MutexUnlock:
      return "unlock";
    case OpKind::MutexDestroy:
      return "mutex destroy";
    case OpKind::MutexConsistent:
      return "mutex consistent";
    case OpKind::CondWait:
      return "condition wait";
    case OpKind::CondReacquire:
      return "condition reacquire";
    case OpKind::CondWake:
      return "condition wake";
    case OpKind::CondSignal:
      return "signal";
    case OpKind::CondBroadcast:
      return "broadcast";
    case OpKind::CondDestroy:
      return "condition destroy";
    case OpKind::ReadLock:
      return "read lock";
    case OpKind::WriteLock:
      return "write lock";
    case OpKind::RwUnlock:
      return "read-write unlock";
    case OpKind::RwDestroy:
      return "read-write lock destroy";
    case OpKind::BarrierArrive:
      return "barrier arrive";
    case OpKind::BarrierLeave:
      return "barrier leave";
    case OpKind::BarrierDestroy:
      return "barrier destroy";
    case OpKind::SemWait:
      return "semaphore wait";
    case OpKind::SemPost:
      return "semaphore post";
    case OpKind::SemGetValue:
      return "semaphore value";
    case OpKind::SemDestroy:
      return "semaphore destroy";
    case OpKind::Semop:
      return "semop";
    case OpKind::SemctlSet:
      return "semctl set";
    case OpKind::SemctlGet:
      return "semctl get";
    case OpKind::SemctlRemove:
      return "semctl remove";
    case OpKind::NameOpen:
      return "open name";
    case OpKind::NameUnlink:
      return "unlink name";
    case OpKind::OnceBegin:
      return "once begin";
    case OpKind::OnceEnd:
      return "once end";
    case OpKind::FutexWait:
      return "futex wait";
    case OpKind::FutexBlocked:
      return "futex blocked";
    case OpKind::FutexWake:
      return "futex wake";
    case OpKind::VarLoad:
      return "load";
    case OpKind::VarStore:
      return "store";
    case OpKind::VarUpdate:
      return "update";
    case OpKind::VarCompareExchange:
      return "compare-exchange";
    case OpKind::ChannelRead:
      return "read";
    case OpKind::ChannelWrite:
      return "write";
    case OpKind::DescriptionOpen:
      return "open descriptor";
    case OpKind::DescriptionClose:
      return "close";
    case OpKind::DescriptionSet:
      return "set descriptor";
    case OpKind::Poll:
      return "poll";
    case OpKind::QueueSend:
      return "send";
    case OpKind::QueueReceive:
      return "receive";
    case OpKind::QueueGet:
      return "queue state";
    case OpKind::QueueSet:
      return "queue set";
    case OpKind::QueueRemove:
      return "queue remove";
    case OpKind::TimerRead:
      return "timer read";
    case OpKind::TimerSet:
      return "timer set";
    case OpKind::TimerGet:
      return "timer state";
    case OpKind::SocketBind:
      return "bind";
    case OpKind::SocketListen:
      return "listen";
    case OpKind::SocketConnect:
      return "connect";
    case OpKind::SocketAccept:
      return "accept";
    case OpKind::DatagramSend:
      return "send datagram";
    case OpKind::AddressLook:
      return "look at name";
    case OpKind::AddressUnlink:
      return "unlink";
    case OpKind::FifoMake:
      return "make FIFO";
    case OpKind::FifoOpen:
      return "open FIFO";
    case OpKind::FifoWait:
      return "wait for the other end";
    case OpKind::SignalSend:
      return "send signal";
    case OpKind::SignalAction:
      return "signal action";
    case OpKind::SignalMask:
      return "signal mask";
    case OpKind::SignalLook:
      return "pending signals";
    case OpKind::SignalPause:
      return "pause";
    case OpKind::SignalWait:
      return "wait for signal";
    case OpKind::SignalCancel:
      return "cancel timer";
    case OpKind::FileLock:
      return "lock file";
    case OpKind::FileUnlock:
      return "unlock file";
    case OpKind::FileLook:
      return "look at locks";
    case OpKind::FileForget:
      return "close";
    case OpKind::FileUse:
      return "use file";
    case OpKind::Yield:
      return "yield";
    case OpKind::kCount:
      break;
  }
  return "unknown operation";
}

const char* describe(Misuse misuse) {
  switch (misuse) {
    case Misuse::None:
      return "no misuse";
    case Misuse::UnlockNotOwned:
      return "unlocks a lock that the thread does not hold";
    case Misuse::DestroyBusy:
      return "destroys an object that is in use";
    case Misuse::NotInitialised:
      return "uses an object that was never initialised";
    case Misuse::Destroyed:
      return "uses an object that was destroyed";
    case Misuse::RelockedOwn:
      return "locks a lock that the thread holds already";
    case Misuse::WaitNotOwned:
      return "waits on a condition with a mutex that the thread does not hold";
    case Misuse::TwoMutexes:
      return "waits on a condition with another mutex than its other waiters";
    case Misuse::JoinTwice:
      return "joins a thread that was joined or detached";
    case Misuse::BadThread:
      return "names a thread that does not exist";
    case Misuse::Overflow:
      return "makes an object count further than it can";
  }
  return "unknown misuse";
}

}  // namespace mazurka
