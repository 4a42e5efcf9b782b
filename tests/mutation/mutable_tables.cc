// The tables of operations and kinds of the build for mutations (run_mutation.py): as they are, but
// for the mistake that MUTATE_MAZURKA names, "MutexLock.blocks" or "Join.accesses.lose0". It is
// made before anybody asks. Linked into the tests, the command and the runtime, so it needs libc
// alone. The name does not begin with MAZURKA_: programs under test would not see it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utility>

#include "mutations.h"
#include "objects/kind_table.h"
#include "objects/op_table.h"

namespace mazurka {

constinit std::array<OpRow, kOpTable.size()> mutable_op_rows = kOpTable;
constinit std::array<KindRow, kKindTable.size()> mutable_kind_rows = kKindTable;

namespace {

// What comes after the name of the kind and a full stop; null if `wanted` is about another kind.
template <auto kind>
const char* column_of(const char* wanted) {
  return with_name<kind>([&](const char* name, uint32_t length) {
    return strncmp(wanted, name, length) == 0 && wanted[length] == '.' ? wanted + length + 1
                                                                       : nullptr;
  });
}

// "lose3": the number at its end, if the rest is `name`.
bool has_place(const char* wanted, const char* name, uint32_t& place) {
  const size_t length = strlen(name);
  if (strncmp(wanted, name, length) != 0) return false;
  place = static_cast<uint32_t>(atoi(wanted + length));
  return true;
}

bool change_op(OpKind kind, const char* column) {
  OpRow& row = mutable_op_rows[static_cast<size_t>(kind)];
  MutatedAccess access;
  access.is_lost = has_place(column, "accesses.lose", access.place);
  const bool is_access = access.is_lost || has_place(column, "accesses.weaken", access.place);
  mutate_functions_of(kOpTable[static_cast<size_t>(kind)], access);
  if (is_access) row.accesses = mutated_accesses;
  if (is_access) return true;
  for (const OpMutation& mutation : kOpMutations) {
    if (strcmp(column, mutation.name) != 0 || !mutation.is_possible(row)) continue;
    mutation.change(row);
    return true;
  }
  return false;
}

bool change_kind(ObjectKind kind, const char* column) {
  KindRow& row = mutable_kind_rows[static_cast<size_t>(kind)];
  for (const KindMutation& mutation : kKindMutations) {
    if (strcmp(column, mutation.name) != 0 || !mutation.is_possible(row)) continue;
    mutation.change(row);
    return true;
  }
  return false;
}

// Operations and kinds of objects may have the same name, but not the same columns.
template <typename Kind, typename Change, size_t... places>
bool change_any(const char* wanted, Change change, std::index_sequence<places...>) {
  return ([&] {
    constexpr auto kKind = static_cast<Kind>(places);
    const char* column = column_of<kKind>(wanted);
    return column != nullptr && change(kKind, column);
  }() || ...);
}

__attribute__((constructor(101))) void make_mistake() {
  const char* wanted = getenv("MUTATE_MAZURKA");
  if (wanted == nullptr || *wanted == '\0') return;
  const bool is_made =
      change_any<OpKind>(wanted, change_op, std::make_index_sequence<kOpTable.size()>()) ||
      change_any<ObjectKind>(wanted, change_kind, std::make_index_sequence<kKindTable.size()>());
  if (is_made) return;
  fprintf(stderr, "MUTATE_MAZURKA: there is no such mutation: %s\n", wanted);
  _Exit(3);
}

}  // namespace
}  // namespace mazurka
