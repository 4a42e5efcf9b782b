#include "lts/model/dot_file.h"

#include <fmt/format.h>

#include <map>

namespace mazurka::lts {
namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

std::string write_dot(const ExplicitLts& lts, const ActionTable& actions) {
  std::string text = fmt::format(
      "digraph lts {{\n  rankdir=LR;\n  node [shape=circle, fontsize=10];\n  edge [fontsize=10];\n"
      "  start [shape=point];\n  start -> {};\n",
      lts.initial());
  for (uint32_t s = 0; s < lts.state_count(); ++s) {
    if (lts.edges(s).empty()) text += fmt::format("  {} [shape=doublecircle];\n", s);
    // One arrow for all the actions between two states.
    std::map<uint32_t, std::string> labels;
    for (const Edge& edge : lts.edges(s)) {
      std::string& label = labels[edge.target];
      if (!label.empty()) label += "\\n";
      label += escaped(actions.name(edge.action));
    }
    for (const auto& [target, label] : labels) {
      text += fmt::format("  {} -> {} [label=\"{}\"];\n", s, target, label);
    }
  }
  return text + "}\n";
}

}  // namespace mazurka::lts
