#include "runtime/core/ends.h"

#include "base/check.h"
#include "protocol/look.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/core/stop.h"
#include "runtime/reset/in_place.h"

namespace mazurka {
namespace {

// Until the tool has looked at the program's memory.
void stand_still() {
  uint32_t& word = segment().control.ready;
  __atomic_store_n(&word, kStandsStill, __ATOMIC_RELEASE);
  while (__atomic_load_n(&word, __ATOMIC_ACQUIRE) == kStandsStill)
    raw_futex_wait(word, kStandsStill);
}

}  // namespace

void runtime_error(const char* sentence) {
  segment().log.text = add_text(sentence);
  end_execution(Ending::RuntimeError);
}

void end_execution(Ending ending) {
  MAZURKA_DEBUG_CHECK(ending != Ending::None);
  if (segment().plan.show_output == kShowsAndStands) stand_still();
  segment().log.ending = ending;
  if (segment().plan.stacks) {
    RuntimeHeap own;
    record_modules();
  }
  stop_here();
  if (runs_in_place()) return_to_server();
  raw_exit_group(0);
}

}  // namespace mazurka
