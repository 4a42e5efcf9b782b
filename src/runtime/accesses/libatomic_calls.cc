// libatomic's functions, which compilers call for atomic variables of 16 bytes (clang) and of sizes
// for which the processor has no instruction. Larger than the model's variables can be: libatomic
// itself, whose locks are operations (its copies are not looked at for races).
#include <cstring>

#include "runtime/accesses/atomic_step.h"
#include "runtime/core/raw.h"

namespace mazurka {
namespace {

using Sixteen = unsigned __int128;
constexpr size_t kLargest = UINT8_MAX;

bool is_ours(size_t size) { return attached() && memory_is_seen() && size > 0 && size <= kLargest; }

// Null if the program is linked without it, because we have its functions.
#define LIBATOMIC(name) \
  reinterpret_cast<decltype(&mazurka_libatomic_##name)>(real_function("__atomic_" #name))

// In its place.
class Locked {
 public:
  Locked() {
    if (attached())
      name_unmodelled("an atomic variable of more than 255 bytes, without libatomic", {});
    while (__atomic_exchange_n(&is_taken_, true, __ATOMIC_ACQUIRE)) raw_syscall(SYS_sched_yield);
  }
  ~Locked() { __atomic_store_n(&is_taken_, false, __ATOMIC_RELEASE); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  static inline bool is_taken_ = false;
};

int64_t number(const void* bytes, size_t size) {
  return variable_value(bytes, static_cast<uint32_t>(size));
}

template <typename F>
auto do_step(const volatile void* address, size_t size, const Operation& op, int order, F&& real) {
  return step(address, static_cast<uint8_t>(size), op, order, real);
}

// The caller's own memory, where the result goes.
void count_result(const void* to) {
  if (reinterpret_cast<uintptr_t>(to) - own_stack_low >= own_stack_size) ++spin_activity;
}

void copy(void* to, const void* from, size_t size) { memcpy(to, from, size); }

void exchange(void* at, const void* value, void* result, size_t size) {
  auto* const bytes = static_cast<char*>(at);
  for (size_t i = 0; i < size; ++i) {  // the value may be where the result goes
    const char old = bytes[i];
    bytes[i] = static_cast<const char*>(value)[i];
    static_cast<char*>(result)[i] = old;
  }
}

bool compare_exchange(void* at, void* expected, const void* desired, size_t size) {
  const bool same = memcmp(at, expected, size) == 0;
  memcpy(same ? at : expected, same ? desired : at, size);
  return same;
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

#define HIDDEN extern "C" __attribute__((visibility("hidden"), used))

HIDDEN void mazurka_libatomic_load(size_t size, const void* address, void* result, int order) {
  if (!is_ours(size)) {
    if (const auto real = LIBATOMIC(load)) return real(size, address, result, order);
    const Locked lock;
    return copy(result, address, size);
  }
  do_step(address, size, {.kind = OpKind::VarLoad}, order,
          [=] { return memcpy(result, address, size); });
  count_result(result);
}

HIDDEN void mazurka_libatomic_store(size_t size, void* address, const void* value, int order) {
  if (!is_ours(size)) {
    if (const auto real = LIBATOMIC(store)) return real(size, address, value, order);
    const Locked lock;
    return copy(address, value, size);
  }
  const Operation op{.kind = OpKind::VarStore, .value = number(value, size)};
  do_step(address, size, op, order, [=] { return memcpy(address, value, size); });
}

HIDDEN void mazurka_libatomic_exchange(size_t size, void* address, const void* value, void* result,
                                       int order) {
  if (!is_ours(size)) {
    if (const auto real = LIBATOMIC(exchange)) return real(size, address, value, result, order);
    const Locked lock;
    return exchange(address, value, result, size);
  }
  const Operation op{
      .kind = OpKind::VarUpdate, .update = Update::Exchange, .value = number(value, size)};
  do_step(address, size, op, order, [=] { return exchange(address, value, result, size), 0; });
  count_result(result);
}

HIDDEN bool mazurka_libatomic_compare_exchange(size_t size, void* address, void* expected,
                                               const void* desired, int order, int failure_order) {
  if (!is_ours(size)) {
    if (const auto real = LIBATOMIC(compare_exchange))
      return real(size, address, expected, desired, order, failure_order);
    const Locked lock;
    return compare_exchange(address, expected, desired, size);
  }
  Operation op{.kind = OpKind::VarCompareExchange,
               .value = number(expected, size),
               .desired = number(desired, size)};
  if (order_flags(failure_order) & kAcquire) op.flags = kAcquireOnFailure;
  const bool done = do_step(address, size, op, order,
                            [=] { return compare_exchange(address, expected, desired, size); });
  if (!done) count_result(expected);
  return done;
}

// As the instrumentation's own ones (atomic_calls.cc).
#define SIXTEEN(result, name, ours, parameters, arguments)                        \
  HIDDEN result mazurka_atomic128_##ours parameters;                              \
  HIDDEN result mazurka_libatomic_##name##_16 parameters {                        \
    const auto real = is_ours(16) ? nullptr : LIBATOMIC(name##_16);               \
    return real != nullptr ? real arguments : mazurka_atomic128_##ours arguments; \
  }
#define UPDATE(name) \
  SIXTEEN(Sixteen, name, name, (volatile Sixteen * a, Sixteen v, int order), (a, v, order))
SIXTEEN(Sixteen, load, load, (const volatile Sixteen* a, int order), (a, order))
SIXTEEN(void, store, store, (volatile Sixteen * a, Sixteen v, int order), (a, v, order))
UPDATE(exchange)
UPDATE(fetch_add)
UPDATE(fetch_sub)
UPDATE(fetch_and)
UPDATE(fetch_or)
UPDATE(fetch_xor)
UPDATE(fetch_nand)
SIXTEEN(int, compare_exchange, compare_exchange_strong,
        (volatile Sixteen * a, Sixteen* expected, Sixteen desired, int order, int failure),
        (a, expected, desired, order, failure))
