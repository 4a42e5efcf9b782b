// The atomic operations of instrumented code: visible, on kinds/variable/variable.h. The model
// decides when; the thread itself does it, on the program's own memory, right after. All of them
// are sequentially consistent; what order the program asked for counts for data races only.
#include "kinds/variable/update.h"
#include "runtime/accesses/atomic_step.h"
#include "runtime/core/hot.h"
#include "runtime/heap/allocator.h"
#include "runtime/sync/spurious.h"

MAZURKA_HOT(2) mazurka::CallerState mazurka_caller;

namespace mazurka {
namespace {

template <typename T>
int64_t number(const T& value) {
  return variable_value(&value, sizeof(T));
}

template <typename T>
T load(const volatile T* address, int order) {
  return step(address, sizeof(T), {.kind = OpKind::VarLoad}, order,
              [=] { return *const_cast<const T*>(address); });
}

template <typename T>
T update(volatile T* address, Update how, T operand, int order) {
  auto* const pointer = const_cast<T*>(address);
  Operation op{.kind = OpKind::VarUpdate, .update = how, .value = number(operand)};
  return step(address, sizeof(T), op, order, [=] {
    const T old = *pointer;
    *pointer = updated(old, how, operand);
    return old;
  });
}

template <typename T>
void store(volatile T* address, T value, int order) {
  auto* const pointer = const_cast<T*>(address);
  step(address, sizeof(T), {.kind = OpKind::VarStore, .value = number(value)}, order, [=] {
    *pointer = value;
    return 0;
  });
}

// Whoever expects the address of a block that was freed takes what lies there for that block; but
// it may come back, also to another thread, which our allocator does not do.
template <typename T>
void name_freed_block(T expected) {
  if constexpr (sizeof(T) == sizeof(uintptr_t)) {
    HeapPlace place;
    if (expected < kHeapBase || expected >= kHeapEnd) return;
    const bool is_block = allocator_describe(reinterpret_cast<void*>(expected), &place);
    if (!is_block || place.allocated || place.offset != 0) return;
    name_unmodelled("that the address of a freed block comes back (a compare-exchange expects it)",
                    {.pc = *mazurka_caller.stack_end});
  }
}

template <typename T>
T compare_exchange(volatile T* address, T expected, T desired, int order, int failure_order) {
  auto* const pointer = const_cast<T*>(address);
  Operation op{
      .kind = OpKind::VarCompareExchange, .value = number(expected), .desired = number(desired)};
  if (order_flags(failure_order) & kAcquire) op.flags = kAcquireOnFailure;
  return step(address, sizeof(T), op, order, [=] {
    const T old = *pointer;
    if (old == expected) *pointer = desired;
    name_freed_block(expected);
    return old;
  });
}

template <typename T>
int compare_exchange_into(volatile T* address, T* expected, T desired, int order,
                          int failure_order) {
  const T old = compare_exchange(address, *expected, desired, order, failure_order);
  if (old == *expected) return 1;
  *expected = old;
  if (reinterpret_cast<uintptr_t>(expected) - own_stack_low >= own_stack_size) ++spin_activity;
  return 0;
}

// It fails like one that found another value.
template <typename T>
int compare_exchange_into_weak(volatile T* address, T* expected, T desired, int order,
                               int failure_order) {
  const CallerState caller = mazurka_caller;  // others may come here meanwhile
  const bool fails = happens_for_no_reason(kNoObject, kUnaskedWeak, {});
  mazurka_caller = caller;
  if (!fails) return compare_exchange_into(address, expected, desired, order, failure_order);
  *expected = load(address, failure_order);
  ++spin_activity;
  return 0;
}
template <typename T>
int compare_exchange_into_strong(volatile T* address, T* expected, T desired, int order,
                                 int failure_order) {
  return compare_exchange_into(address, expected, desired, order, failure_order);
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

using Atomic8 = uint8_t;
using Atomic16 = uint16_t;
using Atomic32 = uint32_t;
using Atomic64 = uint64_t;
using Atomic128 = unsigned __int128;

// --- without Mazurka, on real threads

// libatomic has the builtins for 16 bytes; we may not need it.
template <typename T>
T update_for_real(volatile T* address, Update how, T operand) {
  T old = *address;
  for (;;) {
    const T found = __sync_val_compare_and_swap(address, old, updated(old, how, operand));
    if (found == old) return old;
    old = found;
  }
}
// Where there is an instruction for it: the variable may lie in memory that cannot be written.
template <typename T>
T load_for_real(const volatile T* address) {
  if constexpr (sizeof(T) <= sizeof(uint64_t)) return __atomic_load_n(address, __ATOMIC_SEQ_CST);
  return update_for_real(const_cast<volatile T*>(address), Update::Or, T{0});  // changes nothing
}
#define HIDDEN extern "C" __attribute__((visibility("hidden"), used))

#define ATOMICS(bits)                                                                             \
  HIDDEN Atomic##bits mazurka_atomic##bits##_load(const volatile Atomic##bits* a, int order) {    \
    if (!attached()) return load_for_real(a);                                                     \
    return load(a, order);                                                                        \
  }                                                                                               \
  HIDDEN void mazurka_atomic##bits##_store(volatile Atomic##bits* a, Atomic##bits v, int order) { \
    if (attached()) return store(a, v, order);                                                    \
    update_for_real(a, Update::Exchange, v);                                                      \
  }                                                                                               \
  UPDATE(bits, exchange, Exchange, v)                                                             \
  UPDATE(bits, fetch_add, Add, v)                                                                 \
  UPDATE(bits, fetch_sub, Add, static_cast<Atomic##bits>(-v))                                     \
  UPDATE(bits, fetch_and, And, v)                                                                 \
  UPDATE(bits, fetch_or, Or, v)                                                                   \
  UPDATE(bits, fetch_xor, Xor, v)                                                                 \
  UPDATE(bits, fetch_nand, Nand, v)                                                               \
  COMPARE(bits, strong)                                                                           \
  COMPARE(bits, weak)                                                                             \
  HIDDEN Atomic##bits mazurka_atomic##bits##_compare_exchange_val(                                \
      volatile Atomic##bits* a, Atomic##bits expected, Atomic##bits desired, int order,           \
      int failure) {                                                                              \
    if (!attached()) return __sync_val_compare_and_swap(a, expected, desired);                    \
    return compare_exchange(a, expected, desired, order, failure);                                \
  }

#define UPDATE(bits, name, how, operand)                                                      \
  HIDDEN Atomic##bits mazurka_atomic##bits##_##name(volatile Atomic##bits* a, Atomic##bits v, \
                                                    int order) {                              \
    if (!attached()) return update_for_real<Atomic##bits>(a, Update::how, operand);           \
    return update(a, Update::how, operand, order);                                            \
  }

#define COMPARE(bits, form)                                                              \
  HIDDEN int mazurka_atomic##bits##_compare_exchange_##form(                             \
      volatile Atomic##bits* a, Atomic##bits* expected, Atomic##bits desired, int order, \
      int failure) {                                                                     \
    if (!attached()) {                                                                   \
      const Atomic##bits wanted = *expected;                                             \
      *expected = __sync_val_compare_and_swap(a, wanted, desired);                       \
      return *expected == wanted;                                                        \
    }                                                                                    \
    return compare_exchange_into_##form(a, expected, desired, order, failure);           \
  }

ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)
ATOMICS(128)

MAZURKA_EXPORT void __tsan_atomic_thread_fence(int order) {
  if (!attached()) return __sync_synchronize();
  order_fence(order_flags(order));
}
MAZURKA_EXPORT void __tsan_atomic_signal_fence(int) {}
