// What open blocks learn late is what they would have known at once: held against the rule itself,
// step by step, on random plans.
#include "schedule/open_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <vector>

namespace mazurka {
namespace {

constexpr uint16_t kThreads = 6;

struct Step {
  ThreadId thread = kNoThread;
  std::vector<Access> accesses;
};

bool depends(const std::vector<Access>& a, const std::vector<Access>& b) {
  return conflict(a.data(), static_cast<uint32_t>(a.size()), b.data(),
                  static_cast<uint32_t>(b.size()));
}

// All blocks look at every step, when it happens.
class EagerBlocks {
 public:
  explicit EagerBlocks(const PlanBlocks& plan) : plan_(plan) {}

  void note(uint32_t position, const Step& step) {
    for (; next_ < plan_.count && plan_.blocks[next_].begin <= position; ++next_) {
      const PlanBlock& block = plan_.blocks[next_];
      const Access* its = plan_.accesses + block.access_begin;
      if (block.reversed != kNoThread)
        open_.push_back({block, {its, its + block.access_count}, {}, {}});
    }
    for (Open& block : open_) taint(block, step);
    std::erase_if(open_, [](const Open& block) {
      return covers(block.seen.data(), static_cast<uint32_t>(block.seen.size()),
                    block.reversed.data(), static_cast<uint32_t>(block.reversed.size()));
    });
  }

  void note_creation(ThreadId creator, ThreadId created) {
    for (Open& block : open_) {
      if (block.threads.contains(creator)) block.threads.insert(created);
    }
  }

  bool hold_back(const Step& step) const {
    return std::any_of(open_.begin(), open_.end(), [&](const Open& block) {
      return step.thread < block.plan.head && step.thread != block.plan.reversed &&
             !block.threads.contains(step.thread) && depends(step.accesses, block.reversed) &&
             !depends(step.accesses, block.seen);
    });
  }

  size_t count() const { return open_.size(); }

 private:
  struct Open {
    PlanBlock plan;
    std::vector<Access> reversed;
    std::vector<Access> seen;
    std::set<ThreadId> threads;
  };

  static void taint(Open& block, const Step& step) {
    const bool hit = step.thread == block.plan.reversed || block.threads.contains(step.thread) ||
                     depends(step.accesses, block.reversed) || depends(step.accesses, block.seen);
    if (!hit) return;
    block.threads.insert(step.thread);
    for (const Access& access : step.accesses) {
      const auto known =
          std::find_if(block.seen.begin(), block.seen.end(),
                       [&](const Access& other) { return other.resource == access.resource; });
      if (known == block.seen.end()) {
        block.seen.push_back(access);
      } else if (known->mode != access.mode) {
        known->mode = Mode::Write;
      }
    }
  }

  const PlanBlocks& plan_;
  uint32_t next_ = 0;
  std::vector<Open> open_;
};

class RandomPlan {
 public:
  explicit RandomPlan(uint64_t seed) : random_(seed), objects_(1 + random_() % 8) {}

  ThreadId thread() { return ThreadId(static_cast<uint16_t>(random_() % kThreads)); }
  bool one_in(uint64_t n) { return random_() % n == 0; }

  // A thread adds to its own life, as in every real program.
  Step step() {
    Step step{thread(), {}};
    step.accesses.push_back({thread_resource(step.thread), Mode::Add, {}});
    for (uint64_t i = random_() % 3; i > 0; --i) {
      const Resource resource =
          one_in(6) ? thread_resource(thread())
                    : object_resource(ObjectId(static_cast<uint32_t>(random_() % objects_)));
      const bool listed =
          std::any_of(step.accesses.begin(), step.accesses.end(),
                      [&](const Access& access) { return access.resource == resource; });
      if (!listed) step.accesses.push_back({resource, static_cast<Mode>(random_() % 3), {}});
    }
    return step;
  }

  PlanBlocks blocks(uint32_t most) {
    uint32_t begin = 0;
    for (uint64_t i = random_() % (most + 1); i > 0; --i) {
      const Step reversed = step();
      begin += static_cast<uint32_t>(random_() % 4);
      blocks_.push_back({begin, begin + 1, one_in(8) ? kNoThread : reversed.thread, thread(),
                         static_cast<uint32_t>(accesses_.size()),
                         static_cast<uint32_t>(reversed.accesses.size())});
      accesses_.insert(accesses_.end(), reversed.accesses.begin(), reversed.accesses.end());
    }
    return {blocks_.data(), static_cast<uint32_t>(blocks_.size()), accesses_.data()};
  }

 private:
  std::mt19937_64 random_;
  uint64_t objects_;
  std::vector<PlanBlock> blocks_;
  std::vector<Access> accesses_;
};

struct Seen {
  uint64_t held_back = 0;
  uint64_t free = 0;
  size_t most_open = 0;
};

void expect_the_same(uint64_t seed, uint32_t steps, uint32_t most_blocks, Seen& seen) {
  RandomPlan random(seed);
  const PlanBlocks plan = random.blocks(most_blocks);
  const auto lazy = std::make_unique<OpenBlocks>();
  EagerBlocks eager(plan);
  lazy->begin();
  for (uint32_t position = 0; position < steps; ++position) {
    Step step = random.step();
    lazy->note(plan, position, step.thread,
               {step.accesses.data(), static_cast<uint32_t>(step.accesses.size()),
                static_cast<uint32_t>(step.accesses.size())});
    eager.note(position, step);
    seen.most_open = std::max(seen.most_open, eager.count());
    if (random.one_in(10)) {
      const ThreadId created = random.thread();
      lazy->note_creation(plan, step.thread, created);
      eager.note_creation(step.thread, created);
    }
    if (!random.one_in(3)) continue;
    Step next = random.step();
    const AccessList its{next.accesses.data(), static_cast<uint32_t>(next.accesses.size()),
                         static_cast<uint32_t>(next.accesses.size())};
    const bool held_back =
        lazy->may_hold_back(plan, next.thread) && lazy->hold_back(plan, next.thread, its);
    ASSERT_EQ(held_back, eager.hold_back(next)) << "seed " << seed << ", position " << position;
    ++(held_back ? seen.held_back : seen.free);
  }
}

TEST(OpenBlocks, LearnLateWhatTheyWouldHaveKnownAtOnce) {
  Seen seen;
  for (uint64_t seed = 0; seed < 20'000 && !testing::Test::HasFailure(); ++seed)
    expect_the_same(seed, 30, 12, seen);
  EXPECT_GT(seen.held_back, 500u);
  EXPECT_GT(seen.free, 50'000u);
  EXPECT_GT(seen.most_open, 3u);
}

// More steps than are remembered.
TEST(OpenBlocks, LearnWhenThereIsNoRoomToRememberMore) {
  OpenBlocks blocks;
  const Access reversed{object_resource(ObjectId{1}), Mode::Write, {}};
  const PlanBlock block{0, 1, ThreadId{5}, ThreadId{4}, 0, 1};
  const PlanBlocks plan{&block, 1, &reversed};
  Access elsewhere{object_resource(ObjectId{2}), Mode::Write, {}};
  Access there = reversed;
  blocks.begin();
  blocks.note(plan, 0, ThreadId{4}, {&elsewhere, 1, 1});
  for (uint32_t i = 1; i < 3 * OpenBlocks::kMaxRecent; ++i)
    blocks.note(plan, i, ThreadId{3}, {&elsewhere, 1, 1});
  EXPECT_EQ(blocks.count, 1u);
  EXPECT_LE(blocks.recent_count, OpenBlocks::kMaxRecent);
  EXPECT_TRUE(blocks.hold_back(plan, ThreadId{0}, {&there, 1, 1}));
  EXPECT_FALSE(blocks.hold_back(plan, ThreadId{5}, {&there, 1, 1}));  // whose step was reversed
  EXPECT_FALSE(blocks.hold_back(plan, ThreadId{0}, {&elsewhere, 1, 1}));
  blocks.note(plan, 3 * OpenBlocks::kMaxRecent, ThreadId{5}, {&there, 1, 1});
  EXPECT_EQ(blocks.count, 0u);
}

// Those that are over make room for others before it is said that there is none.
TEST(OpenBlocks, ThoseThatAreOverAreClosedWhereThereAreTooMany) {
  std::vector<PlanBlock> all;
  const Access life{thread_resource(ThreadId{5}), Mode::Add, {}};
  const Access object{object_resource(ObjectId{1}), Mode::Write, {}};
  const Access accesses[] = {life, object};
  for (uint32_t i = 0; i < kMaxOpenBlocks + 1; ++i)
    all.push_back({i, i + 1, ThreadId{5}, ThreadId{4}, 0, 2});
  const PlanBlocks plan{all.data(), static_cast<uint32_t>(all.size()), accesses};
  OpenBlocks blocks;
  blocks.begin();
  Access writes[] = {object, {thread_resource(ThreadId{4}), Mode::Add, {}}};
  for (uint32_t i = 0; i < kMaxOpenBlocks; ++i) blocks.note(plan, i, ThreadId{4}, {writes, 2, 2});
  EXPECT_EQ(blocks.count, kMaxOpenBlocks);
  // A join of that thread: with the writes of the head, whatever the step would have done has been
  // done.
  Access join[] = {{thread_resource(ThreadId{5}), Mode::Write, {}}};
  blocks.note(plan, kMaxOpenBlocks - 1, ThreadId{0}, {join, 1, 1});
  blocks.note(plan, kMaxOpenBlocks, ThreadId{4}, {writes, 2, 2});
  EXPECT_EQ(blocks.count, 1u);
}

}  // namespace
}  // namespace mazurka
