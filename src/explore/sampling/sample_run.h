// The executions of one sampler, numbered: the walk of the i-th is drawn from a hash of the seed
// and i, and what it goes by was learned from those below the last power of two. So the same seed
// gives the same executions with any number of workers.
#pragma once

#include <atomic>
#include <memory>

#include "explore/engine/crew.h"
#include "explore/sampling/learned.h"
#include "explore/sampling/samples.h"
#include "explore/sampling/trace_count.h"

namespace mazurka {

// What several samplers of a search share.
struct SampleShared {
  Session& session;
  Crew& crew;
  Program& program;
  const SearchOptions& options;
  bool is_beside = false;  // another search goes on, and the samples do not count for it
  Learned learned = {};
  TraceCount traces = TraceCount{};
};

class SampleRun {
 public:
  SampleRun(SampleShared& shared, const char* name, Policy policy)
      : shared_(shared), name_(name), policy_(policy) {}

  // So many more. False if the session must not go on.
  bool work(uint64_t count);
  SamplerCounts counts() const;
  // Of the executions of the latest call, the share that had new traces.
  double freshness() const { return freshness_; }

 private:
  bool work_on(uint64_t begin, uint64_t end, std::atomic<uint64_t>& fresh);

  SampleShared& shared_;
  const char* name_;
  const Policy policy_;
  uint64_t next_ = 0;
  std::shared_ptr<const SamplingRule> rule_;
  uint32_t assumed_threads_ = 0;  // with the present rule
  // Executions for which so much was assumed as with the present rule.
  uint64_t alike_ = 0;
  double freshness_ = 1;
};

Samples samples_of(const SampleShared& shared, const std::vector<SampleRun>& runs);

}  // namespace mazurka
