// What `mazurka estimate` prints: how large the search of a program is, what makes it large, and
// how many schedules have few preemptions.
#pragma once

#include <string>
#include <vector>

#include "explore/estimate/size_estimate.h"
#include "report/words/describer.h"
#include "report/words/text_style.h"

namespace mazurka {

struct EstimateReport {
  SizeEstimate search;
  std::vector<SizeEstimate> preemptions;  // of schedules with none, with at most one, and so on
  uint64_t seed = 0;
  const Describer& describer;
};

std::string estimate_text(const EstimateReport& report, const TextStyle& style);
std::string estimate_json(const EstimateReport& report);

}  // namespace mazurka
