// Random networks and testers, and an oracle for them: the product written out state by state as
// definition 3 says, and theorem 1 decided on it by strongly connected components. It shares no
// code with what it tests. For tests only.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mazurka::lts {

struct ModelTransition {
  int source;
  std::string action;
  int target;
};

struct ModelProcess {
  int states = 1;
  int initial = 0;
  std::vector<ModelTransition> transitions;
  std::set<std::string> extra_alphabet;
};

struct Model {
  std::vector<ModelProcess> processes;
  std::set<std::string> hidden;
  ModelProcess tester;
  std::set<std::string> visible;
  std::set<int> reject, deadlock, livelock, infinite;

  // Files by name: "system.net", "p0.aut", ..., "random.tester".
  std::map<std::string, std::string> files() const;
};

Model random_model(uint64_t seed);

class Oracle {
 public:
  explicit Oracle(const Model& model);

  size_t states() const { return edges_.size(); }
  size_t transitions() const;
  // By ViolationKind.
  std::set<int> violations() const;
  // Whether the labels are a counterexample of this kind, for some choice of states.
  bool accepts(int kind, const std::vector<std::string>& prefix,
               const std::vector<std::string>& loop) const;
  // The length of the shortest counterexample, prefix and loop together. Requires that there is
  // one.
  size_t shortest(int kind) const;

 private:
  struct Edge {
    std::string label;
    int target;
    bool testers;  // visible, or tau_T
    bool visible;
    std::string way;  // internal steps of two processes count twice, even where they end alike
    friend auto operator<=>(const Edge&, const Edge&) = default;
  };

  std::set<std::string> alphabet(size_t component) const;
  const ModelProcess& component(size_t i) const;
  void add_successors(int state, const std::vector<int>& locals);
  void add_edge(int from, const std::string& action, const std::vector<int>& to,
                const std::string& way);
  int number(const std::vector<int>& locals);
  bool is_finite_violation(int kind, int state) const;
  size_t shortest_loop(int kind, int state) const;
  std::vector<int> components(bool invisible_only) const;
  std::vector<size_t> distances() const;
  bool in(const std::set<int>& set, int state) const { return set.count(locals_[state][0]) > 0; }

  const Model& model_;
  std::map<std::vector<int>, int> numbers_;
  std::vector<std::vector<int>> locals_;
  std::vector<std::set<Edge>> edges_;
};

}  // namespace mazurka::lts
