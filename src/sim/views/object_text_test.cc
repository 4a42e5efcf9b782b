#include "sim/views/object_text.h"

#include <gtest/gtest.h>

#include <memory>

#include "testing/scripts/scripted_program.h"

namespace mazurka {
namespace {

// A program that makes a name, writes the file and removes the name.
class FilesInWords : public testing::Test {
 protected:
  FilesInWords() {
    world->clear();
    Execution execution;
    EXPECT_TRUE(program.run({}, execution));
    world->create_thread(ThreadId{0}, kNoThread, ThreadId{0});
    world->create_object(name, ObjectKind::FileName, kNoProcess);
    world->create_object(data, ObjectKind::FileData, kNoProcess);
  }

  static Script script() {
    Script made;
    made.bodies = {{operate({.kind = OpKind::Toss})}};
    return made;
  }
  void use(ObjectId object, FileUsage usage) {
    world->parts[0] = used(object, usage);
    apply(*world, ThreadId{0}, {.kind = OpKind::FileUse, .part_begin = 0, .part_count = 1},
          kOnlyOutcome);
  }
  std::string value(ObjectId id) { return value_of(*world, id, describer); }

  const ObjectId name{0};
  const ObjectId data{1};
  const std::unique_ptr<World> world = std::make_unique<World>();
  ScriptedProgram program{script()};
  const Describer describer{program};
};

TEST_F(FilesInWords, ANameSaysWhetherItExistsAndWhoDidThat) {
  EXPECT_EQ(type_of(world->object(name)), "file name");
  EXPECT_EQ(value(name), "does not exist");
  use(name, FileUsage::Makes);
  EXPECT_EQ(value(name), "exists, made by T0");
  use(name, FileUsage::Removes);
  EXPECT_EQ(value(name), "does not exist, removed by T0");
}

TEST_F(FilesInWords, ANameThatWasAlwaysThereSaysNothing) {
  EXPECT_FALSE(says_nothing(world->object(name)));
  world->object(name).file_name.exists = true;
  EXPECT_TRUE(says_nothing(world->object(name)));
  use(name, FileUsage::Makes);
  EXPECT_TRUE(says_nothing(world->object(name)));
  use(name, FileUsage::Removes);
  use(name, FileUsage::Makes);
  EXPECT_FALSE(says_nothing(world->object(name)));
}

TEST_F(FilesInWords, DataSayWhoWroteThemLast) {
  EXPECT_EQ(type_of(world->object(data)), "contents of a file");
  EXPECT_EQ(value(data), "as it was");
  use(data, FileUsage::ReadsData);
  EXPECT_EQ(value(data), "as it was");
  use(data, FileUsage::WritesData);
  EXPECT_EQ(value(data), "last written by T0");
}

}  // namespace
}  // namespace mazurka
