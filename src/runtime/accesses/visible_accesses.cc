#include "runtime/accesses/visible_accesses.h"

#include <sys/uio.h>

#include <cstring>

#include "runtime/accesses/annotated_blocks.h"
#include "runtime/accesses/annotated_calls.h"
#include "runtime/accesses/ended_stacks.h"
#include "runtime/accesses/lock_discipline.h"
#include "runtime/accesses/race_shadow.h"
#include "runtime/accesses/seen_memory.h"
#include "runtime/accesses/spin_trail.h"
#include "runtime/accesses/unshared_memory.h"
#include "runtime/core/hot.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/heap/allocator.h"

namespace mazurka {

bool accesses_are_visible;
bool accesses_are_special;
MAZURKA_HOT(2) uintptr_t own_stack_low;
MAZURKA_HOT(2) uintptr_t own_stack_size;

bool may_interleave() { return attached() && state.scheduling && !world().alone(state.current); }

namespace {

template <typename T>
using Unaligned __attribute__((aligned(1), may_alias)) = T;

int64_t value_of_odd_size(const volatile void* address, uint32_t size) {
  constexpr uint64_t kFactor = 0x9e37'79b9'7f4a'7c15;
  const auto* from = static_cast<const char*>(const_cast<const void*>(address));
  uint64_t value = 0;
  memcpy(&value, from, size < sizeof value ? size : sizeof value);
  while (size > sizeof value) {
    size -= static_cast<uint32_t>(sizeof value);
    from += sizeof value;
    uint64_t word = 0;
    memcpy(&word, from, size < sizeof word ? size : sizeof word);
    value = (value * kFactor) ^ ((word + kFactor) * 0xbf58'476d'1ce4'e5b9);
    value ^= value >> 31;
  }
  return static_cast<int64_t>(value);
}

}  // namespace

int64_t variable_value(const volatile void* address, uint32_t size) {
  switch (size) {
    case 1:
      return *static_cast<const volatile uint8_t*>(address);
    case 2:
      return *static_cast<const volatile Unaligned<uint16_t>*>(address);
    case 4:
      return *static_cast<const volatile Unaligned<uint32_t>*>(address);
    case 8:
      return static_cast<int64_t>(*static_cast<const volatile Unaligned<uint64_t>*>(address));
    default:
      return value_of_odd_size(address, size);
  }
}

void refresh_variable(ObjectId id, int64_t bytes) {
  Variable& variable = world().object(id).variable;
  if (variable.value == variable.fit(bytes)) return;
  variable.set(bytes);
  world().touch(id);
}

void refresh_overlapping(const Operation& op, const void* address) {
  const ObjectName& own = segment().names.objects[index(op.object)];
  for (uint32_t i = 0; i < op.part_count; ++i) {
    const OpPart& part = world().parts[op.part_begin + i];
    if (!part.variable.same_bytes) continue;
    const ObjectName& other = segment().names.objects[index(part.object)];
    const auto* const there =
        static_cast<const char*>(address) + static_cast<int64_t>(other.address - own.address);
    refresh_variable(part.object, variable_value(there, world().object(part.object).variable.size));
  }
}

namespace {

struct StackRange {
  uintptr_t low;
  uintptr_t size;
};

StackRange stack_of(ThreadId thread) {
  constexpr uintptr_t kFirstStack = uintptr_t{8} << 20;
  const Context& self = context(thread);
  if (self.stack_low != nullptr)
    return {reinterpret_cast<uintptr_t>(self.stack_low), self.stack_size};
  return {reinterpret_cast<uintptr_t>(self.first_frame) - kFirstStack, kFirstStack};
}

}  // namespace

void enter_stack_of(ThreadId thread) {
  const StackRange stack = stack_of(thread);
  own_stack_low = stack.low;
  own_stack_size = stack.size;
}

bool holds_stack_of(ThreadId thread, uintptr_t address) {
  const StackRange stack = stack_of(thread);
  return address - stack.low < stack.size;
}

ThreadId thread_with_stack(uintptr_t address) {
  if (address - own_stack_low < own_stack_size) return state.current;
  const World& w = world();
  for (uint32_t i = 0; i < w.thread_limit; ++i) {
    const bool is_here =
        w.threads[i].status != ThreadStatus::Absent && w.threads[i].process == state.process;
    if (!is_here) continue;
    const StackRange stack = stack_of(ThreadId(i));
    if (address - stack.low < stack.size) return ThreadId(i);
  }
  return kNoThread;
}

void begin_seeing() {
  if (!variables_are_seen()) return;
  enter_stack_of(kMainThread);
  if (!memory_is_seen()) return;
  show_clock(kMainThread);
  accesses_are_visible = static_cast<MemoryMode>(segment().control.memory) == MemoryMode::Visible;
  discipline_is_checked = segment().control.discipline != 0;
  begin_annotated_calls();
  begin_annotated_blocks();
  memory_is_annotated = segment().annotated_count != 0 || blocks_are_annotated();
  accesses_are_special = accesses_are_visible || discipline_is_checked || memory_is_annotated;
}

namespace {

// A plain write that is under way: the model gets the value when the thread comes to us the next
// time.
struct StoreUnderWay {
  bool is_there;
  uint32_t size;
  uintptr_t address;
  Operation op;
  int64_t before;  // of a look of a loop that waits, if nothing is changed
  bool is_look;
};
StoreUnderWay store_under_way;

// Other memory than the program's own data and stack may have been protected since.
bool is_readable(uintptr_t address) {
  if (address < kHeapBase || address - own_stack_low < own_stack_size) return true;
  char byte = 0;
  const iovec here{&byte, 1};
  const iovec there{reinterpret_cast<void*>(address), 1};
  return raw_syscall(SYS_process_vm_readv, raw_syscall(SYS_getpid), address_of(&here), 1,
                     address_of(&there), 1, 0) == 1;
}

// What it writes is not known yet (settle_store). The thread's own stack is no exception: what
// others never see there the compiler does not tell us.
void reach_access(uintptr_t address, uint32_t size, bool writes, uint64_t pc,
                  const SpinState* spin) {
  const auto* const pointer = reinterpret_cast<const void*>(address);
  Operation op{.kind = writes ? OpKind::VarStore : OpKind::VarLoad, .flags = kPlain};
  find_variables(pointer, static_cast<uint8_t>(size), op);
  refresh_variable(op.object, variable_value(pointer, size));
  if (spin != nullptr) wait_if_spinning(*spin, op);
  reach(op, {.pc = pc});
  if (is_on_other_stack(address)) visit_stack(address, kEpochBytes, writes ? kWrites : kReads, pc);
  if (spin != nullptr) note_visit(*spin, op.object, false);
  if (writes) store_under_way = {true, size, address, op, 0, false};
}

}  // namespace

void begin_store(const Operation& op, const void* address, uint32_t size) {
  store_under_way = {
      true, size, reinterpret_cast<uintptr_t>(address), op, variable_value(address, size), true};
}

void settle_store() {
  if (!store_under_way.is_there) return;
  store_under_way.is_there = false;
  if (!is_readable(store_under_way.address)) return;
  const auto* const pointer = reinterpret_cast<const void*>(store_under_way.address);
  refresh_variable(store_under_way.op.object, variable_value(pointer, store_under_way.size));
  refresh_overlapping(store_under_way.op, pointer);
  const bool is_other = store_under_way.before != variable_value(pointer, store_under_way.size);
  if (store_under_way.is_look && is_other) leave_spin_trail();
}

// A write counts as one that others may see (count_write in access_calls.cc), unless it shows on
// the thread's own stack.
void reach_range(uintptr_t address, size_t size, bool writes, uint64_t pc,
                 const CallerState* caller) {
  if (!may_interleave()) return;
  if (!writes && caller == nullptr) leave_spin_trail();
  const SpinState before = caller != nullptr ? spin_state(*caller) : SpinState{};
  constexpr uintptr_t kWord = 8;
  for (const uintptr_t end = address + size; address < end;) {
    uintptr_t next = (address / kWord + 1) * kWord;
    if (next > end) next = end;
    const SpinState spin{before.pc, before.stack,
                         before.hash + (end - address)};  // each word is another state
    reach_access(address, static_cast<uint32_t>(next - address), writes, pc,
                 caller != nullptr ? &spin : nullptr);
    address = next;
  }
}

}  // namespace mazurka
