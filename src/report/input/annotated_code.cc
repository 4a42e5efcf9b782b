#include "report/input/annotated_code.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace mazurka {
namespace {

bool says_something(const FunctionClaim& claim) {
  return claim.granularity != Granularity::Fields || claim.allocates != Sharing::Shared ||
         claim.starts != Sharing::Shared;
}

// What a function says that was inlined into one with this claim.
FunctionClaim inherited(const FunctionClaim& own, const FunctionClaim& around) {
  FunctionClaim claim = own;
  if (own.granularity == Granularity::Fields) {
    const bool is_called_only = around.granularity == Granularity::Method;
    claim.granularity = is_called_only ? Granularity::Callee : around.granularity;
  }
  if (!says_something(own)) {
    claim.allocates = around.allocates;
    claim.name = around.name;
  }
  claim.starts = Sharing::Shared;
  return claim;
}

struct Stretch {
  uint64_t begin, end;
  int depth;
  AnnotatedCode code;
};

// Innermost functions win.
const Stretch* innermost(const std::vector<Stretch>& stretches, uint64_t address) {
  const Stretch* best = nullptr;
  for (const Stretch& stretch : stretches) {
    if (address < stretch.begin || address >= stretch.end) continue;
    if (best == nullptr || stretch.depth > best->depth) best = &stretch;
  }
  return best;
}

bool say_the_same(const AnnotatedCode& a, const AnnotatedCode& b) {
  return a.entry == b.entry && a.granularity == b.granularity && a.allocates == b.allocates &&
         a.starts == b.starts && a.name == b.name;
}

void add(AnnotatedCode code, uint64_t begin, uint64_t end, std::vector<AnnotatedCode>& pieces) {
  if (!pieces.empty() && pieces.back().end == begin && say_the_same(pieces.back(), code)) {
    pieces.back().end = end;
    return;
  }
  code.begin = begin;
  code.end = end;
  pieces.push_back(code);
}

}  // namespace

std::vector<AnnotatedCode> annotated_code(const std::vector<FunctionCode>& functions,
                                          std::vector<FunctionClaim> claims) {
  std::vector<Stretch> stretches;
  std::set<uint64_t> ends;
  std::vector<int> depths(functions.size(), 0);
  for (size_t i = 0; i < functions.size(); ++i) {
    const FunctionCode& function = functions[i];
    if (function.around >= 0) {
      const auto around = static_cast<size_t>(function.around);
      claims[i] = inherited(claims[i], claims[around]);
      depths[i] = depths[around] + 1;
    }
    const FunctionClaim& claim = claims[i];
    if (!says_something(claim)) continue;
    const AnnotatedCode code{0,
                             0,
                             function.entry,
                             claim.granularity,
                             claim.allocates,
                             claim.starts,
                             function.name == "main",
                             claim.name};
    for (const auto& [begin, end] : function.ranges) {
      stretches.push_back({begin, end, depths[i], code});
      ends.insert({begin, end});
    }
  }
  std::vector<AnnotatedCode> pieces;
  for (auto end = ends.begin(); end != ends.end(); ++end) {
    const Stretch* stretch = innermost(stretches, *end);
    const auto next = std::next(end);
    if (stretch == nullptr || next == ends.end()) continue;
    add(stretch->code, *end, *next, pieces);
  }
  return pieces;
}

}  // namespace mazurka
