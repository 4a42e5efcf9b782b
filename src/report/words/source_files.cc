#include "report/words/source_files.h"

#include <fstream>

namespace mazurka {
namespace {

constexpr size_t kMostLines = 200'000;

}  // namespace

const std::vector<std::string>& SourceFiles::lines(const std::string& file) {
  const auto [place, is_new] = files_.try_emplace(file);
  if (!is_new) return place->second;
  std::ifstream in(file);
  for (std::string line; place->second.size() < kMostLines && std::getline(in, line);) {
    place->second.push_back(line);
  }
  return place->second;
}

std::string SourceFiles::line(const std::string& file, int number) {
  const std::vector<std::string>& all = lines(file);
  if (number < 1 || static_cast<size_t>(number) > all.size()) return "";
  const std::string& text = all[static_cast<size_t>(number) - 1];
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

}  // namespace mazurka
