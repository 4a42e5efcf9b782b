#include "runtime/core/baton.h"

#include "base/check.h"
#include "runtime/accesses/race_clocks.h"
#include "runtime/accesses/seen_memory.h"
#include "runtime/accesses/spin_trail.h"
#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/heap/allocator.h"
#include "runtime/threads/fiber.h"

namespace mazurka {
namespace {

void await(uint32_t& word) {
  while (__atomic_load_n(&word, __ATOMIC_ACQUIRE) == 0) raw_futex_wait(word, 0);
  __atomic_store_n(&word, 0, __ATOMIC_RELAXED);
}

void release(uint32_t& word) {
  __atomic_store_n(&word, 1, __ATOMIC_RELEASE);
  raw_futex_wake(word);
}

void become(ThreadId id) {
  if (variables_are_seen()) {
    map_shared_part();  // unless another process was the first
    settle_store();
    change_spin_trail(state.current, id);
    enter_stack_of(id);
    show_clock(id);
  }
  state.current = id;
  segment().control.running = id;
  allocator_set_slot(slot_of(id));
}

void switch_within(ThreadId from, ThreadId to) {
  become(to);
  if (state.carrier == Carrier::Fibers) {
    switch_fiber(from, to);
  } else {
    release(context(to).turn);
    await(context(from).turn);
  }
}

// Requires that somebody gave, or will give, the baton to this process.
void receive_baton(ThreadId from) {
  await(process_slot(state.process).baton);
  const ThreadId to = process_slot(state.process).running;
  if (to == from) {
    become(from);
  } else {
    switch_within(from, to);
  }
}

}  // namespace

void hand_over(ThreadId from, ThreadId to) {
  MAZURKA_DEBUG_CHECK(from == state.current && from != to);
  const ProcessId there = world().thread(to).process;
  if (there == state.process) {
    switch_within(from, to);
  } else {
    give_away(to);
    receive_baton(from);
  }
}

void give_away(ThreadId to) {
  const ProcessId there = world().thread(to).process;
  MAZURKA_DEBUG_CHECK(there != state.process);
  process_slot(there).running = to;
  segment().control.baton_holder = there;
  release(process_slot(there).baton);
}

void await_first_baton() {
  await(process_slot(state.process).baton);
  become(process_slot(state.process).running);
}

}  // namespace mazurka
