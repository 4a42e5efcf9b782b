#include "runtime/heap/allocator.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "runtime/heap/heap_block.h"
#include "runtime/heap/heap_space.h"

namespace mazurka {
namespace {

struct Report {
  std::string what;
  void* address;
};
std::vector<Report> reports;

}  // namespace

void allocator_report(const char* what, void* address, const void*) {
  reports.push_back({what, address});
}

namespace {

uintptr_t number(const void* address) { return reinterpret_cast<uintptr_t>(address); }

// Each test has slots that nobody has used before, as a new thread has.
class Allocator : public testing::Test {
 protected:
  Allocator() {
    reports.clear();
    allocator_set_exclusive(true);
    use(first);
  }
  ~Allocator() override { EXPECT_TRUE(reports.empty()) << reports.front().what; }

  uint32_t fresh_slot() { return next_slot++; }
  void use(uint32_t slot) { allocator_set_slot(slot); }
  static std::string only_report() {
    std::string what = reports.size() == 1 ? reports[0].what : "not one report";
    reports.clear();
    return what;
  }

  static inline uint32_t next_slot = 0;
  const uint32_t first = fresh_slot();
};

TEST_F(Allocator, EveryClassIsAtLeastItsStrideAndAtMostAQuarterMore) {
  for (uint64_t stride = 32; stride < (1u << 22); stride += stride < 4096 ? 1 : 997) {
    const uint64_t rounded = stride_of(class_of(stride));
    ASSERT_GE(rounded, stride);
    ASSERT_LE(rounded, stride + (stride <= 512 ? 15 : stride / 4));
    ASSERT_EQ(class_of(rounded), class_of(stride));
    ASSERT_EQ(rounded % 16, 0u);
  }
}

TEST_F(Allocator, BlocksLieInTheRangeOfTheirSlot) {
  const uint32_t slots[] = {fresh_slot(), kHeapSlots - 1};
  for (const uint32_t slot : slots) {
    use(slot);
    for (const size_t size : {size_t{0}, size_t{1}, size_t{600}, size_t{20000}, size_t{5} << 20}) {
      const uintptr_t block = number(heap_allocate(size));
      EXPECT_GE(block, kHeapBase + slot * kHeapBytes);
      EXPECT_LT(block, kHeapBase + (slot + 1) * kHeapBytes);
      EXPECT_EQ(block % 16, 0u);
    }
  }
}

TEST_F(Allocator, AFirstAllocationDirtiesOnePage) {
  const uint32_t slot = fresh_slot();
  use(slot);
  heap_free(heap_allocate(100));
  heap_allocate(200);
  unsigned char resident[32] = {};
  void* heap = pointer_to<void>(kHeapBase + slot * kHeapBytes);
  ASSERT_EQ(mincore(heap, sizeof resident * 4096, resident), 0);
  int pages = 0;
  for (const unsigned char page : resident) pages += page & 1;
  EXPECT_EQ(pages, 1);
}

TEST_F(Allocator, AlignedBlocksAreAlignedAndCanBeFreed) {
  for (size_t alignment = 1; alignment <= (size_t{1} << 21); alignment *= 2) {
    for (const size_t size : {size_t{0}, size_t{1}, size_t{100}, size_t{5000}, size_t{70000}}) {
      auto* block = static_cast<char*>(heap_allocate_aligned(alignment, size));
      ASSERT_EQ(number(block) % alignment, 0u);
      memset(block, 7, size);
      EXPECT_EQ(heap_size(block), size);
      heap_free(block);
      EXPECT_TRUE(reports.empty());
      EXPECT_EQ(heap_allocate_aligned(alignment, size), block);
    }
  }
}

TEST_F(Allocator, AThreadGetsItsOwnFreedBlocksBackLastFirst) {
  for (const size_t size : {size_t{40}, size_t{3000}, size_t{30000}, size_t{3} << 20}) {
    void* a = heap_allocate(size);
    void* b = heap_allocate(size);
    EXPECT_NE(a, b);
    heap_free(a);
    heap_free(b);
    EXPECT_EQ(heap_allocate(size), b);
    EXPECT_EQ(heap_allocate(size), a);
  }
}

TEST_F(Allocator, ABlockThatAnotherThreadFreedIsNotUsedAgain) {
  const uint32_t other = fresh_slot();
  for (const size_t size : {size_t{40}, size_t{30000}, size_t{3} << 20}) {
    use(first);
    void* block = heap_allocate(size);
    use(other);
    heap_free(block);
    for (const uint32_t slot : {first, other}) {
      use(slot);
      for (int i = 0; i < 10; i++) EXPECT_NE(heap_allocate(size), block);
    }
    heap_free(block);
    EXPECT_EQ(only_report(), kDoubleFree);
  }
}

// A thread of the test below.
struct Worker {
  Worker(uint32_t its_slot, uint32_t seed) : slot(its_slot), random(seed) {}

  void step() {
    allocator_set_slot(slot);
    const auto dice = random() % 8;
    if (dice < 4 || mine.empty()) {
      mine.push_back(heap_allocate(random() % (dice == 0 ? 40000 : 300)));
      offsets.push_back(number(mine.back()) - kHeapBase - slot * kHeapBytes);
    } else if (dice < 6) {
      const size_t which = random() % mine.size();
      heap_free(mine[which]);
      mine.erase(mine.begin() + static_cast<long>(which));
    } else {
      const size_t which = random() % mine.size();
      mine[which] = heap_reallocate(mine[which], random() % 500);
      offsets.push_back(number(mine[which]) - kHeapBase - slot * kHeapBytes);
    }
  }

  uint32_t slot;
  std::minstd_rand random;
  std::vector<void*> mine;
  std::vector<uintptr_t> offsets;
};

TEST_F(Allocator, AddressesDoNotDependOnTheInterleaving) {
  std::vector<uintptr_t> seen[2];
  for (int round = 0; round < 6; round++) {
    Worker a(fresh_slot(), 1), b(fresh_slot(), 2);
    std::minstd_rand schedule(static_cast<uint32_t>(round + 10));
    int left_a = 500, left_b = 500;
    while (left_a + left_b > 0) {
      const bool run_a =
          round == 0 ? left_a > 0 : left_b == 0 || (left_a > 0 && schedule() % 2 == 0);
      (run_a ? a : b).step();
      (run_a ? left_a : left_b)--;
    }
    if (round == 0) {
      seen[0] = a.offsets;
      seen[1] = b.offsets;
    }
    EXPECT_EQ(a.offsets, seen[0]);
    EXPECT_EQ(b.offsets, seen[1]);
  }
}

TEST_F(Allocator, WhenAnotherThreadFreesMakesNoDifferenceToTheOwner) {
  const uint32_t other = fresh_slot();
  std::vector<uintptr_t> seen;
  for (int when = 0; when < 8; when++) {
    const uint32_t owner = fresh_slot();
    use(owner);
    void* handed_over = heap_allocate(64);
    std::vector<uintptr_t> offsets;
    for (int i = 0; i < 8; i++) {
      if (i == when) {
        use(other);
        heap_free(handed_over);
        use(owner);
      }
      offsets.push_back(number(heap_allocate(64)) - kHeapBase - owner * kHeapBytes);
    }
    if (when == 0) seen = offsets;
    EXPECT_EQ(offsets, seen);
  }
}

TEST_F(Allocator, ZeroedMemoryIsZeroAlsoTheSecondTime) {
  for (const size_t size : {size_t{1}, size_t{24}, size_t{500}, size_t{9001}, size_t{3} << 20}) {
    for (int i = 0; i < 3; i++) {
      auto* block = static_cast<char*>(heap_allocate_zeroed(size));
      for (size_t k = 0; k < size; k++) ASSERT_EQ(block[k], 0);
      memset(block, 0x55, size);
      heap_free(block);
    }
  }
}

TEST_F(Allocator, ReallocStaysWhileTheClassAllowsAndKeepsTheBytes) {
  auto* block = static_cast<char*>(heap_allocate(900));
  memset(block, 'x', 900);
  EXPECT_EQ(heap_reallocate(block, 1000), block);
  memset(block, 'x', 1000);
  EXPECT_EQ(heap_reallocate(block, 990), block);
  EXPECT_EQ(heap_size(block), 990u);
  auto* larger = static_cast<char*>(heap_reallocate(block, 100000));
  EXPECT_NE(larger, block);
  for (int i = 0; i < 990; i++) ASSERT_EQ(larger[i], 'x');
  EXPECT_EQ(heap_allocate(1000), block);
  auto* smaller = static_cast<char*>(heap_reallocate(larger, 10));
  EXPECT_NE(smaller, larger);
  EXPECT_EQ(std::string(smaller, 10), "xxxxxxxxxx");
}

TEST_F(Allocator, ReallocOfAnAlignedBlockKeepsTheBytes) {
  auto* block = static_cast<char*>(heap_allocate_aligned(256, 300));
  memset(block, 'x', 300);
  for (size_t size : {310, 200, 5000}) {
    block = static_cast<char*>(heap_reallocate(block, size));
    EXPECT_EQ(heap_size(block), size);
    for (int i = 0; i < 200; i++) ASSERT_EQ(block[i], 'x');
  }
}

TEST_F(Allocator, GrowingByReallocMovesRarely) {
  void* block = heap_allocate(1);
  int moves = 0;
  for (size_t size = 1; size < (size_t{8} << 20); size += 500) {
    void* grown = heap_reallocate(block, size);
    moves += grown != block;
    block = grown;
  }
  EXPECT_LT(moves, 100);
}

TEST_F(Allocator, ImpossibleSizesGiveNoMemory) {
  EXPECT_EQ(heap_allocate(SIZE_MAX), nullptr);
  EXPECT_EQ(heap_allocate(SIZE_MAX / 2), nullptr);
  EXPECT_EQ(heap_allocate_aligned(SIZE_MAX / 2 + 1, 1), nullptr);
  void* block = heap_allocate(10);
  EXPECT_EQ(heap_reallocate(block, SIZE_MAX), nullptr);
  heap_free(block);
}

TEST_F(Allocator, DoubleFreeIsReportedAndIgnored) {
  for (void* block : {heap_allocate(40), heap_allocate(40000), heap_allocate_aligned(64, 40)}) {
    heap_free(block);
    heap_free(block);
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_EQ(reports[0].address, block);
    EXPECT_EQ(only_report(), kDoubleFree);
    EXPECT_EQ(heap_reallocate(block, 50), nullptr);
    EXPECT_EQ(only_report(), kReallocOfFreed);
  }
}

TEST_F(Allocator, FreeOfWhatMallocDidNotReturnIsReported) {
  char local[64];
  auto* block = static_cast<char*>(heap_allocate(400));
  memset(block, 0, 400);
  auto* aligned = static_cast<char*>(heap_allocate_aligned(4096, 400));
  auto* run = static_cast<char*>(heap_allocate(200000));
  char* strangers[] = {local,
                       block + 16,
                       block + 1,
                       aligned - 16,
                       aligned + 32,
                       run + 65536,
                       run - 16,
                       pointer_to<char>(kHeapBase + fresh_slot() * kHeapBytes + 4096),
                       pointer_to<char>(kHeapBase + first * kHeapBytes),
                       pointer_to<char>(kHeapBase + (first + 1) * kHeapBytes - 16),
                       pointer_to<char>(kHeapBase + first * kHeapBytes + (100 << 20)),
                       pointer_to<char>(kOverflowBase + (uint64_t{200} << 30)),
                       pointer_to<char>(16)};
  for (char* stranger : strangers) {
    heap_free(stranger);
    EXPECT_EQ(only_report(), kNotAllocated) << static_cast<void*>(stranger);
  }
  heap_free(data_of(find_block(number(aligned))));
  EXPECT_EQ(only_report(), kNotAllocated);
  heap_free(block);
  heap_free(aligned);
  heap_free(run);
}

TEST_F(Allocator, AWritePastTheEndIsReportedAtFreeAndAtRealloc) {
  for (const size_t size : {0, 1, 8, 15, 16, 24, 600, 30000}) {
    auto* block = static_cast<char*>(heap_allocate(size));
    const char before = block[size];
    block[size] = 0;
    heap_free(block);
    EXPECT_EQ(only_report(), kWriteAfterBlock);
    EXPECT_EQ(heap_reallocate(block, size + 1), nullptr);
    EXPECT_EQ(only_report(), kWriteAfterBlock);
    block[size] = before;
    heap_free(block);
  }
}

TEST_F(Allocator, AWriteBeforeTheBlockIsReported) {
  for (char* block : {static_cast<char*>(heap_allocate(40)),
                      static_cast<char*>(heap_allocate_aligned(128, 40))}) {
    for (int i = 1; i <= 16; i++) {
      block[-i] ^= 1;
      heap_free(block);
      EXPECT_EQ(only_report(), kWriteBeforeBlock) << i;
      block[-i] ^= 1;
    }
    heap_free(block);
  }
}

TEST_F(Allocator, AWriteToAFreedBlockDoesNotBreakTheFreeList) {
  auto* block = static_cast<char*>(heap_allocate(40));
  heap_free(block);
  memset(block, 0x41, 8);
  void* next = heap_allocate(40);
  EXPECT_EQ(only_report(), kWriteToFreed);
  EXPECT_NE(next, nullptr);
  EXPECT_NE(next, block);
}

TEST_F(Allocator, AWriteToAFreedBlockIsNoticedWhenItIsUsedAgain) {
  for (const size_t size : {size_t{24}, size_t{40}, size_t{200}, size_t{4000}, size_t{100000}}) {
    for (size_t offset = 0; offset + 8 <= size && offset < 256; offset += 7) {
      auto* block = static_cast<char*>(heap_allocate(size));
      heap_free(block);
      block[offset] ^= 1;
      EXPECT_NE(heap_allocate(size), nullptr);
      EXPECT_EQ(only_report(), kWriteToFreed) << size << " " << offset;
    }
  }
}

TEST_F(Allocator, AWriteToAFreedAlignedBlockIsNoticedWhenItIsUsedAgain) {
  for (const size_t alignment : {size_t{64}, size_t{4096}, size_t{1} << 20}) {
    auto* block = static_cast<char*>(heap_allocate_aligned(alignment, 100));
    heap_free(block);
    EXPECT_EQ(heap_allocate_aligned(alignment, 100), block);
    heap_free(block);
    block[50] ^= 1;
    EXPECT_NE(heap_allocate_aligned(alignment, 100), block);
    EXPECT_EQ(only_report(), kWriteToFreed);
  }
}

TEST_F(Allocator, CheckSeesWhatWasDoneToBlocksThatNobodyFreed) {
  auto* before = static_cast<char*>(heap_allocate(24));
  allocator_begin();
  EXPECT_TRUE(allocator_check(first));
  for (const size_t size : {size_t{0}, size_t{24}, size_t{600}, size_t{100000}}) {
    auto* block = static_cast<char*>(heap_allocate(size));
    EXPECT_TRUE(allocator_check(first));
    block[size] ^= 1;
    EXPECT_FALSE(allocator_check(first));
    EXPECT_EQ(only_report(), kWriteAfterBlock);
    block[size] ^= 1;
    block[-1] ^= 1;
    EXPECT_FALSE(allocator_check(first));
    EXPECT_EQ(only_report(), kWriteBeforeBlock);
    block[-1] ^= 1;
    EXPECT_TRUE(allocator_check(first));
  }
  before[24] ^= 1;  // old: seen only when it is freed
  EXPECT_TRUE(allocator_check(first));
  before[24] ^= 1;
}

TEST_F(Allocator, CheckSeesBlocksOfStaticInitialisersLikeOthers) {
  auto* before = static_cast<char*>(heap_allocate(24));
  allocator_begin();
  auto* initialised = static_cast<char*>(heap_allocate(24));
  allocator_begin_executions();
  initialised[24] ^= 1;
  EXPECT_FALSE(allocator_check(first));
  EXPECT_EQ(only_report(), kWriteAfterBlock);
  initialised[24] ^= 1;
  heap_free(before);
}

TEST_F(Allocator, CheckSeesFreedOnesOfVeryManyBlocksOfStaticInitialisers) {
  std::vector<char*> blocks;
  for (int i = 0; i < 300; ++i) blocks.push_back(static_cast<char*>(heap_allocate(24)));
  allocator_begin_executions();
  blocks[5][24] ^= 1;
  EXPECT_TRUE(allocator_check(first));
  blocks[5][24] ^= 1;
  heap_free(blocks[7]);
  blocks[7][20] = 1;
  EXPECT_FALSE(allocator_check(first));
  EXPECT_EQ(only_report(), kWriteToFreed);
  blocks[7][20] = static_cast<char>(kFreedFill & 0xff);
}

TEST_F(Allocator, FreedBlocksCanBeTakenByAnyone) {
  const uint32_t other = fresh_slot();
  void* blocks[3];
  for (void*& block : blocks) block = heap_allocate(100);
  for (void* block : blocks) heap_free(block);
  EXPECT_TRUE(heap_is_freed(blocks[1]));
  EXPECT_EQ(heap_class_of(blocks[1]), heap_class_for(97));
  use(other);
  EXPECT_TRUE(heap_take_freed(blocks[1], 97));
  EXPECT_FALSE(heap_is_freed(blocks[1]));
  EXPECT_EQ(heap_size(blocks[1]), 97u);
  EXPECT_FALSE(heap_take_freed(blocks[1], 97));
  use(first);
  // The owner's list goes on without it.
  EXPECT_EQ(heap_allocate(100), blocks[2]);
  EXPECT_EQ(heap_allocate(100), blocks[0]);
  heap_free(blocks[1]);
  EXPECT_TRUE(heap_is_freed(blocks[1]));
  EXPECT_EQ(heap_class_of(heap_allocate_aligned(64, 100)), heap_class_of(&blocks));
}

TEST_F(Allocator, CheckSeesWritesToFreedBlocks) {
  const uint32_t other = fresh_slot();
  for (const bool by_another : {false, true}) {
    auto* block = static_cast<char*>(heap_allocate(100));
    heap_allocate(100000);
    use(by_another ? other : first);
    heap_free(block);
    use(first);
    EXPECT_TRUE(allocator_check(first));
    for (const size_t offset : {size_t{0}, size_t{15}, size_t{16}, size_t{95}}) {
      block[offset] ^= 1;
      EXPECT_FALSE(allocator_check(first));
      EXPECT_EQ(only_report(), kWriteToFreed);
      block[offset] ^= 1;
    }
  }
  EXPECT_TRUE(allocator_check(fresh_slot()));
}

TEST_F(Allocator, CheckIsContentWithEveryWayToAllocate) {
  std::vector<void*> blocks;
  for (size_t size = 0; size < 70000; size = size * 3 / 2 + 1) {
    void* block = heap_reallocate(heap_allocate(size / 2), size);
    for (void* made : {block, heap_allocate_zeroed(size), heap_allocate_aligned(128, size),
                       heap_allocate(size)}) {
      memset(made, 0x7f, heap_size(made));
      blocks.push_back(made);
    }
    heap_free(blocks[blocks.size() / 2]);
    blocks.erase(blocks.begin() + static_cast<long>(blocks.size() / 2));
    ASSERT_TRUE(allocator_check(first)) << size;
  }
  for (void* block : blocks) heap_free(block);
  EXPECT_TRUE(allocator_check(first));
}

TEST_F(Allocator, DescribesInteriorAddresses) {
  uint32_t count = 0;
  for (const size_t size : {size_t{1}, size_t{40}, size_t{512}, size_t{16000}, size_t{200000}}) {
    auto* block = static_cast<char*>(heap_allocate(size));
    count++;
    for (size_t offset = 0; offset < size; offset += 1 + size / 7) {
      HeapPlace place = {};
      ASSERT_TRUE(allocator_describe(block + offset, &place));
      EXPECT_EQ(place.slot, first);
      EXPECT_EQ(place.count, count);
      EXPECT_EQ(place.offset, offset);
      EXPECT_EQ(place.size, size);
      EXPECT_TRUE(place.allocated);
    }
    HeapPlace place = {};
    EXPECT_FALSE(allocator_describe(block - 1, &place));
    EXPECT_FALSE(allocator_describe(block + size, &place));
    heap_free(block);
    ASSERT_TRUE(allocator_describe(block + size - 1, &place));
    EXPECT_FALSE(place.allocated);
    EXPECT_EQ(place.count, count);
  }
}

TEST_F(Allocator, DescribesAlignedBlocksFromTheirAlignedStart) {
  auto* block = static_cast<char*>(heap_allocate_aligned(4096, 100));
  for (const bool allocated : {true, false}) {
    HeapPlace place = {};
    ASSERT_TRUE(allocator_describe(block + 99, &place));
    EXPECT_EQ(place.offset, 99u);
    EXPECT_EQ(place.size, 100u);
    EXPECT_EQ(place.allocated, allocated);
    EXPECT_FALSE(allocator_describe(block + 100, &place));
    EXPECT_FALSE(allocator_describe(block - 1, &place));
    if (allocated) heap_free(block);
  }
}

TEST_F(Allocator, DescribesNothingElse) {
  HeapPlace place = {};
  int local = 0;
  EXPECT_FALSE(allocator_describe(&local, &place));
  EXPECT_FALSE(allocator_describe(nullptr, &place));
  EXPECT_FALSE(allocator_describe(pointer_to<void>(kHeapEnd), &place));
  for (uintptr_t at = kHeapBase; at < kHeapEnd; at += kHeapBytes / 2 - 16) {
    allocator_describe(pointer_to<void>(at), &place);  // must not crash
  }
}

TEST_F(Allocator, AReallocInPlaceKeepsTheName) {
  void* block = heap_allocate(40);
  const uint32_t other = fresh_slot();
  use(other);
  EXPECT_EQ(heap_reallocate(block, 36), block);
  HeapPlace place = {};
  ASSERT_TRUE(allocator_describe(block, &place));
  EXPECT_EQ(place.slot, first);
  EXPECT_EQ(place.count, 1u);
  EXPECT_EQ(place.size, 36u);
}

TEST_F(Allocator, AHeapThatIsFullGoesOnInTheSharedRange) {
  // In a child: the mappings are large, and nobody else should see the overflow.
  const pid_t child = fork();
  if (child == 0) {
    if (allocator_overflowed()) _exit(1);
    auto* big = static_cast<char*>(heap_allocate(size_t{700} << 20));
    if (big == nullptr || number(big) < kOverflowBase || !allocator_overflowed()) _exit(2);
    big[0] = big[(size_t{700} << 20) - 1] = 1;
    HeapPlace place = {};
    if (!allocator_describe(big + (600 << 20), &place) || place.offset != 600 << 20) _exit(3);
    heap_free(big);
    if (heap_allocate(size_t{700} << 20) != big) _exit(4);
    char* small = nullptr;
    for (int i = 0; i < 40000; i++) {  // 640 MB of address space, a page of it touched in each
      small = static_cast<char*>(heap_allocate(16000));
      if (small == nullptr) _exit(5);
    }
    if (number(small) < kOverflowBase) _exit(6);
    if (!allocator_describe(small + 9999, &place) || place.offset != 9999) _exit(7);
    if (place.slot != first || place.count != 40002) _exit(8);
    auto* run = static_cast<char*>(heap_allocate(20000));
    if (run == nullptr || number(run) < kOverflowBase) _exit(9);
    heap_free(small);
    heap_free(small + 16);
    if (heap_allocate(16000) != small || reports.size() != 1) _exit(10);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "exit " << WEXITSTATUS(status);
}

TEST_F(Allocator, AMappingFromBeforeAResetIsReplacedByZeroes) {
  const uint32_t slot = fresh_slot();
  auto* begin = pointer_to<char>(kHeapBase + slot * kHeapBytes);
  void* left_over = mmap(begin, 8192, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  ASSERT_EQ(left_over, begin);
  memset(begin, 0xff, 8192);
  use(slot);
  auto* block = static_cast<char*>(heap_allocate_zeroed(6000));
  for (int i = 0; i < 6000; i++) ASSERT_EQ(block[i], 0);
}

TEST_F(Allocator, AForkedChildGoesOnWithACopy) {
  void* freed = heap_allocate(64);
  heap_free(freed);
  const pid_t child = fork();
  if (child == 0) _exit(heap_allocate(64) == freed ? 0 : 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(heap_allocate(64), freed);
}

TEST_F(Allocator, KernelThreadsMayShareItWhileItIsLocked) {
  allocator_set_exclusive(false);
  std::vector<std::thread> threads;
  threads.reserve(4);
  bool good[4] = {};
  for (int id = 0; id < 4; id++) {
    threads.emplace_back([id, &good] {
      std::vector<std::pair<char*, size_t>> mine;
      std::minstd_rand random(static_cast<uint32_t>(id + 1));
      good[id] = true;
      for (int i = 0; i < 20000; i++) {
        const size_t size = 1 + random() % 700;
        auto* block = static_cast<char*>(heap_allocate(size));
        memset(block, id, size);
        mine.emplace_back(block, size);
        if (mine.size() < 50) continue;
        const size_t which = random() % mine.size();
        for (size_t k = 0; k < mine[which].second; k++) good[id] &= mine[which].first[k] == id;
        heap_free(mine[which].first);
        mine[which] = mine.back();
        mine.pop_back();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const bool one : good) EXPECT_TRUE(one);
}

}  // namespace
}  // namespace mazurka
