// A row of the table of kinds of objects (kind_table.h): everything that is asked about a kind,
// whatever is done to it. The rows stand beside those of its operations, in kinds/*/*_rows.h.
#pragma once

#include <new>
#include <type_traits>

#include "base/ids.h"
#include "objects/object_kind.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

struct Object;

// One of two operations of which somebody asks whether they commute (commute_here).
struct Party {
  ThreadId thread;
  const Operation& op;
  Outcome outcome;

  bool is(OpKind kind) const { return op.kind == kind; }
};

struct KindRow {
  ObjectKind kind = ObjectKind::None;
  const char* name = nullptr;  // "reader-writer lock": for reports
  // Sets the state of a new one up: state_of<&Object::mutex>. Null for kinds without state.
  void (*make)(Object&) = nullptr;
  // Conditional dependency: whether both operations commute here as far as this object goes, x
  // being the one that gives the reason (both orders are asked for). Requires that neither is a
  // misuse. Null: they never do.
  CommuteFunction* commute = nullptr;
  // What its state is. Null for kinds without any.
  StateFunction* state = nullptr;
  // What a program does may depend on the time once there is one: nothing commutes that shows it.
  bool shows_time = false;
};

template <auto member>
void state_of(Object& object) {
  using Member = std::remove_reference_t<decltype(object.*member)>;
  new (&(object.*member)) Member();
}

}  // namespace mazurka
