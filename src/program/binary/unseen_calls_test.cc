#include "program/binary/unseen_calls.h"

#include <gtest/gtest.h>

namespace mazurka {
namespace {

TEST(UnseenCalls, KnowFunctionsThatTouchTheirCallersMemory) {
  for (const char* name : {"hcreate_r", "iconv", "lsearch", "regexec", "tsearch", "twalk"}) {
    EXPECT_EQ(unseen_call(name), name);
  }
  for (const char* name : {"memcpy", "strlen", "qsort", "printf", "pthread_mutex_lock", "malloc",
                           "exit", "", "__cxa_throw"}) {
    EXPECT_EQ(unseen_call(name), "") << name;
  }
}

TEST(UnseenCalls, KnowThemByTheirOtherNames) {
  EXPECT_EQ(unseen_call("__regexec"), "regexec");
  EXPECT_EQ(unseen_call("__wcscpy_chk"), "wcscpy");  // its checked form has no row
  EXPECT_EQ(unseen_call("__memcpy_chk"), "");
}

TEST(UnseenCalls, NameWhatOfTheCxxLibraryIsNotInItsHeaders) {
  EXPECT_EQ(unseen_call("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm"),
            "std::string");
  EXPECT_EQ(unseen_call("_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_"),
            "std::map");
  EXPECT_EQ(unseen_call("_ZNSt6thread4joinEv"), "");
}

TEST(UnseenCalls, OfFilesThatAreNotThereAreNone) {
  EXPECT_TRUE(unseen_calls({}).empty());
  EXPECT_TRUE(
      unseen_calls({{"/does/not/exist", 0, 0, 0, kNoProcess}, {"linux-vdso", 0, 0, 0, kNoProcess}})
          .empty());
}

}  // namespace
}  // namespace mazurka
