#include "lts/model/aut_file.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <limits>
#include <optional>

#include "lts/model/text_file.h"

namespace mazurka::lts {
namespace {

// States that no transition can reach cost memory, so a header may not promise any number of them.
constexpr uint64_t kUnreachableStates = uint64_t{1} << 24;
constexpr uint64_t kMostStates = std::numeric_limits<uint32_t>::max() - 1;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

void trim(std::string_view& text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
}

// A whole number that fills `text` but for blanks. Larger ones than 64 bits become the largest.
std::optional<uint64_t> number(std::string_view text) {
  trim(text);
  uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || stop != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) return std::numeric_limits<uint64_t>::max();
  return value;
}

// What stands before the first comma, between, and after the last one, in parentheses.
struct Triple {
  std::string_view first, middle, last;
};

std::optional<Triple> split(std::string_view text) {
  trim(text);
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  const size_t comma = text.find(',');
  const size_t last_comma = text.rfind(',');
  if (comma == last_comma) return std::nullopt;
  return Triple{text.substr(0, comma), text.substr(comma + 1, last_comma - comma - 1),
                text.substr(last_comma + 1)};
}

class AutReader {
 public:
  AutReader(std::string_view text, std::string_view file, ActionTable& actions)
      : rest_(text), file_(file), actions_(actions) {}

  Result<ExplicitLts> read() {
    if (!next_line()) return wrong("the file is empty; it should begin with 'des (0, 1, 2)'");
    if (Result<void> header = read_header(); !header) return header.error();
    while (next_line()) {
      if (Result<void> transition = read_transition(); !transition) return transition.error();
    }
    if (transitions_.size() < transition_count_) {
      return wrong(fmt::format("the header says {} transitions, but there are {}",
                               transition_count_, transitions_.size()));
    }
    return ExplicitLts(static_cast<uint32_t>(initial_), static_cast<uint32_t>(state_count_),
                       transitions_);
  }

 private:
  Error wrong(std::string_view sentence) const { return error_at(file_, line_number_, sentence); }

  // The next line that is not blank; at the end, line_number_ is that of the last line.
  bool next_line() {
    while (!rest_.empty()) {
      ++line_number_;
      const void* newline = std::memchr(rest_.data(), '\n', rest_.size());
      const size_t length =
          newline == nullptr
              ? rest_.size()
              : static_cast<size_t>(static_cast<const char*>(newline) - rest_.data());
      line_ = rest_.substr(0, length);
      rest_.remove_prefix(std::min(length + 1, rest_.size()));
      trim(line_);
      if (!line_.empty()) return true;
    }
    if (line_number_ == 0) line_number_ = 1;
    return false;
  }

  Result<void> read_header() {
    if (!line_.starts_with("des")) return wrong("the file should begin with 'des (0, 1, 2)'");
    const std::optional<Triple> parts = split(line_.substr(3));
    if (!parts) return wrong("the header should look like 'des (0, 1, 2)'");
    const std::optional<uint64_t> initial = number(parts->first);
    const std::optional<uint64_t> transitions = number(parts->middle);
    const std::optional<uint64_t> states = number(parts->last);
    if (!initial || !transitions || !states) {
      return wrong(
          "the header should have three whole numbers: initial state, transitions, states");
    }
    if (*states == 0) return wrong("the header says 0 states, but there is an initial one");
    if (*states > kMostStates) return wrong("the header says more states than fit 32 bits");
    if (*initial >= *states) {
      return wrong(fmt::format("the initial state {} is not below the number of states {}",
                               *initial, *states));
    }
    if (*states > kUnreachableStates && *states - kUnreachableStates > *transitions) {
      return wrong(fmt::format("{} transitions cannot reach {} states", *transitions, *states));
    }
    initial_ = *initial;
    transition_count_ = *transitions;
    state_count_ = *states;
    // The header may lie: a transition takes at least six characters.
    transitions_.reserve(std::min<uint64_t>(transition_count_, rest_.size() / 6 + 1));
    return {};
  }

  Result<void> read_transition() {
    const std::optional<Triple> parts = split(line_);
    const std::optional<uint64_t> source = parts ? number(parts->first) : std::nullopt;
    const std::optional<uint64_t> target = parts ? number(parts->last) : std::nullopt;
    if (!source || !target) return wrong("a transition should look like '(0, \"label\", 1)'");
    for (const uint64_t state : {*source, *target}) {
      if (state >= state_count_) {
        return wrong(fmt::format("there is no state {}: the header says {} states, from 0", state,
                                 state_count_));
      }
    }
    if (transitions_.size() == transition_count_) {
      return wrong(
          fmt::format("the header says {} transitions, but there are more", transition_count_));
    }
    std::string_view label = parts->middle;
    trim(label);
    if (label.empty()) return wrong("the label is missing");
    if (label.front() == '"') {
      if (label.size() < 2 || label.back() != '"') return wrong("a double quote is not closed");
      label = label.substr(1, label.size() - 2);
    }
    transitions_.push_back(
        {static_cast<uint32_t>(*source), action(label), static_cast<uint32_t>(*target)});
    return {};
  }

  // Neighbours often have the same label.
  ActionId action(std::string_view label) {
    if (label != last_label_ || transitions_.empty()) {
      last_label_ = label;
      last_action_ = actions_.intern(label);
    }
    return last_action_;
  }

  std::string_view rest_;
  std::string_view file_;
  ActionTable& actions_;
  std::string_view line_;
  size_t line_number_ = 0;
  uint64_t initial_ = 0;
  uint64_t transition_count_ = 0;
  uint64_t state_count_ = 0;
  std::vector<Transition> transitions_;
  std::string_view last_label_;
  ActionId last_action_ = kTau;
};

}  // namespace

Result<ExplicitLts> read_aut(std::string_view text, std::string_view file, ActionTable& actions) {
  return AutReader(text, file, actions).read();
}

Result<ExplicitLts> read_aut_file(const std::string& path, ActionTable& actions) {
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  return read_aut(*text, path, actions);
}

std::string write_aut(const ExplicitLts& lts, const ActionTable& actions) {
  fmt::memory_buffer out;
  const auto to = std::back_inserter(out);
  fmt::format_to(to, "des ({},{},{})\n", lts.initial(), lts.transition_count(), lts.state_count());
  for (uint32_t state = 0; state < lts.state_count(); ++state) {
    const fmt::format_int source(state);
    for (const Edge& edge : lts.edges(state)) {
      const std::string_view label = actions.name(edge.action);
      const fmt::format_int target(edge.target);
      out.push_back('(');
      out.append(source.data(), source.data() + source.size());
      out.append(std::string_view(",\""));
      out.append(label);
      out.append(std::string_view("\","));
      out.append(target.data(), target.data() + target.size());
      out.append(std::string_view(")\n"));
    }
  }
  return fmt::to_string(out);
}

}  // namespace mazurka::lts
