#include "kinds/files/file_use.h"

#include <vector>

#include "objects/accesses.h"
#include "objects/world_fixture.h"

namespace mazurka {
namespace {

class FileUseTest : public WorldFixture {
 protected:
  struct Use {
    ObjectId object;
    FileUsage usage;
  };

  Operation use(const std::vector<Use>& uses) {
    Operation op{.kind = OpKind::FileUse, .object = f, .part_begin = world.part_count};
    for (const Use& one : uses) {
      world.parts[world.part_count++] = used(one.object, one.usage);
    }
    op.part_count = static_cast<uint32_t>(uses.size());
    return op;
  }
  Operation use(ObjectId object, FileUsage usage) { return use({{object, usage}}); }

  bool depend(ThreadId x, const Operation& x_op, ThreadId y, const Operation& y_op) {
    Access x_items[128];
    Access y_items[128];
    AccessList x_list{x_items, 128};
    AccessList y_list{y_items, 128};
    accesses(world, x, x_op, kOnlyOutcome, x_list);
    accesses(world, y, y_op, kOnlyOutcome, y_list);
    return x_list.overflow || y_list.overflow ||
           conflict(x_items, x_list.count, y_items, y_list.count);
  }
  bool exists(ObjectId name) { return world.object(name).file_name.exists; }
  void wait(ThreadId thread, int ticks) {
    for (int i = 0; i < ticks; ++i) act(thread, {.kind = OpKind::Toss});
  }

  const ObjectId f = make(ObjectKind::FileName);
  const ObjectId g = make(ObjectKind::FileName);
  const ObjectId data = make(ObjectKind::FileData);
  const ObjectId description = make(ObjectKind::Description);
};

TEST_F(FileUseTest, ItIsAlwaysEnabledAndNeverFails) {
  const Operation op = use({{f, FileUsage::Removes}, {data, FileUsage::WritesData}});
  EXPECT_TRUE(can(a, op));
  EXPECT_EQ(act(a, op).error, 0);
  EXPECT_EQ(world.object(data).file_data.written_by, a);
}

TEST_F(FileUseTest, AMadeNameExistsUntilItIsRemoved) {
  act(a, use(f, FileUsage::Makes));
  EXPECT_TRUE(exists(f));
  EXPECT_EQ(world.object(f).file_name.changed_by, a);
  act(b, use(f, FileUsage::Makes));
  EXPECT_EQ(world.object(f).file_name.changed_by, a);
  act(c, use(f, FileUsage::Removes));
  EXPECT_FALSE(exists(f));
  act(b, use(f, FileUsage::Removes));
  EXPECT_EQ(world.object(f).file_name.changed_by, c);
}

TEST_F(FileUseTest, ARenameMovesANameOnlyWhereThereIsOne) {
  const Operation rename = use({{f, FileUsage::Removes}, {g, FileUsage::Replaces}});
  act(a, rename);
  EXPECT_FALSE(exists(g));
  act(b, use(f, FileUsage::Makes));
  act(a, rename);
  EXPECT_FALSE(exists(f));
  EXPECT_TRUE(exists(g));
}

TEST_F(FileUseTest, WhatIsBehindANameIsWhatItLeadsToByThen) {
  const Operation read = use(f, FileUsage::ReadsDataBehind);
  const Operation truncate = use({{f, FileUsage::LooksUp}, {f, FileUsage::WritesDataBehind}});
  const Operation write = use(data, FileUsage::WritesData);
  EXPECT_FALSE(depend(a, read, b, write));
  world.object(f).file_name.target = data;
  EXPECT_TRUE(depend(a, read, b, write));
  EXPECT_TRUE(depend(a, read, b, use(f, FileUsage::Makes)));
  EXPECT_TRUE(
      depend(a, use(f, FileUsage::ReadsLinksBehind), b, use(data, FileUsage::ChangesLinks)));
  EXPECT_TRUE(
      depend(a, use(f, FileUsage::ChangesLinksBehind), b, use(data, FileUsage::ReadsLinks)));
  EXPECT_FALSE(depend(a, use(f, FileUsage::ChangesLinksBehind), b, write));
  act(c, truncate);
  EXPECT_EQ(world.object(data).file_data.written_by, c);
}

TEST_F(FileUseTest, WhatIsBehindANameMayHaveBeenWrittenOver) {
  world.object(f).file_name.target = ObjectId{kMaxObjects};
  EXPECT_EQ(act(a, use(f, FileUsage::WritesDataBehind)).error, 0);
  EXPECT_FALSE(depend(a, use(f, FileUsage::WritesDataBehind), b, use(data, FileUsage::ReadsData)));
}

// Also who counts the names that it had meant what was there before.
TEST_F(FileUseTest, ARenamedNameLeadsToWhatItLedToBefore) {
  const ObjectId replaced = make(ObjectKind::FileData);
  world.object(f).file_name.target = data;
  world.object(g).file_name.target = replaced;
  act(b, use({{f, FileUsage::Makes}, {g, FileUsage::Makes}}));
  act(a,
      use({{f, FileUsage::Removes}, {g, FileUsage::Replaces}, {g, FileUsage::ChangesLinksBehind}}));
  EXPECT_EQ(world.object(g).file_name.target, data);
  EXPECT_EQ(world.object(replaced).file_data.links_changed_by, a);
  EXPECT_EQ(world.object(data).file_data.links_changed_by, kNoThread);
}

TEST_F(FileUseTest, PartsCountOneAfterTheOther) {
  act(a, use({{f, FileUsage::Makes}, {f, FileUsage::Removes}, {g, FileUsage::Replaces}}));
  EXPECT_FALSE(exists(f));
  EXPECT_TRUE(exists(g));
}

TEST_F(FileUseTest, WhoFindsTheNameAsItShouldBeOnlyReadsIt) {
  const Operation makes = use(f, FileUsage::Makes);
  const Operation removes = use(f, FileUsage::Removes);
  const Operation looks = use(f, FileUsage::LooksUp);
  EXPECT_TRUE(depend(a, makes, b, makes));
  EXPECT_TRUE(depend(a, makes, b, looks));
  EXPECT_FALSE(depend(a, removes, b, looks));
  EXPECT_FALSE(depend(a, removes, b, removes));
  act(c, makes);
  EXPECT_FALSE(depend(a, makes, b, makes));
  EXPECT_FALSE(depend(a, makes, b, looks));
  EXPECT_TRUE(depend(a, removes, b, looks));
}

TEST_F(FileUseTest, MakersOfDifferentNamesInADirectoryCommute) {
  const ObjectId directory = make(ObjectKind::FileName);
  const auto creates = [&](ObjectId name) {
    return use({{directory, FileUsage::LooksUp},
                {directory, FileUsage::ChangesEntries},
                {name, FileUsage::Makes}});
  };
  const Operation list = use({{directory, FileUsage::LooksUp}, {directory, FileUsage::Lists}});
  EXPECT_FALSE(depend(a, creates(f), b, creates(g)));
  EXPECT_TRUE(depend(a, creates(f), b, creates(f)));
  EXPECT_TRUE(depend(a, creates(f), b, list));
  EXPECT_FALSE(depend(a, list, b, list));
}

TEST_F(FileUseTest, DataAndTheNumberOfNamesAreTwoThings) {
  const Operation writes = use(data, FileUsage::WritesData);
  const Operation links = use(data, FileUsage::ChangesLinks);
  EXPECT_TRUE(depend(a, writes, b, use(data, FileUsage::ReadsData)));
  EXPECT_FALSE(depend(a, use(data, FileUsage::ReadsData), b, use(data, FileUsage::ReadsData)));
  EXPECT_TRUE(depend(a, links, b, use(data, FileUsage::ReadsLinks)));
  EXPECT_TRUE(depend(a, links, b, links));
  EXPECT_FALSE(depend(a, links, b, writes));
}

TEST_F(FileUseTest, UsesOfOneOffsetDoNotCommuteAndACloseIsNoticed) {
  world.object(description).description.add_holder(a);
  const Operation moves = use(description, FileUsage::MovesOffset);
  const Operation elsewhere = use(description, FileUsage::UsesDescription);
  const Operation close{.kind = OpKind::DescriptionClose, .object = description};
  EXPECT_TRUE(depend(a, moves, b, moves));
  EXPECT_FALSE(depend(a, moves, b, elsewhere));
  EXPECT_FALSE(depend(a, elsewhere, b, elsewhere));
  EXPECT_TRUE(depend(a, moves, b, close));
  EXPECT_TRUE(depend(a, elsewhere, b, close));
  EXPECT_EQ(act(a, elsewhere).value, 0);
  act(b, close);
  EXPECT_NE(act(a, elsewhere).value, 0);
}

TEST_F(FileUseTest, WhatIsFoundTellsWhoWasThereBefore) {
  const Operation reads = use({{f, FileUsage::LooksUp}, {data, FileUsage::ReadsData}});
  EXPECT_EQ(act(a, reads).value, 0);
  act(b, use(data, FileUsage::WritesData));
  const int64_t after_b = act(a, reads).value;
  EXPECT_NE(after_b, 0);
  act(c, use(data, FileUsage::WritesData));
  EXPECT_NE(act(a, reads).value, after_b);
}

TEST_F(FileUseTest, ReadersSeeTheTimeOfWritersAndNotOfEachOther) {
  wait(b, 9);
  act(b, use(data, FileUsage::WritesData));
  act(a, use(data, FileUsage::ReadsData));
  EXPECT_GT(world.thread(a).clock_ns, world.thread(b).clock_ns);
  wait(a, 20);
  act(a, use(data, FileUsage::ReadsData));
  act(c, use(data, FileUsage::ReadsData));
  EXPECT_EQ(world.thread(c).clock_ns, world.thread(b).clock_ns + 1000);
}

TEST_F(FileUseTest, WhoListsSeesTheLatestOfThoseWhoAddedAndTheseNotEachOther) {
  wait(b, 9);
  act(b, use(f, FileUsage::ChangesEntries));
  act(a, use(f, FileUsage::ChangesEntries));
  EXPECT_EQ(world.thread(a).clock_ns, 1000);
  act(c, use(f, FileUsage::Lists));
  EXPECT_EQ(world.thread(c).clock_ns, world.thread(b).clock_ns + 1000);
}

// What one part sees is shown by all that change something.
TEST_F(FileUseTest, TimePassesFromAnyPartToAnyOther) {
  wait(b, 9);
  act(b, use(data, FileUsage::WritesData));
  act(a, use({{f, FileUsage::Makes}, {data, FileUsage::ReadsData}}));
  act(c, use(f, FileUsage::LooksUp));
  EXPECT_GT(world.thread(c).clock_ns, world.thread(b).clock_ns);
}

TEST_F(FileUseTest, WithTooManyPartsItDependsOnEverything) {
  const std::vector<Use> most(kMaxFileParts, Use{f, FileUsage::LooksUp});
  std::vector<Use> more = most;
  more.push_back({g, FileUsage::Makes});
  const Operation other = use(data, FileUsage::ReadsData);
  EXPECT_FALSE(depend(a, use(most), b, other));
  EXPECT_TRUE(depend(a, use(more), b, other));
  EXPECT_EQ(act(a, use(more)).error, 0);
}

}  // namespace
}  // namespace mazurka
