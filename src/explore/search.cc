#include "explore/search.h"

#include "explore/dpor_search.h"
#include "explore/minimize.h"
#include "explore/optimal_search.h"
#include "explore/persistent_search.h"
#include "explore/plain_search.h"
#include "explore/sleep_search.h"
#include "explore/wakeup_search.h"

namespace mazurka {
namespace {

struct NamedSearch {
  const char* name;
  Verdict (*run)(Program& program, const SearchOptions& options);
  bool takes_conditional = false;
};

constexpr NamedSearch kSearches[] = {
    {"none", plain_search},
    {"optimal", optimal_search},
    {"wakeup", wakeup_search},
    {"sleep", sleep_search, true},
    {"persistent", persistent_search, true},
    {"dpor", dpor_search, true},
};

}  // namespace

std::vector<std::string> search_names() {
  std::vector<std::string> names;
  for (const NamedSearch& search : kSearches) names.emplace_back(search.name);
  return names;
}

bool takes_conditional(const std::string& search) {
  for (const NamedSearch& known : kSearches) {
    if (search == known.name) return known.takes_conditional;
  }
  return false;
}

// A stable failure is looked for in the states of the traces that are executed (tester_watch.h), and
// conditional dependency leaves traces out.
std::string contradiction(const SearchOptions& options) {
  if (options.conditional && options.tester != nullptr && options.tester->has_deadlock_states()) {
    return "conditional dependency leaves out states in which a tester with deadlock states must "
           "look for stable failures";
  }
  return "";
}

Result<Verdict> explore(Program& program, const SearchOptions& options) {
  if (std::string why = contradiction(options); !why.empty()) return Error{std::move(why)};
  for (const NamedSearch& search : kSearches) {
    if (options.search != search.name) continue;
    Verdict verdict = search.run(program, options);
    if (options.minimize) minimize(program, options, verdict);
    return verdict;
  }
  std::string known;
  for (const std::string& name : search_names()) known += (known.empty() ? "" : ", ") + name;
  return Error{"there is no search '" + options.search + "'; the searches are: " + known};
}

}  // namespace mazurka
