#include "lts/model/tester.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "lts/model/text_file.h"

namespace mazurka::lts {
namespace {

struct Set {
  std::string_view word;
  uint8_t bit;
};
constexpr Set kSets[] = {
    {"reject", kReject}, {"deadlock", kDeadlock}, {"livelock", kLivelock}, {"infinite", kInfinite}};

// "-a->" is a word that begins with "-" and ends with "->".
bool is_arrow(std::string_view word) {
  return word.size() >= 3 && word.starts_with('-') && word.ends_with("->");
}

class TesterReader {
 public:
  TesterReader(std::string_view text, const std::string& file, const Network& system)
      : text_(text), file_(file), system_(&system), actions_(system.actions) {}
  // For a system of which nothing is known.
  TesterReader(std::string_view text, const std::string& file, ActionTable& actions)
      : text_(text), file_(file), actions_(actions), open_(&actions) {}

  Result<Tester> read() {
    const Result<std::vector<Line>> lines = read_lines(text_, file_);
    if (!lines) return lines.error();
    if (!system_allows_tau_t()) return wrong(1, "the system has an action 'tau_T' of its own");
    for (const Line& line : *lines) {
      last_line_ = line.number;
      if (Result<void> done = read_line(line); !done) return done.error();
    }
    if (!initial_) return wrong(last_line_, "there is no initial state: 'initial STATE'");
    for (size_t i = 0; i < transitions_.size(); ++i) {
      if (Result<void> done = check_transition(i); !done) return done.error();
    }
    if (Result<void> done = check_sets(); !done) return done.error();
    if (Result<void> done = check_tau_loops(); !done) return done.error();
    return make();
  }

 private:
  Error wrong(size_t line, std::string_view sentence) const {
    return error_at(file_, line, sentence);
  }

  bool system_allows_tau_t() const { return system_ == nullptr || !system_->has(kTauT); }

  Result<void> read_line(const Line& line) {
    const std::vector<std::string>& words = line.words;
    if (words.size() >= 2 && is_arrow(words[1])) return read_transition(line);
    if (words[0] == "tester") return read_name(line);
    if (words[0] == "visible") return read_visible(line);
    if (words[0] == "initial") return read_initial(line);
    for (const Set& set : kSets) {
      if (words[0] == set.word) return read_set(line, set.bit);
    }
    return wrong(line.number,
                 fmt::format("'{}' begins neither a transition 'STATE -ACTION-> STATE' nor one of "
                             "tester, visible, initial, reject, deadlock, livelock, infinite",
                             words[0]));
  }

  Result<void> read_name(const Line& line) {
    if (line.words.size() != 2) return wrong(line.number, "this should look like 'tester NAME'");
    if (!tester_.name.empty()) return wrong(line.number, "the tester has a name already");
    tester_.name = line.words[1];
    return {};
  }

  Result<void> read_visible(const Line& line) {
    for (size_t i = 1; i < line.words.size(); ++i) {
      const std::string& name = line.words[i];
      if (open_ != nullptr) open_->intern(name);
      const std::optional<ActionId> action = actions_.find(name);
      if (action == kTau) {
        return wrong(line.number, fmt::format("'{}' is the internal action, never visible", name));
      }
      if (action == kTauT) {
        return wrong(line.number, "'tau_T' is the tester's own step, never visible");
      }
      if (!action || (system_ != nullptr && !system_->has(*action))) {
        return wrong(line.number,
                     fmt::format("no process of the system has the action '{}'", name));
      }
      if (system_ != nullptr && system_->hides(*action)) {
        return wrong(line.number, fmt::format("the system hides the action '{}'", name));
      }
      tester_.visible.push_back(*action);
    }
    return {};
  }

  Result<void> read_initial(const Line& line) {
    if (line.words.size() != 2) return wrong(line.number, "this should look like 'initial STATE'");
    if (initial_) return wrong(line.number, "there is an initial state already");
    initial_ = state(line.words[1]);
    return {};
  }

  Result<void> read_set(const Line& line, uint8_t bit) {
    for (size_t i = 1; i < line.words.size(); ++i) {
      const uint32_t member = state(line.words[i]);
      tester_.sets[member] |= bit;
      members_.push_back({line.number, member});
    }
    return {};
  }

  Result<void> read_transition(const Line& line) {
    if (line.words.size() != 3) {
      return wrong(line.number, "a transition should look like 'STATE -ACTION-> STATE'");
    }
    const std::string_view arrow = line.words[1];
    const std::string name(arrow.substr(1, arrow.size() - 3));
    if (open_ != nullptr) open_->intern(name);  // `visible` may come below
    const std::optional<ActionId> action = actions_.find(name);
    const uint32_t source = state(line.words[0]);
    // The action is checked at the end: `visible` may come below.
    transitions_.push_back({source, action.value_or(kTau), state(line.words[2])});
    places_.push_back({line.number, name});
    return {};
  }

  uint32_t state(const std::string& name) {
    const auto [place, is_new] = states_.emplace(name, static_cast<uint32_t>(states_.size()));
    if (is_new) {
      tester_.names.push_back(name);
      tester_.sets.push_back(0);
    }
    return place->second;
  }

  Result<void> check_transition(size_t i) {
    const Transition& transition = transitions_[i];
    const auto& [line, action] = places_[i];
    const std::vector<ActionId>& visible = tester_.visible;
    if (transition.action == kTauT) {
      if ((tester_.sets[transition.source] & kDeadlock) != 0) {
        return wrong(line, fmt::format("the deadlock state '{}' may not have a tau_T step",
                                       tester_.names[transition.source]));
      }
    } else if (std::find(visible.begin(), visible.end(), transition.action) == visible.end()) {
      return wrong(line, fmt::format("'{}' is neither a visible action nor tau_T", action));
    }
    return {};
  }

  // A state that is in a set and nowhere else is a slip of the pen: the tester would never be
  // there.
  Result<void> check_sets() const {
    std::vector<bool> is_known(tester_.names.size(), false);
    is_known[*initial_] = true;
    for (const Transition& t : transitions_) is_known[t.source] = is_known[t.target] = true;
    for (const auto& [line, member] : members_) {
      if (is_known[member]) continue;
      return wrong(line, fmt::format("there is no state '{}': no transition mentions it",
                                     tester_.names[member]));
    }
    return {};
  }

  // Takes away states without tau_T steps to others that are left, again and again: what stays then
  // has a loop.
  Result<void> check_tau_loops() const {
    std::vector<size_t> steps(tester_.names.size(), 0);
    for (const Transition& t : transitions_) steps[t.source] += t.action == kTauT ? 1 : 0;
    std::vector<std::vector<uint32_t>> sources(tester_.names.size());
    for (const Transition& t : transitions_) {
      if (t.action == kTauT) sources[t.target].push_back(t.source);
    }
    std::vector<uint32_t> done;
    for (uint32_t s = 0; s < steps.size(); ++s) {
      if (steps[s] == 0) done.push_back(s);
    }
    for (size_t i = 0; i < done.size(); ++i) {
      for (const uint32_t source : sources[done[i]]) {
        if (--steps[source] == 0) done.push_back(source);
      }
    }
    for (size_t i = 0; i < transitions_.size(); ++i) {
      const Transition& t = transitions_[i];
      if (t.action != kTauT || steps[t.source] == 0 || steps[t.target] == 0) continue;
      return wrong(
          places_[i].first,
          "this step is on or leads to a loop of tau_T steps, which a tester may not have");
    }
    return {};
  }

  Tester make() {
    tester_.lts = ExplicitLts(*initial_, static_cast<uint32_t>(tester_.names.size()), transitions_);
    std::vector<ActionId>& visible = tester_.visible;
    std::sort(visible.begin(), visible.end());
    visible.erase(std::unique(visible.begin(), visible.end()), visible.end());
    return std::move(tester_);
  }

  std::string_view text_;
  const std::string& file_;
  const Network* system_ = nullptr;
  const ActionTable& actions_;
  ActionTable* open_ = nullptr;
  Tester tester_;
  std::optional<uint32_t> initial_;
  std::map<std::string, uint32_t> states_;
  std::vector<Transition> transitions_;
  std::vector<std::pair<size_t, std::string>> places_;  // line and action of each transition
  std::vector<std::pair<size_t, uint32_t>> members_;    // of sets: line and state
  size_t last_line_ = 1;
};

}  // namespace

bool Tester::any(uint8_t bits) const {
  return std::any_of(sets.begin(), sets.end(), [bits](uint8_t set) { return (set & bits) != 0; });
}

bool Tester::all(uint8_t bits) const {
  return std::all_of(sets.begin(), sets.end(),
                     [bits](uint8_t set) { return (set & bits) == bits; });
}

Result<Tester> read_tester(std::string_view text, const std::string& file, const Network& system) {
  return TesterReader(text, file, system).read();
}

Result<Tester> read_tester(std::string_view text, const std::string& file, ActionTable& actions) {
  return TesterReader(text, file, actions).read();
}

Result<Tester> read_tester_file(const std::string& path, const Network& system) {
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  return read_tester(*text, path, system);
}

}  // namespace mazurka::lts
