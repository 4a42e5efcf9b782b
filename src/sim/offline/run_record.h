// All that the page may ask about a run, in one value: for pages without a server.
#pragma once

#include <set>
#include <string>

#include "sim/runs.h"
#include "sim/server/json_type.h"
#include "sim/views/naming.h"

namespace mazurka {

// Which lines of which files a page has.
class Excerpts {
 public:
  // Those around each place in the user's code of a thread's stack, an access or the like: any JSON
  // with such places in it.
  void add(const Json& json);
  // {file: [[first, [line, ...]], ...]}
  Json json(Naming& naming) const;

 private:
  std::map<std::string, std::set<int>> places_;
};

// The arrival at its first `length` steps, as in docs/simulator.md, with all `steps`, and its
// `states` told as changes. Of a long run only the states at its beginning and its end. `excerpts`
// gets what they show.
Json run_record(const Run& run, uint32_t length, Naming& naming, Excerpts& excerpts);

}  // namespace mazurka
