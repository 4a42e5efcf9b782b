// Values as bytes and back, for files that only this program reads on the same machine. Whoever
// reads checks: a damaged file must not do harm.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace mazurka {

class ByteWriter {
 public:
  template <typename T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put_text(std::string_view text) {
    put(static_cast<uint64_t>(text.size()));
    bytes_ += text;
  }
  template <typename Values>
  void put_all(const Values& values) {
    put(static_cast<uint64_t>(values.size()));
    for (const auto& value : values) put(value);
  }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// After the first thing that does not fit, everything is empty and ok() is false.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return left_.empty(); }
  void fail() { ok_ = false; }

  template <typename T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    if constexpr (std::is_same_v<T, bool>) return get<uint8_t>() != 0;  // any byte may be there
    T value{};
    if (!has(sizeof value)) return value;
    std::memcpy(&value, left_.data(), sizeof value);
    left_.remove_prefix(sizeof value);
    return value;
  }
  std::string get_text() {
    const auto size = get<uint64_t>();
    if (!has(size)) return {};
    std::string text(left_.substr(0, size));
    left_.remove_prefix(size);
    return text;
  }
  // How many things of at least so many bytes follow.
  uint64_t get_count(size_t bytes_each) {
    const auto count = get<uint64_t>();
    if (ok_ && count <= left_.size() / bytes_each) return count;
    ok_ = false;
    return 0;
  }
  template <typename T>
  std::vector<T> get_all() {
    std::vector<T> values(get_count(sizeof(T)));
    for (T& value : values) value = get<T>();
    return values;
  }

 private:
  bool has(uint64_t size) {
    if (ok_ && size <= left_.size()) return true;
    ok_ = false;
    return false;
  }

  std::string_view left_;
  bool ok_ = true;
};

// FNV-1a: whether a file is what was written.
inline uint64_t hash_of(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

}  // namespace mazurka
