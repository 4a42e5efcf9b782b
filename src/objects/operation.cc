#include "objects/operation.h"

#include "objects/op_table.h"

namespace mazurka {

const char* name_of(OpKind kind) {
  return kind < OpKind::kCount ? row_of(kind).name : "unknown operation";
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
