// Room for code beside a module, and code that is written for a moment.
#pragma once

#include <cstdint>

namespace mazurka {

constexpr uint64_t round_up_to_page(uint64_t size) { return (size + 4095) / 4096 * 4096; }

// Writable memory within reach of the module's code. Null: there is none.
uint8_t* room_near(uint64_t start, uint64_t end, uint64_t size);

// Code can be written for a moment, and is as it was then.
class WritableCode {
 public:
  WritableCode(uint64_t begin, uint64_t end);
  ~WritableCode();
  WritableCode(const WritableCode&) = delete;
  WritableCode& operator=(const WritableCode&) = delete;

  bool good() const { return good_; }

 private:
  void protect(long how);

  uint64_t begin_;
  uint64_t size_;
  bool good_ = false;
};

}  // namespace mazurka
