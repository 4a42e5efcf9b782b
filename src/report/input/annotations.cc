#include "report/input/annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include "base/check.h"
#include "report/input/suppressions.h"

namespace mazurka {
namespace {

constexpr char kForm[] =
    "expected unshared or tentatively-unshared, then variable:, file:, class:, heap: or stack: and "
    "a pattern; or method, atomic or "
    "commuting, then function:, file: or class: and a pattern";

const std::map<std::string, Sharing> kSharings = {{"unshared", Sharing::Unshared},
                                                  {"tentatively-unshared", Sharing::Tentative}};
const std::map<std::string, Granularity> kGranularities = {{"method", Granularity::Method},
                                                           {"atomic", Granularity::Atomic},
                                                           {"commuting", Granularity::Commuting}};
// Of schedules: "unshared-heap"
constexpr char kHeap[] = "-heap";
constexpr char kStack[] = "-stack";

std::string without(const std::string& word, const std::string& end) {
  return word.ends_with(end) ? word.substr(0, word.size() - end.size()) : word;
}

std::string sharing_word(const std::string& word) { return without(without(word, kHeap), kStack); }

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

bool is_annotation(const std::string& word) {
  return kSharings.count(sharing_word(word)) != 0 || kGranularities.count(word) != 0;
}

Result<Annotations::Line> Annotations::parse_line(const std::string& word,
                                                  const std::string& rest) {
  static const std::map<std::string, std::pair<About, By>> kOfMemory = {
      {"variable", {About::Variables, By::Name}},
      {"file", {About::Variables, By::File}},
      {"class", {About::Variables, By::Class}},
      {"heap", {About::Heap, By::Name}},
      {"stack", {About::Stack, By::Name}}};
  static const std::map<std::string, std::pair<About, By>> kOfCalls = {
      {"function", {About::Calls, By::Name}},
      {"file", {About::Calls, By::File}},
      {"class", {About::Calls, By::Class}}};
  const auto& selectors = kGranularities.count(word) != 0 ? kOfCalls : kOfMemory;
  const size_t colon = rest.find(':');
  const auto selector = selectors.find(rest.substr(0, colon));
  const bool is_known = kSharings.count(word) != 0 || kGranularities.count(word) != 0;
  if (!is_known || selector == selectors.end() || colon == std::string::npos ||
      colon + 1 == rest.size())
    return Error{kForm};
  return Line{word, selector->second.first, selector->second.second, rest.substr(colon + 1), ""};
}

Result<Annotations> Annotations::parse(const std::string& text, const std::string& name) {
  Annotations all;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || word[0] == '#') continue;
    std::string rest;
    std::getline(words >> std::ws, rest);
    rest.erase(rest.find_last_not_of(" \t\r") + 1);
    const std::string place = fmt::format("{}:{}", name, number);
    Result<Line> parsed = parse_line(word, rest);
    if (!parsed) return Error{fmt::format("{}: {}", place, parsed.error().message)};
    parsed->place = place;
    all.lines_.push_back(std::move(*parsed));
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

Annotations Annotations::of_names(const std::vector<AnnotationName>& names) {
  Annotations all;
  all.add(names);
  return all;
}

void Annotations::add(const std::vector<AnnotationName>& names) {
  for (const auto& [word, name] : names) {
    MAZURKA_CHECK(is_annotation(word));
    About about = kGranularities.count(word) != 0 ? About::Calls : About::Variables;
    if (word.ends_with(kHeap)) about = About::Heap;
    if (word.ends_with(kStack)) about = About::Stack;
    lines_.push_back({sharing_word(word), about, By::ExactName, name, "the program"});
  }
}

bool Annotations::are_about_code() const {
  return std::any_of(lines_.begin(), lines_.end(),
                     [](const Line& line) { return line.about != About::Variables; });
}

bool Annotations::matches(const Line& line, const std::string& name, const std::string& file,
                          const std::string& class_name) {
  const auto fits = [&](const std::string& text) {
    return !text.empty() && matches_pattern(line.pattern, text);
  };
  switch (line.by) {
    case By::Name:
      return fits(name);
    case By::File:
      return !name.empty() && (fits(file) || fits(file.substr(file.rfind('/') + 1)));
    case By::Class:
      return fits(class_name);
    case By::ExactName:
      return line.pattern == name;
  }
  return false;
}

std::vector<AnnotatedVariable> Annotations::find_variables(
    const std::vector<StaticVariable>& variables, Used& used) const {
  std::vector<AnnotatedVariable> found;
  for (const StaticVariable& variable : variables) {
    bool is_taken = false;
    for (size_t i = 0; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      const bool is_of_it = line.about == About::Variables && !variable.name.empty() &&
                            matches(line, variable.name, variable.file, class_of(variable.type));
      if (!is_of_it) continue;
      used[i] = true;
      if (std::exchange(is_taken, true)) continue;
      found.push_back(
          {variable.name,
           {variable.address, variable.address + variable.size, kSharings.at(line.word), {}}});
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const AnnotatedVariable& a, const AnnotatedVariable& b) {
                     return a.memory.begin < b.memory.begin;
                   });
  std::vector<AnnotatedVariable> apart;
  for (AnnotatedVariable& variable : found) add_apart(std::move(variable), apart);
  return apart;
}

// Lines that say something more are added to `names`, as schedules have them.
FunctionClaim Annotations::claim_of(const FunctionCode& function, Used& used,
                                    std::vector<AnnotationName>& names) const {
  FunctionClaim claim;
  for (size_t i = 0; i < lines_.size(); ++i) {
    const Line& line = lines_[i];
    if (line.about == About::Variables ||
        !matches(line, function.name, function.file, function.class_name))
      continue;
    used[i] = true;
    if (line.about == About::Calls && claim.granularity == Granularity::Fields) {
      claim.granularity = kGranularities.at(line.word);
      names.emplace_back(line.word, function.name);
    } else if (line.about == About::Heap && claim.allocates == Sharing::Shared) {
      claim.allocates = kSharings.at(line.word);
      names.emplace_back(line.word + kHeap, function.name);
    } else if (line.about == About::Stack && claim.starts == Sharing::Shared) {
      claim.starts = kSharings.at(line.word);
      names.emplace_back(line.word + kStack, function.name);
    }
  }
  return claim;
}

void Annotations::find_functions(const std::vector<FunctionCode>& functions, Used& used,
                                 Annotated& out) const {
  std::map<std::vector<AnnotationName>, uint32_t> known;
  std::vector<FunctionClaim> claims;
  for (const FunctionCode& function : functions) {
    std::vector<AnnotationName> names;
    claims.push_back(claim_of(function, used, names));
    const auto [at, is_new] = known.try_emplace(names, static_cast<uint32_t>(out.functions.size()));
    if (is_new) out.functions.push_back(names);
    claims.back().name = at->second;
  }
  out.code = annotated_code(functions, std::move(claims));
}

Result<Annotated> Annotations::resolve(const std::vector<StaticVariable>& variables,
                                       const std::vector<FunctionCode>& functions) const {
  Annotated all;
  Used used(lines_.size(), false);
  all.variables = find_variables(variables, used);
  find_functions(functions, used, all);
  const auto unused = std::find(used.begin(), used.end(), false);
  if (unused != used.end()) {
    const Line& line = lines_[static_cast<size_t>(unused - used.begin())];
    const char* what = line.about == About::Variables ? "global or static variable" : "function";
    return Error{fmt::format("{}: no {} with debug information matches '{}'", line.place, what,
                             line.pattern)};
  }
  if (all.variables.size() > kMaxAnnotated) {
    return Error{fmt::format("{} variables are annotated, and {} is the most", all.variables.size(),
                             kMaxAnnotated)};
  }
  if (all.code.size() > kMaxAnnotatedCode) {
    return Error{fmt::format("{} pieces of code are annotated, and {} is the most", all.code.size(),
                             kMaxAnnotatedCode)};
  }
  return all;
}

}  // namespace mazurka
