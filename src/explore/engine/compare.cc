#include "explore/engine/compare.h"

#include <algorithm>

#include "explore/findings/minimize.h"
#include "explore/trace/end_states.h"

namespace mazurka {
namespace {

// One search with all that it came to.
struct Side {
  explicit Side(Program& program) : states(program) {}

  EndStates states;
  Verdict verdict;

  const std::string& name() const { return verdict.search; }
};

// A search that was cut short, or cut off at a depth by a reduction, has every right to differ.
bool is_whole(const Verdict& verdict, const SearchOptions& options) {
  if (verdict.trouble || verdict.guarantee == Guarantee::Sampled) return false;
  return verdict.counts.max_depth < options.limits.depth;
}

// Which accesses to a word a race, or a violation of the locking discipline, is told of depends on
// the order of independent transitions; that there is one does not.
bool is_same(const Sighting& a, const Sighting& b) {
  constexpr uint64_t kWord = 8;
  if (a == b) return true;
  const bool is_of_memory = a.kind == FindingKind::Race || a.kind == FindingKind::LockingDiscipline;
  return is_of_memory && a.kind == b.kind && a.address / kWord == b.address / kWord;
}

// Livelocks aside: they depend on the order of independent transitions.
bool has(const Verdict& verdict, const Finding& wanted) {
  return wanted.kind() == FindingKind::Livelock ||
         std::any_of(verdict.findings.begin(), verdict.findings.end(), [&](const Finding& finding) {
           return is_same(finding.sighting, wanted.sighting);
         });
}

void compare_findings(const Side& a, const Side& b, std::vector<Difference>& differences) {
  for (const Finding& finding : a.verdict.findings) {
    if (!has(b.verdict, finding))
      differences.push_back({a.name(), b.name(), finding.kind(), finding.schedule.size()});
  }
}

void compare_states(const Side& a, const Side& b, std::vector<Difference>& differences) {
  size_t missing = 0;
  const std::vector<Choice>* example = nullptr;
  for (const auto& [state, schedule] : a.states.all()) {
    if (b.states.all().count(state) > 0) continue;
    if (missing++ == 0 || schedule.size() < example->size()) example = &schedule;
  }
  if (missing > 0) differences.push_back({a.name(), b.name(), std::nullopt, missing, *example});
}

Result<void> search(Side& side, SearchOptions options, const std::string& name) {
  options.search = name;
  options.conditional = options.conditional && takes_conditional(name);
  options.keep_going = true;
  options.minimize = false;  // once, of what both have found
  options.on_start_anew = [&side] { side.states.forget(); };
  Result<Verdict> verdict = explore(side.states, options);
  if (!verdict) return verdict.error();
  side.verdict = std::move(*verdict);
  return {};
}

Compared compare(const Side& first, const Side& second, const SearchOptions& options) {
  Compared compared;
  compared.search = second.name();
  compared.counts = second.verdict.counts;
  compared.seconds = second.verdict.seconds;
  compared.end_states = first.states.all().size();
  compared.is_whole = is_whole(first.verdict, options) && is_whole(second.verdict, options);
  if (!compared.is_whole) return compared;
  compare_findings(first, second, compared.differences);
  compare_findings(second, first, compared.differences);
  compare_states(first, second, compared.differences);
  compare_states(second, first, compared.differences);
  return compared;
}

}  // namespace

Result<Verdict> explore_and_compare(Program& program, const SearchOptions& options,
                                    const std::string& other) {
  Side first(program);
  Side second(program);
  first.states.leaves_out_killed = second.states.leaves_out_killed =
      options.transitions != Transitions::Visible;
  if (Result<void> ran = search(first, options, options.search); !ran) return ran.error();
  SearchOptions other_options = options;
  constexpr double kHardlyAny_s = 1e-3;
  if (options.timeout_s > 0) {
    other_options.timeout_s = std::max(options.timeout_s - first.verdict.seconds, kHardlyAny_s);
  }
  other_options.transitions =
      Transitions::Visible;  // each operation by itself: the truth that the others are held to
  if (Result<void> ran = search(second, other_options, other); !ran) return ran.error();
  Verdict& verdict = first.verdict;
  verdict.compared = compare(first, second, options);
  for (Finding& finding : second.verdict.findings) {
    if (!has(verdict, finding)) verdict.findings.push_back(std::move(finding));
  }
  if (options.minimize) {
    SearchOptions last = other_options;
    last.stop = std::make_shared<Stop>(options.interrupted, other_options.timeout_s);
    program.stop_by(last.stop);
    minimize(program, last, verdict);
    program.stop_by(nullptr);
  }
  return std::move(verdict);
}

}  // namespace mazurka
