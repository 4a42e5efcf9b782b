#include "explore/sampling/sampling_search.h"

#include <limits>

#include "explore/sampling/sample_run.h"

namespace mazurka {
namespace {

constexpr uint64_t kMostSamples = 100'000;

Verdict sample(Program& program, SearchOptions options, Policy policy) {
  if (options.max_executions == 0 && options.timeout_s == 0) options.max_executions = kMostSamples;
  Session session(program, options);
  Crew crew(program, session, options);
  SampleShared shared{session, crew, program, options};
  std::vector<SampleRun> runs;
  runs.emplace_back(shared, options.search.c_str(), policy);
  while (session.may_go_on() && runs[0].work(std::numeric_limits<uint32_t>::max())) {
  }
  session.may_go_on();  // it says why not
  Verdict verdict = session.finish(false);
  verdict.samples = samples_of(shared, runs);
  return verdict;
}

}  // namespace

Verdict random_search(Program& program, const SearchOptions& options) {
  return sample(program, options, Policy::Random);
}
Verdict pct_search(Program& program, const SearchOptions& options) {
  return sample(program, options, Policy::Pct);
}
Verdict pos_search(Program& program, const SearchOptions& options) {
  return sample(program, options, Policy::Pos);
}
Verdict lag_search(Program& program, const SearchOptions& options) {
  return sample(program, options, Policy::Lag);
}
Verdict surw_search(Program& program, const SearchOptions& options) {
  return sample(program, options, Policy::Surw);
}

}  // namespace mazurka
