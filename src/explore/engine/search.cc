#include "explore/engine/search.h"

#include "explore/classic/dpor_search.h"
#include "explore/classic/persistent_search.h"
#include "explore/classic/plain_search.h"
#include "explore/classic/preemption_search.h"
#include "explore/classic/sleep_search.h"
#include "explore/classic/wakeup_search.h"
#include "explore/engine/growing_bound.h"
#include "explore/engine/transition_rules.h"
#include "explore/findings/minimize.h"
#include "explore/optimal/optimal_search.h"
#include "explore/sampling/auto_search.h"
#include "explore/sampling/sampling_search.h"

namespace mazurka {
namespace {

struct NamedSearch {
  const char* name;
  Verdict (*run)(Program& program, const SearchOptions& options);
  bool takes_conditional = false;
  // Whether it goes by the lists of what is enabled, in which invisible operations come alone. The
  // others execute each trace once, and have nothing to gain: no release is ever the first half of
  // a race that can be reversed.
  bool goes_by_lists = false;
  bool takes_composed = false;
  bool samples = false;
  bool has_own_options = false;
};

constexpr NamedSearch kSearches[] = {
    {"none", plain_search, false, true, true},
    {"optimal", optimal_search},
    {"wakeup", wakeup_search},
    {"sleep", sleep_search, true, true, true},
    {"persistent", persistent_search, true, true, true},
    {"dpor", dpor_search, true, true},
    {"auto", auto_search},
    {"random", random_search, false, false, false, true},
    {"pct", pct_search, false, false, false, true},
    {"pos", pos_search, false, false, false, true},
    {"surw", surw_search, false, false, false, true},
    {"lag", lag_search, false, false, false, true},
    {"preemptions", preemption_search, false, false, false, false, true},
};

bool must_stop(const SearchOptions& options, const Verdict& verdict, double seconds) {
  return verdict.trouble || (!options.keep_going && !verdict.findings.empty()) ||
         (options.interrupted != nullptr && *options.interrupted != 0) ||
         (options.max_executions > 0 &&
          verdict.counts.executions + verdict.counts.sampled_executions >=
              options.max_executions) ||
         (options.timeout_s > 0 && seconds >= options.timeout_s);
}

void not_complete(Verdict& verdict, Remark<WhyIncomplete> why) {
  verdict.guarantee = Guarantee::Sampled;
  verdict.why_incomplete.push_back(std::move(why));
}

// Two critical sections commute by what is seen of them.
void say_what_composed_is_worth(const Program& program, const SearchOptions& options,
                                const TransitionRules& rules, Verdict& verdict) {
  if (rules.is_violated()) not_complete(verdict, {WhyIncomplete::DisciplineViolated});
  if (const std::string blind = program.blind_modules(); !blind.empty())
    not_complete(verdict, {WhyIncomplete::ComposedBlindly, 0, {blind}});
  verdict.assumptions.push_back({Assumption::Composed});
  if (!options.commuting.empty())
    verdict.assumptions.push_back({Assumption::CommutingCalls, 0, options.commuting});
}

// Again and again, until nothing is learned that the search was not based on.
Verdict search_by_rules(const NamedSearch& search, Program& program, const SearchOptions& options) {
  const bool composed = options.transitions == Transitions::Composed;
  TransitionRules rules(composed);
  const bool takes_rule = options.transitions != Transitions::Visible && search.goes_by_lists;
  double seconds = 0;
  for (;;) {
    std::atomic<bool> is_stale = false;
    SearchOptions round = options;
    if (takes_rule) round.rule = rules.rule();
    for (const uint64_t address : rules.take_shared()) program.share(address);
    round.is_stale = &is_stale;
    if (options.timeout_s > 0) round.timeout_s = options.timeout_s - seconds;
    round.on_execution = [&](const Execution& execution) {
      if (rules.learn(execution)) is_stale = true;
      if (options.on_execution) options.on_execution(execution);
    };
    Verdict verdict = search.run(program, round);
    seconds = verdict.seconds += seconds;
    if (is_stale && !must_stop(options, verdict, seconds)) continue;
    if (is_stale && verdict.guarantee != Guarantee::Sampled)
      not_complete(verdict, {WhyIncomplete::NotStartedAnew});
    if (composed) say_what_composed_is_worth(program, options, rules, verdict);
    if (rules.is_wrongly_unshared()) not_complete(verdict, {WhyIncomplete::WronglyUnshared});
    if (rules.is_torn()) not_complete(verdict, {WhyIncomplete::AnnotatedCallsTorn});
    if (!takes_rule) return verdict;
    const Remarks<Note> notes = rules.notes();
    verdict.notes.insert(verdict.notes.end(), notes.begin(), notes.end());
    return verdict;
  }
}

// Anew, once the program is known to need more.
Verdict search_once(const NamedSearch& search, Program& program, SearchOptions options) {
  const bool by_rules =
      (options.transitions != Transitions::Visible && search.goes_by_lists) || options.is_annotated;
  double seconds = 0;
  for (;;) {
    const Needs before = program.needs();
    const uint64_t learned_before = program.learned();
    Verdict verdict =
        by_rules ? search_by_rules(search, program, options) : search.run(program, options);
    verdict.transitions = options.transitions;
    if (options.timeout_s > 0) options.timeout_s -= verdict.seconds;
    seconds = verdict.seconds += seconds;
    if (program.needs() == before && program.learned() == learned_before) return verdict;
    verdict.findings.clear();  // they cannot be replayed any more
    if (must_stop(options, verdict, 0) || options.timeout_s < 0) {
      not_complete(verdict, {WhyIncomplete::NotStartedAnew});
      return verdict;
    }
    if (program.learned() != learned_before) program.forget_unseen_code();
    if (options.on_start_anew) options.on_start_anew();
    options.checkpoints.resume.clear();
  }
}

std::vector<std::string> names_of(bool samplers) {
  std::vector<std::string> names;
  for (const NamedSearch& search : kSearches) {
    if (search.samples == samplers && !search.has_own_options) names.emplace_back(search.name);
  }
  return names;
}

struct NamedTransitions {
  const char* name;
  Transitions transitions;
};
constexpr NamedTransitions kTransitions[] = {{"visible", Transitions::Visible},
                                             {"first", Transitions::First},
                                             {"composed", Transitions::Composed}};

}  // namespace

std::vector<std::string> search_names() { return names_of(false); }
std::vector<std::string> sampler_names() { return names_of(true); }

bool takes_conditional(const std::string& search) {
  for (const NamedSearch& known : kSearches) {
    if (search == known.name) return known.takes_conditional;
  }
  return false;
}

bool takes_composed(const std::string& search) {
  for (const NamedSearch& known : kSearches) {
    if (search == known.name) return known.takes_composed;
  }
  return false;
}

std::optional<Transitions> transitions_of(const std::string& name) {
  for (const NamedTransitions& known : kTransitions) {
    if (name == known.name) return known.transitions;
  }
  return std::nullopt;
}

const char* name_of(Transitions transitions) {
  return kTransitions[static_cast<size_t>(transitions)].name;
}

// A stable failure is looked for in the states of the traces that are executed (tester_watch.h),
// and conditional dependency leaves traces out.
std::string contradiction(const SearchOptions& options) {
  if (options.conditional && options.tester != nullptr && options.tester->has_deadlock_states()) {
    return "conditional dependency leaves out states in which a tester with deadlock states must "
           "look for stable failures";
  }
  if (options.transitions != Transitions::Composed) return "";
  if (!takes_composed(options.search)) {
    return "the search " + options.search +
           " asks what a transition accesses before it was run, and of a composed one nobody "
           "knows; none, sleep and persistent do not ask";
  }
  if (options.tester != nullptr)
    return "composed transitions leave out states in which a tester must look";
  if (options.conditional)
    return "composed transitions have their own dependency, so --conditional has nothing to add";
  return "";
}

Result<Verdict> explore(Program& program, const SearchOptions& wanted) {
  if (std::string why = contradiction(wanted); !why.empty()) return Error{std::move(why)};
  SearchOptions options = wanted;
  options.stop = std::make_shared<Stop>(options.interrupted, options.timeout_s);
  for (const NamedSearch& search : kSearches) {
    if (options.search != search.name) continue;
    program.stop_by(options.stop);
    const auto run = [&](const SearchOptions& round) {
      return search_once(search, program, round);
    };
    const bool grows = options.grows_bound && options.limits.bound == 0;
    Verdict verdict = grows ? search_with_growing_bound(run, options) : run(options);
    if (verdict.bound > 0) options.limits.bound = verdict.bound;
    if (options.minimize) minimize(program, options, verdict);
    program.stop_by(nullptr);
    return verdict;
  }
  std::string known;
  for (const NamedSearch& search : kSearches)
    known += (known.empty() ? "" : ", ") + std::string(search.name);
  return Error{"there is no search '" + options.search + "'; the searches are: " + known};
}

}  // namespace mazurka
