// A vector of plain values, the first few of which lie in itself: for the many that are short, and
// for which memory of their own would cost more than they do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "base/check.h"

namespace mazurka {

template <typename T, uint32_t kFew>
class InlineVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  InlineVector() = default;
  InlineVector(const InlineVector& other) { *this = std::span<const T>(other); }
  InlineVector(InlineVector&& other) noexcept { take(other); }
  InlineVector& operator=(const InlineVector& other) {
    if (this != &other) *this = std::span<const T>(other);
    return *this;
  }
  InlineVector& operator=(InlineVector&& other) noexcept {
    if (this != &other) take(other);
    return *this;
  }
  // Requires that they are none of its own.
  InlineVector& operator=(std::span<const T> items) {
    MAZURKA_DEBUG_CHECK(items.empty() || items.data() + items.size() <= data() ||
                        items.data() >= data() + room_);
    size_ = 0;
    if (items.size() > room_) make_room(items.size());
    if (!items.empty()) memcpy(static_cast<void*>(data()), items.data(), items.size_bytes());
    size_ = static_cast<uint32_t>(items.size());
    return *this;
  }
  ~InlineVector() = default;

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return many_ == nullptr ? few_ : many_.get(); }
  const T* data() const { return many_ == nullptr ? few_ : many_.get(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

  void push_back(T item) { emplace_back() = item; }
  T& emplace_back() {
    if (size_ == room_) make_room(2 * size_t{room_});
    return *new (data() + size_++) T();
  }

 private:
  // Requires more room than there is.
  void make_room(size_t count) {
    MAZURKA_DEBUG_CHECK(count > room_);
    std::unique_ptr<T[]> many(new T[count]);
    memcpy(static_cast<void*>(many.get()), data(), size_ * sizeof(T));
    many_ = std::move(many);
    room_ = static_cast<uint32_t>(count);
  }
  void take(InlineVector& other) {
    many_ = std::move(other.many_);
    if (many_ == nullptr) memcpy(static_cast<void*>(few_), other.few_, other.size_ * sizeof(T));
    size_ = std::exchange(other.size_, 0);
    room_ = std::exchange(other.room_, kFew);
  }

  std::unique_ptr<T[]> many_;  // all of them, once they are more than a few
  uint32_t size_ = 0;
  uint32_t room_ = kFew;
  T few_[kFew];
};

}  // namespace mazurka
