// What each kind of finding means, in a sentence: for formats that describe their rules, and for
// the documentation.
#pragma once

#include <vector>

#include "explore/findings/findings.h"

namespace mazurka {

struct KindDescription {
  FindingKind kind;
  const char* title;
  const char* sentence;
};

// In the order of FindingKind.
const std::vector<KindDescription>& finding_kinds();

}  // namespace mazurka
