#include "lts/model/aut_file.h"

#include <gtest/gtest.h>

namespace mazurka::lts {
namespace {

ExplicitLts good(std::string_view text, ActionTable& actions) {
  Result<ExplicitLts> lts = read_aut(text, "test.aut", actions);
  EXPECT_TRUE(lts) << lts.error().message;
  return lts ? std::move(*lts) : ExplicitLts();
}

std::string error(std::string_view text) {
  ActionTable actions;
  const Result<ExplicitLts> lts = read_aut(text, "test.aut", actions);
  return lts ? "no error" : lts.error().message;
}

TEST(AutFile, ReadsQuotedAndBareLabels) {
  ActionTable actions;
  const ExplicitLts lts = good(
      "des (1, 4, 3)  \n(0,\"a b\",1)\n(1, a, 2)\r\n\n ( 2 , c(1, 2) , 0 )\n(2,\"a\",0)", actions);
  EXPECT_EQ(lts.initial(), 1u);
  EXPECT_EQ(lts.state_count(), 3u);
  EXPECT_EQ(lts.transition_count(), 4u);
  EXPECT_EQ(actions.name(lts.edges(0)[0].action), "a b");
  EXPECT_EQ(lts.edges(1)[0].action, lts.edges(2)[0].action);
  EXPECT_EQ(actions.name(lts.edges(2)[1].action), "c(1, 2)");
}

TEST(AutFile, KeepsQuotesAndCommasInsideALabel) {
  ActionTable actions;
  const ExplicitLts lts = good("des (0,1,1)\n(0,\"say \"a, b\"\",0)", actions);
  EXPECT_EQ(actions.name(lts.edges(0)[0].action), "say \"a, b\"");
}

TEST(AutFile, TakesTauAndIAsInternalQuotedOrBare) {
  ActionTable actions;
  const ExplicitLts lts =
      good("des (0,4,4)\n(0,i,1)\n(1,tau,2)\n(2,\"i\",3)\n(3,\"tau\",0)", actions);
  for (uint32_t s = 0; s < 4; ++s) EXPECT_EQ(lts.edges(s)[0].action, kTau);
  EXPECT_TRUE(lts.actions().empty());
}

TEST(AutFile, ATransitionListedTwiceIsOne) {
  ActionTable actions;
  EXPECT_EQ(good("des (0,2,1)\n(0,a,0)\n(0,\"a\",0)", actions).transition_count(), 1u);
}

TEST(AutFile, ASystemWithoutTransitionsIsFine) {
  ActionTable actions;
  EXPECT_EQ(good("des (0,0,1)\n", actions).state_count(), 1u);
}

TEST(AutFile, NamesFileAndLineOfWhatIsWrong) {
  EXPECT_EQ(error(""), "test.aut:1: the file is empty; it should begin with 'des (0, 1, 2)'");
  EXPECT_EQ(error("\n\nhello"), "test.aut:3: the file should begin with 'des (0, 1, 2)'");
  EXPECT_EQ(error("des (0, 1)"), "test.aut:1: the header should look like 'des (0, 1, 2)'");
  EXPECT_EQ(
      error("des (0, x, 2)"),
      "test.aut:1: the header should have three whole numbers: initial state, transitions, states");
  EXPECT_EQ(
      error("des (0, -1, 2)"),
      "test.aut:1: the header should have three whole numbers: initial state, transitions, states");
  EXPECT_EQ(error("des (0,1,2)\n(0,a,1"),
            "test.aut:2: a transition should look like '(0, \"label\", 1)'");
  EXPECT_EQ(error("des (0,1,2)\n(0,,1)"), "test.aut:2: the label is missing");
  EXPECT_EQ(error("des (0,1,2)\n(0,\"a,1)"), "test.aut:2: a double quote is not closed");
}

TEST(AutFile, ChecksTheHeadersCounts) {
  EXPECT_EQ(error("des (0,0,0)"),
            "test.aut:1: the header says 0 states, but there is an initial one");
  EXPECT_EQ(error("des (2,0,2)"),
            "test.aut:1: the initial state 2 is not below the number of states 2");
  EXPECT_EQ(error("des (0,1,2)\n(0,a,2)"),
            "test.aut:2: there is no state 2: the header says 2 states, from 0");
  EXPECT_EQ(error("des (0,1,2)\n(0,a,1)\n(1,a,0)\n"),
            "test.aut:3: the header says 1 transitions, but there are more");
  EXPECT_EQ(error("des (0,3,2)\n(0,a,1)\n(1,a,0)\n"),
            "test.aut:3: the header says 3 transitions, but there are 2");
}

TEST(AutFile, RefusesHugeNumbers) {
  EXPECT_EQ(error("des (0,1,99999999999999999999999)\n(0,a,1)"),
            "test.aut:1: the header says more states than fit 32 bits");
  EXPECT_EQ(error("des (0,1,4000000000)\n(0,a,1)"),
            "test.aut:1: 1 transitions cannot reach 4000000000 states");
  EXPECT_EQ(error("des (0,99999999999999999999999,2)\n(0,a,1)"),
            "test.aut:2: the header says 18446744073709551615 transitions, but there are 1");
  EXPECT_EQ(error("des (0,1,2)\n(0,a,99999999999999999999999)"),
            "test.aut:2: there is no state 18446744073709551615: the header says 2 states, from 0");
}

TEST(AutFile, WritesWhatItReads) {
  ActionTable actions;
  const std::string text = "des (1,3,2)\n(0,\"a, b\",1)\n(1,\"tau\",0)\n(1,\"\"c\"\",1)\n";
  EXPECT_EQ(write_aut(good(text, actions), actions), text);
}

}  // namespace
}  // namespace mazurka::lts
