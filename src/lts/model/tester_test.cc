#include "lts/model/tester.h"

#include <gtest/gtest.h>

#include "lts/model/aut_file.h"

namespace mazurka::lts {
namespace {

Network system_of(std::string_view aut) {
  ActionTable actions;
  Result<ExplicitLts> lts = read_aut(aut, "system.aut", actions);
  return single("system", std::move(*lts), std::move(actions));
}

Network small_system() { return system_of("des (0,3,3)\n(0,a,1)\n(1,\"b, c\",2)\n(2,i,0)\n"); }

std::string error(const std::string& text) {
  const Network system = small_system();
  const Result<Tester> tester = read_tester(text, "t.tester", system);
  return tester ? "no error" : tester.error().message;
}

TEST(Tester, ReadsTransitionsAndSets) {
  const Network system = small_system();
  const Result<Tester> tester = read_tester(
      "tester example  # with comments\nvisible a \"b, c\"\ninitial s0\n"
      "s0 -a-> s1\ns1 -\"b, c\"-> s0\ns1 -tau_T-> s2\ns2 -a-> deadlock\n"
      "reject s2 deadlock\ndeadlock s0\nlivelock s0 s1\ninfinite s2\n",
      "t.tester", system);
  ASSERT_TRUE(tester) << tester.error().message;
  EXPECT_EQ(tester->name, "example");
  EXPECT_EQ(tester->names, (std::vector<std::string>{"s0", "s1", "s2", "deadlock"}));
  EXPECT_EQ(tester->sets,
            (std::vector<uint8_t>{kDeadlock | kLivelock, kLivelock, kReject | kInfinite, kReject}));
  EXPECT_EQ(tester->lts.transition_count(), 4u);
}

TEST(Tester, MayHaveNoVisibleActions) {
  EXPECT_EQ(error("visible\ninitial s\nlivelock s\n"), "no error");
  EXPECT_EQ(error("initial s\n"), "no error");
}

TEST(Tester, AStateMayBeNamedLikeASet) {
  EXPECT_EQ(error("visible a\ninitial reject\nreject -a-> deadlock\n"), "no error");
}

TEST(Tester, AStateOfASetMustBeInATransition) {
  const std::string text = "visible a\ninitial s\ns -a-> bad\n";
  EXPECT_EQ(error(text + "reject bad\ndeadlock s\n"), "no error");
  EXPECT_EQ(error(text + "reject bad badd\n"),
            "t.tester:4: there is no state 'badd': no transition mentions it");
}

TEST(Tester, NamesFileAndLineOfWhatIsWrong) {
  EXPECT_EQ(error(""), "t.tester:1: there is no initial state: 'initial STATE'");
  EXPECT_EQ(error("initial s\ninitial s"), "t.tester:2: there is an initial state already");
  EXPECT_EQ(error("initial"), "t.tester:1: this should look like 'initial STATE'");
  EXPECT_EQ(error("tester"), "t.tester:1: this should look like 'tester NAME'");
  EXPECT_EQ(error("tester a\ntester b"), "t.tester:2: the tester has a name already");
  EXPECT_EQ(error("s -a->"), "t.tester:1: a transition should look like 'STATE -ACTION-> STATE'");
  EXPECT_EQ(
      error("s -> t"),
      "t.tester:1: 's' begins neither a transition 'STATE -ACTION-> STATE' nor one of tester, "
      "visible, initial, reject, deadlock, livelock, infinite");
}

TEST(Tester, HoldsTheConditionsOfDefinitionSix) {
  EXPECT_EQ(error("visible a nope"), "t.tester:1: no process of the system has the action 'nope'");
  EXPECT_EQ(error("visible tau"), "t.tester:1: 'tau' is the internal action, never visible");
  EXPECT_EQ(error("visible tau_T"), "t.tester:1: 'tau_T' is the tester's own step, never visible");
  EXPECT_EQ(error("visible a\ninitial s\ns -\"b, c\"-> s"),
            "t.tester:3: 'b, c' is neither a visible action nor tau_T");
  EXPECT_EQ(error("initial s\ns -i-> s"), "t.tester:2: 'i' is neither a visible action nor tau_T");
  EXPECT_EQ(
      error("initial s\ns -tau_T-> t\nt -tau_T-> s\n"),
      "t.tester:2: this step is on or leads to a loop of tau_T steps, which a tester may not have");
  EXPECT_EQ(error("initial s\ns -tau_T-> t\ndeadlock s t\n"),
            "t.tester:2: the deadlock state 's' may not have a tau_T step");
}

TEST(Tester, RefusesASystemWithTheTestersOwnAction) {
  const Network system = system_of("des (0,1,1)\n(0,tau_T,0)\n");
  const Result<Tester> tester = read_tester("initial s\n", "t.tester", system);
  ASSERT_FALSE(tester);
  EXPECT_EQ(tester.error().message, "t.tester:1: the system has an action 'tau_T' of its own");
}

TEST(Tester, RefusesHiddenActions) {
  Network system = small_system();
  system.hidden.push_back(*system.actions.find("a"));
  const Result<Tester> tester = read_tester("visible a\ninitial s\n", "t.tester", system);
  ASSERT_FALSE(tester);
  EXPECT_EQ(tester.error().message, "t.tester:1: the system hides the action 'a'");
}

}  // namespace
}  // namespace mazurka::lts
