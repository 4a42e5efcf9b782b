// That no kind of operation is missing in the small worlds: a row that nothing is held against may
// be wrong.
#include "testing/worlds/small_world.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <set>

namespace mazurka {
namespace {

// Who does operations of a kind, in states that are not far from the first.
void note_threads(const SmallWorldCase& chosen, std::map<OpKind, std::set<ThreadId>>& found) {
  constexpr size_t kStates = 300;
  SmallWorld world(chosen);
  std::set<SmallWorld::View> seen{world.key()};
  for (std::deque<SmallWorld::Saved> open{world.save()}; !open.empty(); open.pop_front()) {
    world.load(open.front());
    for (const Label& label : world.enabled_labels()) {
      found[label.item.op.kind].insert(label.thread);
      if (seen.size() > kStates) continue;
      world.load(open.front());
      world.take(label);
      if (!world.is_far() && seen.insert(world.key()).second) open.push_back(world.save());
    }
  }
}

TEST(SmallWorlds, HaveEveryOperationByTwoThreads) {
  std::set<OpKind> done_by_two;
  for (const SmallWorldCase& chosen : all_small_worlds()) {
    std::map<OpKind, std::set<ThreadId>> found;
    note_threads(chosen, found);
    for (const auto& [kind, threads] : found) {
      if (threads.size() >= 2) done_by_two.insert(kind);
    }
  }
  for (uint32_t i = 1; i < static_cast<uint32_t>(OpKind::kCount); ++i) {
    const auto kind = static_cast<OpKind>(i);
    EXPECT_TRUE(done_by_two.contains(kind)) << name_of(kind);
  }
}

}  // namespace
}  // namespace mazurka
