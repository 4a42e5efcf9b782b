#include "kinds/files/file_words.h"

#include "objects/words_fixture.h"

namespace mazurka {
namespace {

class FileWords : public WordsFixture {
 protected:
  void use(ObjectId object, FileUsage usage) {
    world.parts[0] = used(object, usage);
    apply(world, a, {.kind = OpKind::FileUse, .part_begin = 0, .part_count = 1}, kOnlyOutcome);
  }

  const ObjectId name = make(ObjectKind::FileName);
  const ObjectId data = make(ObjectKind::FileData);
  const ObjectId file = make(ObjectKind::File);
};

TEST_F(FileWords, ANameSaysWhetherItExistsAndWhoDidThat) {
  EXPECT_EQ(type_of(world.object(name)), "file name");
  EXPECT_EQ(value(name), "does not exist");
  use(name, FileUsage::Makes);
  EXPECT_EQ(value(name), "exists, made by T0");
  use(name, FileUsage::Removes);
  EXPECT_EQ(value(name), "does not exist, removed by T0");
}

TEST_F(FileWords, ANameThatWasAlwaysThereSaysNothing) {
  EXPECT_FALSE(says_nothing(world.object(name)));
  world.object(name).file_name.exists = true;
  EXPECT_TRUE(says_nothing(world.object(name)));
  use(name, FileUsage::Makes);
  EXPECT_TRUE(says_nothing(world.object(name)));
  use(name, FileUsage::Removes);
  use(name, FileUsage::Makes);
  EXPECT_FALSE(says_nothing(world.object(name)));
}

TEST_F(FileWords, DataSayWhoWroteThemLast) {
  EXPECT_EQ(type_of(world.object(data)), "contents of a file");
  EXPECT_EQ(value(data), "as it was");
  use(data, FileUsage::ReadsData);
  EXPECT_EQ(value(data), "as it was");
  use(data, FileUsage::WritesData);
  EXPECT_EQ(value(data), "last written by T0");
}

TEST_F(FileWords, ARecordIsARangeOfBytes) {
  Operation op{.kind = OpKind::FileLock, .flags = kRecord, .object = file};
  op.desired = kEndOfFile;
  EXPECT_EQ(operation(op), "lock o2");
  op.value = 3;
  EXPECT_EQ(operation(op), "lock o2 from byte 3 on");
  op.desired = 4;
  EXPECT_EQ(operation(op), "lock o2 byte 3");
  op.desired = 9;
  op.flags |= kShared | kTry;
  EXPECT_EQ(operation(op), "try to share o2 bytes 3 to 8");
}

TEST_F(FileWords, WhoLocksAFileIsSaidOfTheFileAndOfThoseWhoWait) {
  world.file_locks[world.file_lock_count++] = {.file = file, .owner = {.process = a}};
  EXPECT_EQ(value(file), "locked by T0");
  const ObjectId description = make(ObjectKind::Description);
  const Operation op{.kind = OpKind::FileLock, .object = file, .second = description};
  EXPECT_EQ(holders(b, op), std::vector{a});
  EXPECT_EQ(result(op, {.value = 1}), "gives up the shared lock first");
}

TEST_F(FileWords, ARenameNamesBoth) {
  Operation op{.kind = OpKind::FileUse, .object = name, .second = data};
  op.value = static_cast<int64_t>(FileVerb::Rename);
  EXPECT_EQ(operation(op), "rename o0 to o1");
}

}  // namespace
}  // namespace mazurka
