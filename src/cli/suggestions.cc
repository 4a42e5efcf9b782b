#include "cli/suggestions.h"

#include <algorithm>

namespace mazurka {
namespace {

// Letters to insert, delete or replace, and neighbours to swap (Damerau and Levenshtein, without
// edits of what was swapped).
size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> cost(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string closest(const std::string& word, const std::vector<std::string>& known) {
  std::string best;
  size_t least = std::max<size_t>(word.size() / 3, 1) + 1;
  for (const std::string& candidate : known) {
    const bool is_beginning = word.size() >= 4 && candidate.starts_with(word);
    const size_t cost = is_beginning ? 1 : distance(word, candidate);
    if (cost >= least) continue;
    least = cost;
    best = candidate;
  }
  return best;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::string meant = closest(word, known);
  return meant.empty() ? "" : "; did you mean '" + meant + "'?";
}

}  // namespace mazurka
