// The sequences of events that executions show, as a tree: what `mazurka lts extract` writes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "execution/program.h"
#include "lts/model/explicit_lts.h"

namespace mazurka {

struct ExtractedLts {
  lts::ActionTable actions;
  lts::ExplicitLts lts;
};

class EventTree {
 public:
  // `program` knows the events' names.
  void add(const Execution& execution, const Program& program);

  // Deterministic but for this: where the program may stop or go on, an internal step leads to a
  // state without transitions. Depends on the set of sequences alone. An error: a name cannot be
  // that of an action.
  Result<ExtractedLts> extract() const;

 private:
  struct Node {
    std::map<std::string, uint32_t> next;
    bool may_stop = false;
  };

  std::vector<Node> nodes_ = std::vector<Node>(1);
};

}  // namespace mazurka
