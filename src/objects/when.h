// For which operations of a kind something holds: a column of the table of operations (op_row.h).
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "objects/operation.h"

namespace mazurka {

// No default: whoever forgets to say when does not compile.
class When {
 public:
  static constexpr When never() { return {Form::Never, 0}; }
  static constexpr When always() { return {Form::Always, 0}; }
  // With at least one of the flags, or with none of them.
  static constexpr When with(int flags) { return {Form::WithFlags, flags}; }
  static constexpr When without(int flags) { return {Form::WithoutFlags, flags}; }
  // That name a second object, with none of the flags.
  static constexpr When with_second_without(int flags) { return {Form::WithSecond, flags}; }
  // That name no thread or child: any will do.
  static constexpr When for_any_target() { return {Form::AnyTarget, 0}; }

  constexpr bool holds(const Operation& op) const {
    switch (form_) {
      case Form::Never:
        return false;
      case Form::Always:
        return true;
      case Form::WithFlags:
        return (op.flags & flags_) != 0;
      case Form::WithoutFlags:
        return (op.flags & flags_) == 0;
      case Form::WithSecond:
        return op.second != kNoObject && (op.flags & flags_) == 0;
      case Form::AnyTarget:
        return op.target == kNoThread;
    }
    return true;
  }
  constexpr bool is_possible() const { return form_ != Form::Never; }

 private:
  enum class Form : uint8_t { Never, Always, WithFlags, WithoutFlags, WithSecond, AnyTarget };

  constexpr When(Form form, int flags) : form_(form), flags_(static_cast<uint8_t>(flags)) {}

  Form form_;
  uint8_t flags_;
};

}  // namespace mazurka
