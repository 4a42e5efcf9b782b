// What a verdict says of itself, in sentences (execution/remarks.h): the same in all reports, in
// the simulator and in what the command complains of. No sentence ends with a full stop, so that
// several can be joined.
#pragma once

#include <string>
#include <vector>

#include "explore/engine/search.h"
#include "report/words/describer.h"

namespace mazurka {

std::string sentence(const Remark<WhyIncomplete>& remark);
std::string sentence(const Remark<Assumption>& remark);
std::string sentence(const Remark<Note>& remark);
std::string sentence(const Difference& difference, const Describer& describer);

template <typename Kind>
std::vector<std::string> sentences(const Remarks<Kind>& remarks) {
  std::vector<std::string> all;
  for (const Remark<Kind>& remark : remarks) all.push_back(sentence(remark));
  return all;
}

// "the search was interrupted; an execution was cut at a livelock (--livelock)"
template <typename Kind>
std::string joined_sentences(const Remarks<Kind>& remarks) {
  std::string text;
  for (const Remark<Kind>& remark : remarks) {
    if (!text.empty()) text += "; ";
    text += sentence(remark);
  }
  return text;
}

}  // namespace mazurka
