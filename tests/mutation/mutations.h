// The mistakes that a row of the tables may have: each column made wrong on the unsound side, where
// it does not have its safe answer already. The names are what MUTATE_MAZURKA takes.
#pragma once

#include <cstdint>

#include "mutated_functions.h"
#include "objects/kind_row.h"
#include "objects/op_row.h"

namespace mazurka {

struct OpMutation {
  const char* name;
  bool (*is_possible)(const OpRow& row);
  void (*change)(OpRow& row);
};

struct KindMutation {
  const char* name;
  bool (*is_possible)(const KindRow& row);
  void (*change)(KindRow& row);
};

// Another answer that is wrong, and makes the searches wait for somebody else.
constexpr Awaits wrong_awaits(Awaits right) {
  switch (right) {
    case Awaits::Wake:
    case Awaits::ChildEnd:
      return Awaits::End;
    case Awaits::Writer:
      return Awaits::Holders;
    default:
      return Awaits::Wake;
  }
}

// "accesses.lose<n>" and "accesses.weaken<n>" come beside these.
inline constexpr OpMutation kOpMutations[] = {
    {"enabled.first", [](const OpRow& row) { return row.enabled != always_enabled; },
     [](OpRow& row) { row.enabled = first_outcome_only; }},
    {"enabled.always", [](const OpRow& row) { return row.enabled != always_enabled; },
     [](OpRow& row) { row.enabled = always_enabled; }},
    {"misuse", [](const OpRow& row) { return row.misuse != no_other_misuse; },
     [](OpRow& row) { row.misuse = no_other_misuse; }},
    {"misuse_accesses",
     [](const OpRow& row) {
       return row.object != ObjectKind::None || row.misuse_accesses != misuse_seen_by_object;
     },
     [](OpRow& row) { row.misuse_accesses = no_misuse_accesses; }},
    {"may_be_removed", [](const OpRow& row) { return row.object != ObjectKind::None; },
     [](OpRow& row) { row.may_be_removed = !row.may_be_removed; }},
    {"blocks", [](const OpRow& row) { return row.blocks.is_possible(); },
     [](OpRow& row) { row.blocks = When::never(); }},
    {"several", [](const OpRow& row) { return row.several.is_possible(); },
     [](OpRow& row) { row.several = When::never(); }},
    {"interrupted", [](const OpRow& row) { return row.interrupted > Interrupted::No; },
     [](OpRow& row) { row.interrupted = Interrupted::No; }},
    {"takes_signals", [](const OpRow& row) { return row.takes_signals; },
     [](OpRow& row) { row.takes_signals = false; }},
    {"destroys", [](const OpRow& row) { return row.destroys; },
     [](OpRow& row) { row.destroys = false; }},
    {"ends_threads", [](const OpRow& row) { return row.ends_threads; },
     [](OpRow& row) { row.ends_threads = false; }},
    {"fails", [](const OpRow& row) { return row.fails; }, [](OpRow& row) { row.fails = false; }},
    {"is_unseen", [](const OpRow& row) { return !row.is_unseen && row.kind != OpKind::None; },
     [](OpRow& row) { row.is_unseen = true; }},
    {"brings_signals", [](const OpRow& row) { return row.brings_signals != nullptr; },
     [](OpRow& row) { row.brings_signals = nullptr; }},
    {"awaits", [](const OpRow& row) { return row.awaits != Awaits::Anything; },
     [](OpRow& row) { row.awaits = wrong_awaits(row.awaits); }},
    {"releases", [](const OpRow& row) { return row.releases != Releases::Nothing; },
     [](OpRow& row) { row.releases = Releases::Nothing; }},
    {"looks_at_lock", [](const OpRow& row) { return row.looks_at_lock > LooksAtLock::No; },
     [](OpRow& row) { row.looks_at_lock = LooksAtLock::No; }},
    {"mentioned",
     [](const OpRow& row) { return row.mentioned != nullptr && row.mentioned != mentions_nothing; },
     [](OpRow& row) { row.mentioned = mentions_nothing; }},
    {"sure", [](const OpRow& row) { return row.sure == Sure::Reads; },
     [](OpRow& row) { row.sure = Sure::Writes; }},
    {"disabled_by", [](const OpRow& row) { return row.disabled_by > DisabledBy::Nothing; },
     [](OpRow& row) { row.disabled_by = DisabledBy::Nothing; }},
    {"order", [](const OpRow& row) { return row.order > Order::Nothing; },
     [](OpRow& row) { row.order = Order::Nothing; }},
};

inline constexpr KindMutation kKindMutations[] = {
    {"commute", [](const KindRow& row) { return row.commute != nullptr; },
     [](KindRow& row) { row.commute = always_commutes; }},
    {"shows_time", [](const KindRow& row) { return row.shows_time; },
     [](KindRow& row) { row.shows_time = false; }},
};

// --- names of enumerators, as the compiler knows them: "... [with auto value =
// mazurka::OpKind::Join]"

template <auto value>
const char* spelling() {
  return __PRETTY_FUNCTION__;
}

// Calls f(name, length) with what comes after the last colon.
template <auto value, typename F>
auto with_name(F&& f) {
  const char* text = spelling<value>();
  const char* begin = text;
  while (*text != '\0') {
    if (*text++ == ':') begin = text;
  }
  const char* end = begin;
  while (*end != ']' && *end != ';') ++end;
  return f(begin, static_cast<uint32_t>(end - begin));
}

}  // namespace mazurka
