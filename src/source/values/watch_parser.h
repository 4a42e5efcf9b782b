// Watch expressions: a variable, and the way from it to a part of its value.
//
//   count      list->next.value      forks[2]      *p      bank::accounts[i].balance
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mazurka {

struct WatchStep {
  enum class Kind : uint8_t { Member, PointerMember, Element };
  Kind kind = Kind::Member;
  std::string name;  // of a member, or of the variable that is the place of an element
  std::optional<uint64_t> place;
};

struct Watch {
  int dereferences = 0;  // stars in front: they come last
  std::string variable;  // "bank::accounts"
  std::vector<WatchStep> steps;
};

// Nothing if it is none.
std::optional<Watch> parse_watch(const std::string& text);

}  // namespace mazurka
