// Simulates a program: the questions of docs/simulator.md about its runs.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/runs.h"
#include "sim/server/search_job.h"
#include "sim/server/simulation.h"
#include "sim/server/subject.h"
#include "sim/views/memory_view.h"
#include "sim/views/naming.h"
#include "sim/views/state_graph.h"

namespace mazurka {

class ProgramSimulation final : public Simulation {
 public:
  // The program must outlive it. `schedule`: where the page begins.
  ProgramSimulation(Subject subject, std::vector<PlannedStep> schedule);

  Result<Json> answer(const std::string& question, const Json& request) override;

 private:
  using Answer = Result<Json> (ProgramSimulation::*)(const Json& request);

  Result<Json> hello(const Json& request);
  Result<Json> go(const Json& request);
  Result<Json> run_to(const Json& request);
  Result<Json> steps(const Json& request);
  Result<Json> state(const Json& request);
  Result<Json> visit(const Json& request);
  Result<Json> source(const Json& request);
  // NOLINTNEXTLINE(bugprone-exception-escape): swaps steps, not objects
  Result<Json> swap(const Json& request);
  Result<Json> passing(const Json& request);
  Result<Json> edit(const Json& request);
  Result<Json> record(const Json& request);
  Result<Json> save(const Json& request);
  Result<Json> load(const Json& request);
  Result<Json> search(const Json& request);
  Result<Json> open_finding(const Json& request);
  Result<Json> variables(const Json& request);
  Result<Json> graph(const Json& request);
  Result<Json> go_to_node(const Json& request);

  Result<RunPointer> run_of(const Json& request);
  static uint32_t at_of(const Json& request, const Run& run);
  Result<Json> arrive(Result<RunPointer> run, uint32_t at, uint32_t keep);
  Json whole_state(const Run& run, uint32_t at);
  Json notes() const;
  Json recorded_variables(const Run& run);
  Json search_json();
  Json tester_after(const Run& run, uint32_t at) const;

  Subject subject_;
  LiveNaming naming_;
  Runs runs_;
  MemoryView memory_;
  SearchJob job_;
  std::vector<PlannedStep> first_;
  std::optional<uint32_t> first_run_;
  std::map<uint32_t, Json> passing_;  // answers, by run
  std::optional<StateGraph> graph_;
};

}  // namespace mazurka
