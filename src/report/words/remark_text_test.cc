#include "report/words/remark_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "execution/channel_options.h"
#include "report/formats/scripted_deadlock.h"

namespace mazurka {
namespace {

// Up to the last kind.
template <typename Kind>
std::vector<std::string> all_sentences(Kind last) {
  Remarks<Kind> remarks;
  for (int i = 0; i <= static_cast<int>(last); ++i)
    remarks.push_back({static_cast<Kind>(i), 2, {"spinning"}});
  return sentences(remarks);
}

TEST(RemarkText, EachKindHasASentenceOfItsOwn) {
  for (const std::vector<std::string>& all :
       {all_sentences(WhyIncomplete::AnnotatedCallsTorn), all_sentences(Assumption::UnseenCalls),
        all_sentences(Note::SuppressionsUnused)}) {
    EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).count(""), 0u);
    EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
  }
}

TEST(RemarkText, AKindThatNobodyKnowsHasNone) {
  EXPECT_EQ(sentence(Remark<Note>{static_cast<Note>(200)}), "");
  EXPECT_EQ(sentence(Remark<WhyIncomplete>{WhyIncomplete::Trouble}),
            "the search could not go on: ");
}

// What a session has gathered is sorted by kind: behaviour that was not followed, and bounds.
TEST(RemarkText, KindsAreInTheOrderOfTheirSentences) {
  const std::vector<std::string> all = all_sentences(WhyIncomplete::AnnotatedCallsTorn);
  const auto place = [&](WhyIncomplete kind) { return all.begin() + static_cast<int>(kind); };
  EXPECT_TRUE(std::is_sorted(place(WhyIncomplete::NotReplayed), place(WhyIncomplete::Timeout) + 1));
  EXPECT_TRUE(std::is_sorted(place(WhyIncomplete::Bound), place(WhyIncomplete::NotStartedAnew)));
}

TEST(RemarkText, NumbersAndNamesAreInIt) {
  EXPECT_EQ(sentence(Remark<WhyIncomplete>{WhyIncomplete::DepthUnderReduction, 30}),
            "an execution was cut at depth 30 (--depth), and because of the reduction that may "
            "have hidden more than what lies deeper; --bound does not");
  EXPECT_EQ(sentence(Remark<Assumption>{Assumption::SuppressedRaces, 1}),
            "1 race was found and suppressed: what comes of unordered accesses there was not "
            "explored");
  EXPECT_EQ(sentence(Remark<Note>{Note::LocksLookedAt, 1}),
            "the releases of 1 lock were visible, because the program tries, times or destroys it");
  EXPECT_EQ(sentence(Remark<Note>{Note::LocksLookedAt, 3}),
            "the releases of 3 locks were visible, because the program tries, times or destroys "
            "them");
  EXPECT_EQ(sentence(Remark<Note>{Note::OptionsOff, kUnaskedWeak | kUnaskedLossy}),
            "not explored without options: failures of weak compare-exchanges (--spurious), lost "
            "and overtaken datagrams (--udp=lossy)");
  EXPECT_EQ(sentence(Remark<WhyIncomplete>{WhyIncomplete::NoModel, 0, {"rdrand or rdseed in a"}}),
            "rdrand or rdseed in a takes random numbers from the processor, others in each run");
  EXPECT_EQ(sentence(Remark<WhyIncomplete>{WhyIncomplete::NoModel, 0, {"a file of the kernel's"}}),
            "a file of the kernel's that was read may have another text in each run");
  EXPECT_EQ(sentence(Remark<Assumption>{Assumption::CommutingCalls, 0, {"add", "count"}}),
            "calls of add, count commute with each other, as the annotations say: that was not "
            "checked");
}

TEST(RemarkText, OfManyUnseenCallsTheFirstAreNamed) {
  Remark<Assumption> remark{Assumption::UnseenCalls, 0, {"memcpy", "strlen"}};
  EXPECT_EQ(sentence(remark),
            "accesses to memory by memcpy, strlen of the C and C++ libraries were not seen");
  remark.names.assign(10, "f");
  EXPECT_EQ(sentence(remark),
            "accesses to memory by f, f, f, f, f, f, f, f and 2 more of the C and C++ libraries "
            "were not seen");
}

TEST(RemarkText, SentencesAreJoined) {
  EXPECT_EQ(joined_sentences(Remarks<Note>{}), "");
  EXPECT_EQ(joined_sentences(
                Remarks<WhyIncomplete>{{WhyIncomplete::Interrupted}, {WhyIncomplete::Bound, 4}}),
            "the search was interrupted; a thread stood still after 4 transitions (--bound)");
}

TEST(RemarkText, ADifferenceSaysWhichSearchMissedWhat) {
  const ScriptedProgram program(opposite_locks());
  const Describer describer(program);
  EXPECT_EQ(sentence({"none", "sleep", FindingKind::Race, 7}, describer),
            "sleep did not find this race, none did, in 7 steps");
  EXPECT_EQ(
      sentence({"none", "sleep", std::nullopt, 2, {{kMainThread, kOnlyOutcome}, {kMainThread, 1}}},
               describer),
      "sleep did not reach 2 end states that none reached, such as that of T0 T0/1");
}

}  // namespace
}  // namespace mazurka
