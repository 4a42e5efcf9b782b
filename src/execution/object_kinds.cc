#include "execution/object_kinds.h"

namespace mazurka {

const char* name_of(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::None:
      return "nothing";
    case ObjectKind::Mutex:
      return "mutex";
    case ObjectKind::Condition:
      return "condition";
    case ObjectKind::RwLock:
      return "reader-writer lock";
    case ObjectKind::Barrier:
      return "barrier";
    case ObjectKind::Semaphore:
      return "semaphore";
    case ObjectKind::SemSet:
      return "semaphore set";
    case ObjectKind::Named:
      return "name";
    case ObjectKind::Once:
      return "once";
    case ObjectKind::Futex:
      return "futex";
    case ObjectKind::Variable:
      return "variable";
    case ObjectKind::Event:
      return "event";
    case ObjectKind::Channel:
      return "channel";
    case ObjectKind::Description:
      return "descriptor";
    case ObjectKind::Queue:
      return "message queue";
    case ObjectKind::Timer:
      return "timer";
    case ObjectKind::Address:
      return "address";
    case ObjectKind::File:
      return "file";
    case ObjectKind::FileName:
      return "file name";
    case ObjectKind::FileData:
      return "contents of a file";
  }
  return "unknown object";
}

}  // namespace mazurka
