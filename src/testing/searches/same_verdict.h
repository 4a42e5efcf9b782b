// For tests: two searches of one program have come to the same.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "explore/engine/search.h"

namespace mazurka {

inline std::multiset<std::string> findings_of(const Verdict& verdict) {
  std::multiset<std::string> found;
  for (const Finding& finding : verdict.findings)
    found.insert(name_of(finding.kind()) + std::string(" ") + std::to_string(finding.count));
  return found;
}

inline void expect_same(const Verdict& one, const Verdict& other, const std::string& what) {
  EXPECT_FALSE(other.trouble) << what << other.trouble->message;
  EXPECT_EQ(one.counts.executions, other.counts.executions) << what;
  EXPECT_EQ(one.counts.blocked_executions, other.counts.blocked_executions) << what;
  EXPECT_EQ(one.counts.transitions, other.counts.transitions) << what;
  EXPECT_EQ(one.counts.max_depth, other.counts.max_depth) << what;
  EXPECT_EQ(one.guarantee, other.guarantee) << what;
  EXPECT_EQ(findings_of(one), findings_of(other)) << what;
}

}  // namespace mazurka
