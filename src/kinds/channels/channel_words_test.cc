#include "kinds/channels/channel_words.h"

#include "kinds/channels/queue_contents.h"
#include "objects/words_fixture.h"

namespace mazurka {
namespace {

class ChannelWords : public WordsFixture {
 protected:
  const ObjectId pipe = make(ObjectKind::Channel);
};

TEST_F(ChannelWords, WhoHoldsTheOtherEndCouldEndTheWait) {
  const Operation read{.kind = OpKind::ChannelRead, .object = pipe};
  EXPECT_TRUE(why(a, read).hopes.empty());
  Description& end = world.object(make(ObjectKind::Description)).description;
  end.writes = pipe;
  end.add_holder(a);  // the process of all three threads
  EXPECT_EQ(why(a, read).text, "it is empty");
  EXPECT_EQ(why(a, read).hopes, (std::vector{b, c}));
  EXPECT_TRUE(why(a, {.kind = OpKind::ChannelWrite, .object = pipe}).hopes.empty());
}

TEST_F(ChannelWords, TransfersSayWhichWayTheyWent) {
  const Operation write{.kind = OpKind::ChannelWrite, .flags = kPartial, .object = pipe};
  EXPECT_EQ(outcome(write, kOnlyOutcome), "");
  EXPECT_EQ(outcome(write, 1), ", one byte");
  EXPECT_EQ(outcome(write, 2), ", half");
  EXPECT_EQ(outcome({.kind = OpKind::ChannelRead, .flags = kLossy}, 2), ", overtaking 2");
  EXPECT_EQ(outcome({.kind = OpKind::DatagramSend}, 1), ", lost");
}

TEST_F(ChannelWords, WhatWasSentIsSaidIfItIsReadable) {
  Operation op{.kind = OpKind::ChannelWrite};
  op.value = 9;
  const auto note = [&](const char* said) {
    return words_of(op.kind).note(op, {.value = 2}, said);
  };
  EXPECT_EQ(note("6869"), "\"hi\"");
  EXPECT_EQ(note("01ff"), "");
  op.kind = OpKind::QueueSend;  // sends all or nothing
  EXPECT_EQ(note("6869"), "\"hi\" ...");
}

TEST_F(ChannelWords, APollNamesTheFirstFewThatAreNotReady) {
  EXPECT_EQ(why(a, {.kind = OpKind::Poll}).text, "waits for a signal");
  Parts parts;
  for (uint32_t i = 1; i <= 6; ++i) parts.push_back(polled(ObjectId{i}, 0));
  EXPECT_EQ(why(a, {.kind = OpKind::Poll}, parts).text,
            "none is ready: o1, o2, o3, o4 and 2 others");
}

TEST_F(ChannelWords, ChannelsAndTimersSayWhatTheyAre) {
  EXPECT_EQ(type_of(world.object(pipe)), "pipe");
  EXPECT_EQ(value(pipe), "0 bytes, nobody can read it, nobody can write it");
  world.object(pipe).channel.form = Channel::Form::Counter;
  EXPECT_EQ(type_of(world.object(pipe)), "eventfd");
  const ObjectId timer = make(ObjectKind::Timer);
  EXPECT_EQ(value(timer), "not set");
  world.object(timer).timer = {.expires_ns = 1'500'000'000, .interval_ns = 250'000'000};
  EXPECT_EQ(value(timer), "expires at 1.5 s, then every 0.25 s");
}

TEST_F(ChannelWords, WhatWasWrittenAndNotReadLiesInTheChannel) {
  Channel& channel = world.object(pipe).channel;
  QueueContents contents;
  channel.used = 1;
  channel.lengths[0] = 5;
  contents.step({.kind = OpKind::ChannelWrite, .object = pipe}, {.value = 5}, "68656c6c6f", world);
  EXPECT_EQ(contents.text(world, pipe), "\"hello\"");
  contents.step({.kind = OpKind::ChannelRead, .object = pipe}, {.value = 2}, "", world);
  EXPECT_EQ(contents.text(world, pipe), "\"llo\"");
}

}  // namespace
}  // namespace mazurka
