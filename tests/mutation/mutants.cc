// For run_mutation.py: which mistakes the tables could have, and the quickest test of them.
//
//   mutants list                  a line for each mutation, and one for each small world with its
//                                 kinds of operations and objects
//   mutants check WORLD...        whether the relation holds in these small worlds (V and D1 of
//                                 dependency_checker.h); stops at what does not, with exit code 1
//
// How many accesses an operation has, and whether it has several outcomes, is seen in the small
// worlds; RandomScript.CoversEveryOperation and SmallWorlds.* say that no kind is missing there.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mutations.h"
#include "objects/accesses.h"
#include "objects/asked.h"
#include "objects/kind_table.h"
#include "objects/misuse.h"
#include "objects/op_table.h"
#include "testing/worlds/dependency_checker.h"
#include "testing/worlds/small_world.h"

namespace mazurka {
namespace {

template <typename Kind, size_t... places>
std::vector<std::string> names_of(std::index_sequence<places...>) {
  return {with_name<static_cast<Kind>(places)>(
      [](const char* name, uint32_t length) { return std::string(name, length); })...};
}

const std::vector<std::string>& op_names() {
  static const auto names = names_of<OpKind>(std::make_index_sequence<kOpTable.size()>());
  return names;
}

const std::vector<std::string>& kind_names() {
  static const auto names = names_of<ObjectKind>(std::make_index_sequence<kKindTable.size()>());
  return names;
}

const std::string& name(OpKind kind) { return op_names()[static_cast<size_t>(kind)]; }
const std::string& name(ObjectKind kind) { return kind_names()[static_cast<size_t>(kind)]; }

// What the operations of a kind were seen to do.
struct Seen {
  size_t accesses = 0;
  size_t outcomes = 0;
  std::set<size_t> writes;  // places
};

class Worlds {
 public:
  void visit(const SmallWorldCase& chosen) {
    SmallWorld world(chosen);
    size_t states = 0;
    std::set<std::string> kinds;
    std::set<SmallWorld::View> known{world.key()};
    for (std::deque<SmallWorld::Saved> open{world.save()}; !open.empty(); open.pop_front()) {
      ++states;
      world.load(open.front());
      for (const Label& label : world.enabled_labels()) {
        world.load(open.front());
        note(world.world(), label, kinds);
        world.take(label);
        if (!world.is_far() && known.insert(world.key()).second) open.push_back(world.save());
      }
    }
    std::printf("world\t%zu\t%s\t", states, chosen.name.c_str());
    for (const std::string& kind : kinds) std::printf("%s ", kind.c_str());
    std::printf("\n");
  }

  const Seen& seen(OpKind kind) { return seen_[kind]; }

 private:
  void note(const World& world, const Label& label, std::set<std::string>& kinds) {
    const Operation& op = label.item.op;
    kinds.insert("OpKind." + name(op.kind));
    for (const ObjectId id : {op.object, op.second}) {
      if (id != kNoObject) kinds.insert("ObjectKind." + name(world.object(id).kind));
    }
    if (foretell_misuse(world, label.thread, op) != Misuse::None) return;
    Seen& its = seen_[op.kind];
    size_t outcomes = 0;
    each_outcome(world, row_of(op.kind).enabled(world, label.thread, op),
                 [&](Outcome) { return ++outcomes > 0; });
    its.outcomes = std::max(its.outcomes, outcomes);
    note_accesses({world, label.thread, op, label.outcome, false}, its);
    note_accesses({world, label.thread, op, kOnlyOutcome, true}, its);
  }

  static void note_accesses(const Asked& asked, Seen& its) {
    Access items[256];
    AccessList list{items, 256};
    row_of(asked.op.kind).accesses(asked, list);
    its.accesses = std::max<size_t>(its.accesses, list.count);
    for (uint32_t i = 0; i < list.count; ++i) {
      if (items[i].mode == Mode::Write) its.writes.insert(i);
    }
  }

  std::map<OpKind, Seen> seen_;
};

void list_op(const OpRow& row, const Seen& seen) {
  const char* kind = name(row.kind).c_str();
  for (size_t i = 0; i < seen.accesses; ++i) std::printf("op\t%s.accesses.lose%zu\n", kind, i);
  for (const size_t i : seen.writes) std::printf("op\t%s.accesses.weaken%zu\n", kind, i);
  for (const OpMutation& mutation : kOpMutations) {
    const bool is_same = std::strcmp(mutation.name, "enabled.first") == 0 && seen.outcomes < 2;
    if (mutation.is_possible(row) && !is_same) std::printf("op\t%s.%s\n", kind, mutation.name);
  }
}

int list() {
  Worlds worlds;
  for (const SmallWorldCase& chosen : all_small_worlds()) worlds.visit(chosen);
  for (const OpRow& row : kOpTable)
    if (row.kind != OpKind::None) list_op(row, worlds.seen(row.kind));
  for (const KindRow& row : kKindTable) {
    for (const KindMutation& mutation : kKindMutations) {
      if (mutation.is_possible(row))
        std::printf("kind\t%s.%s\n", name(row.kind).c_str(), mutation.name);
    }
  }
  return 0;
}

int check(const std::vector<std::string_view>& wanted) {
  DependencyChecker checker;
  const std::vector<SmallWorldCase> all = all_small_worlds();
  for (const std::string_view name : wanted) {
    const auto chosen = std::find_if(all.begin(), all.end(),
                                     [&](const SmallWorldCase& c) { return c.name == name; });
    if (chosen != all.end()) checker.check(*chosen, true);
  }
  for (const auto& [what, count] : checker.violations) std::printf("%s\n", what.c_str());
  return checker.violations.empty() ? 0 : 1;
}

}  // namespace
}  // namespace mazurka

int main(int argc, char** argv) {
  const std::string_view verb = argc > 1 ? argv[1] : "";
  if (verb == "list" && argc == 2) return mazurka::list();
  if (verb == "check") return mazurka::check({argv + 2, argv + argc});
  std::fprintf(stderr, "usage: mutants list | check WORLD...\n");
  return 2;
}
