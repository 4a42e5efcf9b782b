// What an update of a variable makes of its old value: in the model, and in the program's own
// memory (runtime/accesses/atomic_calls.cc).
#pragma once

#include "objects/operation.h"

namespace mazurka {

// Requires that T is unsigned: overflow wraps around.
template <typename T>
constexpr T updated(T old, Update how, T operand) {
  switch (how) {
    case Update::Exchange:
      return operand;
    case Update::Add:
      return static_cast<T>(old + operand);
    case Update::And:
      return static_cast<T>(old & operand);
    case Update::Or:
      return static_cast<T>(old | operand);
    case Update::Xor:
      return static_cast<T>(old ^ operand);
    case Update::Nand:
      return static_cast<T>(~(old & operand));
    case Update::Negate:
      return static_cast<T>(T{0} - old);
  }
  return operand;
}

}  // namespace mazurka
