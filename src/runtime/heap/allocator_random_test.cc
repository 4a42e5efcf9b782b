// Random operations of three threads, compared with what they believe of their blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <random>

#include "runtime/heap/allocator.h"

namespace mazurka {

void allocator_report(const char* what, void* address, const void*) {
  ADD_FAILURE() << what << " " << address;
}

namespace {

struct Shadow {
  size_t size;
  uint32_t slot;
  uint32_t count;
  char fill;
};

class RandomOperations : public testing::Test {
 protected:
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random() % limit); }

  size_t any_size() {
    const uint32_t kind = below(1000);
    if (kind < 800) return below(600);
    return kind < 997 ? below(20'000) : below(3'000'000);
  }

  std::map<char*, Shadow>::iterator any_block() {
    const auto found = live.lower_bound(landmarks[below(256)]);
    return found == live.end() ? live.begin() : found;
  }

  // A sample of the bytes: the first, the last, some between.
  static void check_bytes(const char* block, size_t size, char fill) {
    for (size_t i = 0; i < size; i += 1 + size / 16) ASSERT_EQ(block[i], fill);
    if (size > 0) {
      ASSERT_EQ(block[size - 1], fill);
    }
  }

  void add(void* address, size_t size, uint32_t slot, uint32_t count) {
    auto* block = static_cast<char*>(address);
    const auto after = live.lower_bound(block);
    ASSERT_TRUE(after == live.end() || block + size <= after->first);
    if (after != live.begin()) {
      ASSERT_GE(block, std::prev(after)->first + std::prev(after)->second.size);
    }
    const char fill = static_cast<char>(below(128));
    memset(block, fill, size);
    live[block] = {size, slot, count, fill};
    landmarks[below(256)] = block;
  }

  void allocate(uint32_t slot) {
    const size_t size = any_size();
    void* block = nullptr;
    switch (below(3)) {
      case 0:
        block = heap_allocate(size);
        break;
      case 1:
        block = heap_allocate_aligned(size_t{1} << below(14), size);
        break;
      default:
        block = heap_allocate_zeroed(size);
        check_bytes(static_cast<char*>(block), size, 0);
    }
    add(block, size, slot, ++counts[slot]);
  }

  void reallocate(uint32_t slot) {
    const auto [block, shadow] = *any_block();
    live.erase(block);
    const size_t size = any_size();
    auto* moved = static_cast<char*>(heap_reallocate(block, size));
    check_bytes(moved, std::min(size, shadow.size), shadow.fill);
    if (moved == block) return add(moved, size, shadow.slot, shadow.count);
    add(moved, size, slot, ++counts[slot]);
  }

  void release() {
    const auto victim = any_block();
    check_bytes(victim->first, victim->second.size, victim->second.fill);
    heap_free(victim->first);
    live.erase(victim);
  }

  void describe() {
    const auto [block, shadow] = *any_block();
    const size_t offset = shadow.size == 0 ? 0 : random() % shadow.size;
    HeapPlace place = {};
    ASSERT_TRUE(allocator_describe(block + offset, &place));
    EXPECT_EQ(place.offset, offset);
    EXPECT_EQ(place.size, shadow.size);
    EXPECT_EQ(place.slot, shadow.slot);
    EXPECT_EQ(place.count, shadow.count);
    EXPECT_TRUE(place.allocated);
  }

  std::mt19937 random{7};
  std::map<char*, Shadow> live;
  char* landmarks[256] = {};  // addresses to pick a block near
  std::map<uint32_t, uint32_t> counts;
};

TEST_F(RandomOperations, AgreeWithAShadowModel) {
  allocator_set_exclusive(true);
  for (int i = 0; i < 100'000; i++) {
    const uint32_t slot = below(3);
    allocator_set_slot(slot);
    const uint32_t dice = below(100);
    if (live.empty() || (dice < 40 && live.size() < 1000)) {
      allocate(slot);
    } else if (dice < 75) {
      release();
    } else if (dice < 90) {
      reallocate(slot);
    } else {
      describe();
    }
    ASSERT_FALSE(HasFailure()) << "operation " << i;
  }
}

}  // namespace
}  // namespace mazurka
