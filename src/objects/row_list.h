// How the rows of all rooms become one table, indexed by what they are about (op_table.h,
// kind_table.h).
#pragma once

#include <array>
#include <cstddef>
#include <utility>

namespace mazurka {

// The build of tests/mutation, in which the tables can be changed: whatever answers without asking
// them must ask there.
#ifdef MAZURKA_MUTATION
inline constexpr bool kAreTablesMutable = true;
#else
inline constexpr bool kAreTablesMutable = false;
#endif

// Not constexpr, so that a table which needs it does not compile; the compiler then names it.
inline void a_kind_has_two_rows() {}
inline void a_kind_has_no_row() {}

// Each of `Kind` must have just one row in the lists; Kind::kCount is their number.
template <typename Row, typename Kind, typename... Lists>
consteval auto table_of(const Lists&... lists) {
  constexpr auto kCount = static_cast<size_t>(Kind::kCount);
  const Row* found[kCount] = {};
  const auto collect = [&](const auto& list) {
    for (const Row& row : list) {
      const auto place = static_cast<size_t>(row.kind);
      if (found[place] != nullptr) a_kind_has_two_rows();
      found[place] = &row;
    }
  };
  (collect(lists), ...);
  return [&]<size_t... places>(std::index_sequence<places...>) {
    const auto row_at = [&](size_t place) {
      if (found[place] == nullptr) a_kind_has_no_row();
      return *found[place];
    };
    return std::array<Row, kCount>{row_at(places)...};
  }
  (std::make_index_sequence<kCount>());
}

template <typename Table, typename Test>
consteval bool each_row(const Table& table, Test holds) {
  for (const auto& row : table) {
    if (!holds(row)) return false;
  }
  return true;
}

}  // namespace mazurka
