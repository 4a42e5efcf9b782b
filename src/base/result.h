// Result: what a function returns when the world may fail it (a file that is not there, a program
// that does not start). A finding about the user's program is no error, and a bug of ours is a
// MAZURKA_CHECK; neither belongs in here.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/check.h"

namespace mazurka {

struct Error {
  std::string message;  // a sentence for the user: what failed, on what, and why
};

template <typename T>
class [[nodiscard]] Result {
 public:
  // Implicit, so that a function can `return value;` or `return Error{"..."};`.
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // Requires ok().
  T& value() & {
    MAZURKA_CHECK(ok());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    MAZURKA_CHECK(ok());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    MAZURKA_CHECK(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // Requires !ok().
  const Error& error() const {
    MAZURKA_CHECK(!ok());
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, Error> state_;
};

// Success, or the reason for none: `return {};` or `return Error{"..."};`.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }

  // Requires !ok().
  const Error& error() const {
    MAZURKA_CHECK(!ok());
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace mazurka
