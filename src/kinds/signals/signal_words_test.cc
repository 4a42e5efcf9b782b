#include "kinds/signals/signal_words.h"

#include <csignal>

#include "kinds/signals/signal_state_text.h"
#include "kinds/signals/signals.h"
#include "objects/words_fixture.h"

namespace mazurka {
namespace {

class SignalWords : public WordsFixture {
 protected:
  static Operation on(OpKind kind, int64_t value, uint8_t flags = 0) {
    Operation op{.kind = kind, .flags = flags};
    op.value = value;
    return op;
  }
};

TEST_F(SignalWords, FlagsAreWordsOfTheirOwn) {
  Operation send = on(OpKind::SignalSend, SIGUSR1);
  send.target = b;
  EXPECT_EQ(operation(send), "send to T1 SIGUSR1");
  EXPECT_EQ(operation(on(OpKind::SignalSend, SIGALRM, kFromTimer)), "set timer of SIGALRM");
  EXPECT_EQ(operation(on(OpKind::SignalAction, SIGINT, kIgnores)), "ignore SIGINT");
  EXPECT_EQ(operation(on(OpKind::SignalMask, 0)), "block signals: none");
  EXPECT_EQ(operation(on(OpKind::SignalWait, 0, kTimed)), "sleep");
  EXPECT_EQ(operation(on(OpKind::SignalWait, 1 << (SIGINT - 1), kTimed)),
            "timed wait for signal SIGINT");
}

TEST_F(SignalWords, ASignalIsTakenBeforeWithinOrAfterAnOperation) {
  const auto text = [](const Operation& op, Outcome how, const Effect& effect) {
    return delivery_text("it", op, static_cast<Outcome>(how | SIGINT), effect);
  };
  const Operation poll{.kind = OpKind::Poll};
  EXPECT_EQ(text(poll, kTakesFirst, {}), "takes SIGINT before it");
  EXPECT_EQ(text(poll, kTakesThen, {}), "it: EINTR, takes SIGINT at once");
  EXPECT_EQ(text(on(OpKind::SignalMask, 0), kTakesThen, {}), "it, takes SIGINT at once");
  EXPECT_EQ(text(poll, kTakesFirst, {.value = kEndedProcess}),
            "takes SIGINT, which ends the process, before it");
}

TEST_F(SignalWords, WhatAThreadBlocksIsSaidOfIt) {
  EXPECT_TRUE(signals_of(world, b, names).empty());
  world.thread(b).blocked = 1 << (SIGINT - 1);
  EXPECT_EQ(signals_of(world, b, names), std::vector<std::string>{"blocks SIGINT"});
}

}  // namespace
}  // namespace mazurka
