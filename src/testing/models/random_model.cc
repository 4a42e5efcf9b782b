#include "testing/models/random_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <random>

namespace mazurka::lts {
namespace {

const std::vector<std::string> kActions = {"a", "b", "c(1, 2)", "d#", "tau"};

std::string quoted(const std::string& action) { return fmt::format("\"{}\"", action); }

std::string aut_text(const ModelProcess& process) {
  std::string text = fmt::format("des ({}, {}, {})\n", process.initial, process.transitions.size(),
                                 process.states);
  for (const ModelTransition& t : process.transitions) {
    text += fmt::format("({}, {}, {})\n", t.source, t.action == "tau" ? "i" : quoted(t.action),
                        t.target);
  }
  return text;
}

// Of the states that are in transitions, or the initial one: a set may name no others.
std::string set_text(const char* word, const std::set<int>& states, const ModelProcess& tester) {
  std::set<int> known{0};
  for (const ModelTransition& t : tester.transitions) known.insert({t.source, t.target});
  std::string text = word;
  for (const int state : states) {
    if (known.contains(state)) text += fmt::format(" q{}", state);
  }
  return text + "\n";
}

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  Model model() {
    Model model;
    const int processes = below(3) + 1;
    for (int i = 0; i < processes; ++i) model.processes.push_back(process());
    for (const std::string& action : used(model)) {
      if (below(6) == 0) model.hidden.insert(action);
    }
    make_tester(model);
    return model;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }

  ModelProcess process() {
    ModelProcess result;
    result.states = below(4) + 1;
    result.initial = below(result.states);
    const int transitions = below(2 * result.states + 2);
    for (int i = 0; i < transitions; ++i) {
      result.transitions.push_back(
          {below(result.states), kActions[below(5)], below(result.states)});
    }
    if (below(5) == 0) result.extra_alphabet.insert(kActions[below(4)]);
    return result;
  }

  static std::set<std::string> used(const Model& model) {
    std::set<std::string> result;
    for (const ModelProcess& process : model.processes) {
      for (const ModelTransition& t : process.transitions) result.insert(t.action);
      result.insert(process.extra_alphabet.begin(), process.extra_alphabet.end());
    }
    result.erase("tau");
    return result;
  }

  void make_tester(Model& model) {
    for (const std::string& action : used(model)) {
      if (model.hidden.count(action) == 0 && below(3) > 0) model.visible.insert(action);
    }
    const std::vector<std::string> visible(model.visible.begin(), model.visible.end());
    ModelProcess& tester = model.tester;
    tester.states = below(4) + 1;
    for (size_t i = 0; i < visible.size() * static_cast<size_t>(tester.states); ++i) {
      tester.transitions.push_back({below(tester.states),
                                    visible[below(static_cast<int>(visible.size()))],
                                    below(tester.states)});
    }
    for (int state = 0; state < tester.states; ++state) {
      if (state + 1 < tester.states && below(4) == 0) {
        tester.transitions.push_back(
            {state, "tau_T", state + 1 + below(tester.states - state - 1)});
      } else if (below(4) == 0) {
        model.deadlock.insert(state);
      }
    }
    make_sets(model);
  }

  // Often so that the special forms apply.
  void make_sets(Model& model) {
    const int form = below(3);
    for (int state = 0; state < model.tester.states; ++state) {
      if (below(8) == 0) model.reject.insert(state);
      if (form == 1 || below(3) == 0) model.livelock.insert(state);
      if (form != 0 && below(2) == 0) model.infinite.insert(state);
    }
  }

  std::mt19937_64 random_;
};

constexpr size_t kFar = SIZE_MAX / 4;

}  // namespace

std::map<std::string, std::string> Model::files() const {
  std::map<std::string, std::string> result;
  std::string net;
  for (size_t i = 0; i < processes.size(); ++i) {
    net += fmt::format("process p{} = \"p{}.aut\"\n", i, i);
    result[fmt::format("p{}.aut", i)] = aut_text(processes[i]);
    if (processes[i].extra_alphabet.empty()) continue;
    net += fmt::format("alphabet p{}", i);
    for (const std::string& action : processes[i].extra_alphabet)
      net += fmt::format(" {}", quoted(action));
    net += "\n";
  }
  if (!hidden.empty()) net += "hide";
  for (const std::string& action : hidden) net += fmt::format(" {}", quoted(action));
  result["system.net"] = net + "\n";
  std::string text = "tester random\nvisible";
  for (const std::string& action : visible) text += fmt::format(" {}", quoted(action));
  text += "\ninitial q0\n" + set_text("reject", reject, tester) +
          set_text("deadlock", deadlock, tester) + set_text("livelock", livelock, tester) +
          set_text("infinite", infinite, tester);
  for (const ModelTransition& t : tester.transitions) {
    text += fmt::format("q{} -{}-> q{}\n", t.source, quoted(t.action), t.target);
  }
  result["random.tester"] = text;
  return result;
}

Model random_model(uint64_t seed) { return Generator(seed).model(); }

Oracle::Oracle(const Model& model) : model_(model) {
  std::vector<int> initial = {model.tester.initial};
  for (const ModelProcess& process : model.processes) initial.push_back(process.initial);
  number(initial);
  for (size_t state = 0; state < locals_.size(); ++state) {
    const std::vector<int> locals = locals_[state];  // a copy: locals_ grows
    add_successors(static_cast<int>(state), locals);
  }
}

const ModelProcess& Oracle::component(size_t i) const {
  return i == 0 ? model_.tester : model_.processes[i - 1];
}

std::set<std::string> Oracle::alphabet(size_t i) const {
  if (i == 0) {
    std::set<std::string> result = model_.visible;
    result.insert("tau_T");
    return result;
  }
  std::set<std::string> result = model_.processes[i - 1].extra_alphabet;
  for (const ModelTransition& t : model_.processes[i - 1].transitions) result.insert(t.action);
  result.erase("tau");
  return result;
}

int Oracle::number(const std::vector<int>& locals) {
  const auto [place, is_new] = numbers_.emplace(locals, static_cast<int>(locals_.size()));
  if (is_new) {
    locals_.push_back(locals);
    edges_.emplace_back();
  }
  return place->second;
}

void Oracle::add_edge(int from, const std::string& action, const std::vector<int>& to,
                      const std::string& way) {
  const bool visible = model_.visible.count(action) > 0;
  const std::string label = model_.hidden.count(action) > 0 ? "tau" : action;
  const int target = number(to);
  edges_[from].insert({label, target, visible || action == "tau_T", visible, way});
}

void Oracle::add_successors(int state, const std::vector<int>& locals) {
  std::set<std::string> actions;
  for (size_t c = 0; c < locals.size(); ++c) {
    for (const std::string& action : alphabet(c)) actions.insert(action);
    for (const ModelTransition& t : component(c).transitions) {
      if (t.action != "tau" || t.source != locals[c]) continue;
      std::vector<int> to = locals;
      to[c] = t.target;
      add_edge(state, "tau", to, fmt::format("tau of {}", c));
    }
  }
  for (const std::string& action : actions) {
    std::vector<std::vector<int>> targets = {locals};
    for (size_t c = 0; c < locals.size(); ++c) {
      if (alphabet(c).count(action) == 0) continue;
      std::vector<std::vector<int>> next;
      for (const std::vector<int>& target : targets) {
        for (const ModelTransition& t : component(c).transitions) {
          if (t.source != locals[c] || t.action != action) continue;
          next.push_back(target);
          next.back()[c] = t.target;
        }
      }
      targets = next;
    }
    for (const std::vector<int>& target : targets) add_edge(state, action, target, action);
  }
}

size_t Oracle::transitions() const {
  size_t count = 0;
  for (const std::set<Edge>& edges : edges_) count += edges.size();
  return count;
}

// The number of each state's strongly connected component, by Tarjan's algorithm.
std::vector<int> Oracle::components(bool invisible_only) const {
  const int n = static_cast<int>(edges_.size());
  std::vector<int> index(n, -1), low(n, 0), component(n, -1), stack;
  int next_index = 0;
  const std::function<void(int)> visit = [&](int s) {
    index[s] = low[s] = next_index++;
    stack.push_back(s);
    for (const Edge& edge : edges_[s]) {
      if (invisible_only && edge.testers) continue;
      if (index[edge.target] < 0) visit(edge.target);
      if (component[edge.target] < 0) low[s] = std::min(low[s], low[edge.target]);
    }
    if (low[s] != index[s]) return;
    while (component[s] < 0) {
      component[stack.back()] = s;
      stack.pop_back();
    }
  };
  for (int s = 0; s < n; ++s) {
    if (index[s] < 0) visit(s);
  }
  return component;
}

bool Oracle::is_finite_violation(int kind, int state) const {
  return kind == 0 ? in(model_.reject, state) : in(model_.deadlock, state) && edges_[state].empty();
}

std::set<int> Oracle::violations() const {
  std::set<int> result;
  const std::vector<int> silent = components(true);
  const std::vector<int> all = components(false);
  std::set<int> with_infinite;
  for (int s = 0; s < static_cast<int>(edges_.size()); ++s) {
    if (in(model_.infinite, s)) with_infinite.insert(all[s]);
  }
  for (int s = 0; s < static_cast<int>(edges_.size()); ++s) {
    for (const int kind : {0, 1}) {
      if (is_finite_violation(kind, s)) result.insert(kind);
    }
    for (const Edge& edge : edges_[s]) {
      const bool silent_loop = !edge.testers && silent[s] == silent[edge.target];
      if (silent_loop && in(model_.livelock, s)) result.insert(2);
      const bool loop = edge.visible && all[s] == all[edge.target];
      if (loop && with_infinite.count(all[s]) > 0) result.insert(3);
    }
  }
  return result;
}

bool Oracle::accepts(int kind, const std::vector<std::string>& prefix,
                     const std::vector<std::string>& loop) const {
  std::set<int> reached = {0};
  for (const std::string& label : prefix) {
    std::set<int> next;
    for (const int s : reached) {
      for (const Edge& edge : edges_[s]) {
        if (edge.label == label) next.insert(edge.target);
      }
    }
    reached = next;
  }
  if (kind < 2) {
    return loop.empty() && std::any_of(reached.begin(), reached.end(),
                                       [&](int s) { return is_finite_violation(kind, s); });
  }
  // (state, whether an infinite-trace state and a visible action came by, whether a tester's step
  // did)
  using Place = std::tuple<int, bool, bool, bool>;
  for (const int entry : reached) {
    std::set<Place> places = {{entry, false, false, false}};
    for (const std::string& label : loop) {
      std::set<Place> next;
      for (const auto& [s, infinite, visible, testers] : places) {
        for (const Edge& edge : edges_[s]) {
          if (edge.label != label) continue;
          next.insert({edge.target, infinite || in(model_.infinite, s), visible || edge.visible,
                       testers || edge.testers});
        }
      }
      places = next;
    }
    for (const auto& [s, infinite, visible, testers] : places) {
      if (s != entry || loop.empty()) continue;
      if (kind == 2 ? !testers && in(model_.livelock, s) : infinite && visible) return true;
    }
  }
  return false;
}

std::vector<size_t> Oracle::distances() const {
  std::vector<size_t> distance(edges_.size(), kFar);
  std::vector<int> queue = {0};
  distance[0] = 0;
  for (size_t i = 0; i < queue.size(); ++i) {
    for (const Edge& edge : edges_[queue[i]]) {
      if (distance[edge.target] != kFar) continue;
      distance[edge.target] = distance[queue[i]] + 1;
      queue.push_back(edge.target);
    }
  }
  return distance;
}

size_t Oracle::shortest_loop(int kind, int state) const {
  if (kind == 2 && !in(model_.livelock, state)) return kFar;
  using Place = std::tuple<int, bool, bool>;
  std::map<Place, size_t> distance = {{{state, false, false}, 0}};
  std::vector<Place> queue = {{state, false, false}};
  for (size_t i = 0; i < queue.size(); ++i) {
    const auto [s, infinite, visible] = queue[i];
    const size_t length = distance[queue[i]] + 1;
    for (const Edge& edge : edges_[s]) {
      if (kind == 2 && edge.testers) continue;
      const Place next = {edge.target, infinite || in(model_.infinite, s), visible || edge.visible};
      const bool good = kind == 2 || (std::get<1>(next) && std::get<2>(next));
      if (edge.target == state && good) return length;
      if (distance.emplace(next, length).second) queue.push_back(next);
    }
  }
  return kFar;
}

size_t Oracle::shortest(int kind) const {
  const std::vector<size_t> distance = distances();
  size_t best = kFar;
  for (int s = 0; s < static_cast<int>(edges_.size()); ++s) {
    if (kind < 2 && is_finite_violation(kind, s)) best = std::min(best, distance[s]);
    if (kind >= 2) best = std::min(best, distance[s] + shortest_loop(kind, s));
  }
  return best;
}

}  // namespace mazurka::lts
