// The reverse search (optimal_search.h), for who does something else in between.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "explore/engine/crew.h"

namespace mazurka {

class OptimalShared;

class OptimalRun {
 public:
  static constexpr uint64_t kToTheEnd = std::numeric_limits<uint64_t>::max();

  // Goes on with the checkpoint of the options, if there is one. All must outlive it.
  OptimalRun(Session& session, Crew& crew, const SearchOptions& options);
  ~OptimalRun();
  OptimalRun(const OptimalRun&) = delete;
  OptimalRun& operator=(const OptimalRun&) = delete;

  // Until nothing is left, the session says that it must not go on, or it has counted so many
  // executions. Returns whether nothing is left.
  bool work(uint64_t until = kToTheEnd);

 private:
  std::unique_ptr<OptimalShared> shared_;
  std::vector<std::unique_ptr<Part>> parts_;  // that are left
};

}  // namespace mazurka
