#include "report/input/suppressions.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

namespace mazurka {
namespace {

// "bank.cpp:12 in deposit", taken apart.
struct Spot {
  std::string file;
  std::string function;
};

Spot spot_of(const std::string& place) {
  const size_t in = place.find(" in ");
  const std::string location = place.substr(0, in);
  return {location.substr(0, location.rfind(':')),
          in == std::string::npos ? "" : place.substr(in + 4)};
}

std::vector<Spot> spots_of(const MemoryAccess& access, const Describer& describer) {
  std::vector<Spot> spots = {spot_of(describer.place(access.place))};
  for (const std::string& caller : describer.callers(access.place))
    spots.push_back(spot_of(caller));
  return spots;
}

std::string without_blanks(const std::string& line) {
  const size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace

bool matches_pattern(const std::string& pattern, const std::string& text) {
  return fnmatch(pattern.c_str(), text.c_str(), FNM_NOESCAPE) == 0;
}

Result<Suppressions> Suppressions::parse(const std::string& text, const std::string& name) {
  static const std::map<std::string, Of> kKinds = {{"function", Of::Function},
                                                   {"file", Of::File},
                                                   {"variable", Of::Variable},
                                                   {"race", Of::Any}};
  Suppressions all;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    line = without_blanks(line);
    if (line.empty() || line[0] == '#') continue;
    const size_t colon = line.find(':');
    const std::string kind = line.substr(0, colon);
    const std::string pattern =
        colon == std::string::npos ? "" : without_blanks(line.substr(colon + 1));
    const auto of = kKinds.find(kind);
    if (of == kKinds.end() || pattern.empty()) {
      return Error{fmt::format("{}:{}: expected function:, file:, variable: or race: and a pattern",
                               name, number)};
    }
    all.patterns_.push_back({of->second, pattern, line});
  }
  return all;
}

Result<Suppressions> Suppressions::read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) return Error{fmt::format("cannot read {}: {}", path, std::strerror(errno))};
  return parse(text.str(), path);
}

bool Suppressions::matches(const Pattern& pattern, const MemoryConflict& conflict,
                           const Describer& describer) const {
  const bool any = pattern.of == Of::Any;
  if ((any || pattern.of == Of::Variable) &&
      matches_pattern(pattern.text, describer.memory(conflict))) {
    return true;
  }
  for (const MemoryAccess* access : {&conflict.first, &conflict.second}) {
    for (const Spot& spot : spots_of(*access, describer)) {
      const std::string base = spot.file.substr(spot.file.rfind('/') + 1);
      const bool of_file =
          matches_pattern(pattern.text, spot.file) || matches_pattern(pattern.text, base);
      if ((any || pattern.of == Of::File) && of_file) return true;
      if ((any || pattern.of == Of::Function) && matches_pattern(pattern.text, spot.function))
        return true;
    }
  }
  return false;
}

bool Suppressions::cover(const Finding& finding, const Describer& describer) {
  const MemoryConflict* conflict = conflict_of(finding);
  if (conflict == nullptr || finding.kind() != FindingKind::Race) return false;
  bool is_covered = false;
  for (Pattern& pattern : patterns_) {
    if (!matches(pattern, *conflict, describer)) continue;
    pattern.is_used = true;
    is_covered = true;
  }
  return is_covered;
}

std::vector<std::string> Suppressions::unused() const {
  std::vector<std::string> lines;
  for (const Pattern& pattern : patterns_) {
    if (!pattern.is_used) lines.push_back(pattern.line);
  }
  return lines;
}

}  // namespace mazurka
