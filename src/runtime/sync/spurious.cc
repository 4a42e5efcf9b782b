#include "runtime/sync/spurious.h"

namespace mazurka {
namespace {

// In this execution. Private memory: fork copies it, a reset undoes it.
uint8_t happened[kMaxThreads];

}  // namespace

bool happens_for_no_reason(ObjectId object, UnaskedOption what, Call call) {
  Control& control = segment().control;
  if (control.spurious == 0) {
    control.unasked |= what;
    return false;
  }
  uint8_t& count = happened[index(current_thread())];
  if (count >= control.spurious) return false;
  const Operation toss{.kind = OpKind::Toss, .flags = kForNoReason, .object = object, .value = 1};
  if (reach(toss, call).value == 0) return false;
  ++count;
  return true;
}

}  // namespace mazurka
