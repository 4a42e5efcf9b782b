#include "report/annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "report/suppressions.h"

namespace mazurka {
namespace {

constexpr char kForm[] = "expected unshared or tentatively-unshared, then variable:, file: or class: and a pattern";

// "struct account [4]" is an "account".
std::string class_of(const std::string& type) {
  std::string name = type.substr(0, type.find(" ["));
  name = name.substr(0, name.find('['));
  for (const char* word : {"const ", "volatile ", "struct ", "class ", "union "}) {
    if (name.starts_with(word)) name.erase(0, std::strlen(word));
  }
  return name;
}

// Two descriptions of one variable, or pieces of one: each byte belongs to the first.
void add_apart(AnnotatedVariable variable, std::vector<AnnotatedVariable>& out) {
  AnnotatedMemory& memory = variable.memory;
  if (!out.empty()) memory.begin = std::max(memory.begin, out.back().memory.end);
  if (memory.begin < memory.end) out.push_back(std::move(variable));
}

}  // namespace

const char* name_of(Sharing sharing) {
  switch (sharing) {
    case Sharing::Shared:
      break;
    case Sharing::Unshared:
      return "unshared";
    case Sharing::Tentative:
      return "tentatively-unshared";
  }
  return "shared";
}

std::optional<Sharing> sharing_of(const std::string& name) {
  for (const Sharing sharing : {Sharing::Unshared, Sharing::Tentative}) {
    if (name == name_of(sharing)) return sharing;
  }
  return std::nullopt;
}

Result<Annotations> Annotations::parse(const std::string& text, const std::string& name) {
  static const std::map<std::string, Of> kSelectors = {{"variable", Of::Variable}, {"file", Of::File}, {"class", Of::Class}};
  Annotations all;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || word[0] == '#') continue;
    const std::optional<Sharing> sharing = sharing_of(word);
    std::string rest;
    std::getline(words >> std::ws, rest);
    rest.erase(rest.find_last_not_of(" \t\r") + 1);
    const size_t colon = rest.find(':');
    const auto of = kSelectors.find(rest.substr(0, colon));
    const std::string place = fmt::format("{}:{}", name, number);
    if (!sharing || of == kSelectors.end() || colon == std::string::npos || colon + 1 == rest.size()) {
      return Error{fmt::format("{}: {}", place, kForm)};
    }
    all.lines_.push_back({*sharing, of->second, rest.substr(colon + 1), place});
  }
  return all;
}

Result<Annotations> Annotations::read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) return Error{fmt::format("cannot read {}: {}", path, std::strerror(errno))};
  return parse(text.str(), path);
}

Annotations Annotations::of_names(const std::vector<std::pair<Sharing, std::string>>& names) {
  Annotations all;
  for (const auto& [sharing, name] : names) all.lines_.push_back({sharing, Of::ExactName, name, "the schedule"});
  return all;
}

bool Annotations::matches(const Line& line, const StaticVariable& variable) {
  const auto fits = [&](const std::string& text) { return matches_pattern(line.pattern, text); };
  switch (line.of) {
    case Of::Variable:
      return fits(variable.name);
    case Of::File:
      return fits(variable.file) || fits(variable.file.substr(variable.file.rfind('/') + 1));
    case Of::Class:
      return fits(class_of(variable.type));
    case Of::ExactName:
      return line.pattern == variable.name;
  }
  return false;
}

Result<std::vector<AnnotatedVariable>> Annotations::resolve(const std::vector<StaticVariable>& variables) const {
  std::vector<AnnotatedVariable> found;
  std::vector<bool> used(lines_.size(), false);
  for (const StaticVariable& variable : variables) {
    bool is_taken = false;
    for (size_t i = 0; i < lines_.size(); ++i) {
      if (variable.name.empty() || !matches(lines_[i], variable)) continue;
      used[i] = true;
      if (is_taken) continue;
      is_taken = true;
      found.push_back({variable.name, {variable.address, variable.address + variable.size, lines_[i].sharing, {}}});
    }
  }
  const auto unused = std::find(used.begin(), used.end(), false);
  if (unused != used.end()) {
    const Line& line = lines_[static_cast<size_t>(unused - used.begin())];
    return Error{fmt::format("{}: no global or static variable with debug information matches '{}'", line.place, line.pattern)};
  }
  std::stable_sort(found.begin(), found.end(), [](const AnnotatedVariable& a, const AnnotatedVariable& b) {
    return a.memory.begin < b.memory.begin;
  });
  std::vector<AnnotatedVariable> apart;
  for (AnnotatedVariable& variable : found) add_apart(std::move(variable), apart);
  if (apart.size() <= kMaxAnnotated) return apart;
  return Error{fmt::format("{} variables are annotated, and {} is the most", apart.size(), kMaxAnnotated)};
}

}  // namespace mazurka
