// `mazurka lts compare`: tells whether two systems are equivalent. Exit code 1 says that they are
// not.
#include <fmt/format.h>

#include "cli/lts/lts_commands.h"
#include "cli/lts/lts_options.h"
#include "lts/equivalence/traces.h"

namespace mazurka {
namespace {

struct CompareOptions {
  std::string first;
  std::string second;
  lts::Equivalence equivalence = lts::Equivalence::Strong;
  size_t memory = 0;
};

// `lts` with the actions' numbers of another table.
lts::ExplicitLts renumbered(const lts::ExplicitLts& lts, const lts::ActionTable& from,
                            lts::ActionTable& to) {
  std::vector<lts::ActionId> ids;
  for (uint32_t i = 0; i < from.size(); ++i) ids.push_back(to.intern(from.name(lts::ActionId{i})));
  std::vector<lts::Transition> transitions;
  transitions.reserve(lts.transition_count());
  for (uint32_t s = 0; s < lts.state_count(); ++s) {
    for (const lts::Edge& edge : lts.edges(s)) {
      transitions.push_back({s, ids[index(edge.action)], edge.target});
    }
  }
  return lts::ExplicitLts(static_cast<uint32_t>(lts.initial()), lts.state_count(), transitions);
}

std::string joined(const std::vector<lts::ActionId>& trace, const lts::ActionTable& actions) {
  std::string text;
  for (const lts::ActionId action : trace) text += fmt::format("  {}\n", actions.name(action));
  return text;
}

ExitCode compare(const CompareOptions& options, const lts::ExplicitLts& first,
                 const lts::ExplicitLts& second, const lts::ActionTable& actions) {
  if (options.equivalence != lts::Equivalence::Trace) {
    const bool equal = lts::bisimilar(first, second, options.equivalence);
    const char* word = options.equivalence == lts::Equivalence::Strong ? "strongly" : "branching";
    fmt::print("{}: {} bisimilar\n", equal ? "equal" : "different",
               equal ? word : fmt::format("not {}", word));
    return equal ? ExitCode::Ok : ExitCode::Found;
  }
  const lts::TraceComparison result = lts::compare_traces(first, second, options.memory);
  if (result.stopped != lts::StopReason::None) {
    complain("the traces could not all be compared: no memory was left");
    return ExitCode::Incomplete;
  }
  if (result.equal) {
    fmt::print("equal: the same traces\n");
    return ExitCode::Ok;
  }
  fmt::print("different: only {} has the trace\n{}",
             result.first_has_it ? options.first : options.second, joined(result.trace, actions));
  return ExitCode::Found;
}

}  // namespace

ExitCode lts_compare_command(const std::vector<std::string>& arguments) {
  CompareOptions options;
  ExitCode exit_code = ExitCode::Usage;
  const auto app =
      make_lts_app("Tells whether two systems are equivalent; exit code 1: they are not.",
                   "compare [options] SYSTEM.net|FILE.aut SYSTEM.net|FILE.aut");
  app->add_option("FIRST", options.first, "A network (.net) or a single LTS (.aut)")->required();
  app->add_option("SECOND", options.second, "Another one")->required();
  add_equivalence_option(*app, options.equivalence);
  add_memory_option(*app, options.memory);
  if (!parse(*app, arguments, exit_code)) return exit_code;
  std::optional<lts::Network> first = read_system_or_complain(options.first);
  if (!first) return ExitCode::Usage;
  const std::optional<lts::Network> second = read_system_or_complain(options.second);
  if (!second) return ExitCode::Usage;
  const auto lts = compose_or_complain(*first, options.memory, exit_code);
  if (!lts) return exit_code;
  const auto other = compose_or_complain(*second, options.memory, exit_code);
  if (!other) return exit_code;
  return compare(options, *lts, renumbered(*other, second->actions, first->actions),
                 first->actions);
}

}  // namespace mazurka
