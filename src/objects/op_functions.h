// The shapes of the functions that a row of the table of operations names (op_row.h). A model
// declares its own by these: `ApplyFunction lock, unlock;`.
#pragma once

#include "base/ids.h"
#include "objects/operation.h"

namespace mazurka {

struct World;
struct Outcomes;
struct Asked;
struct AccessList;
struct AccessMask;
struct Party;
struct Mentioned;
struct StateSink;
enum class Mode : uint8_t;

using EnabledFunction = Outcomes(const World&, ThreadId, const Operation&);
// Requires that the outcome is enabled.
using ApplyFunction = Effect(World&, ThreadId, const Operation&, Outcome);
// Adds what it accesses beside what every transition does (accesses.h). Requires that it is no
// misuse.
using AccessFunction = void(const Asked&, AccessList&);
// Whether doing it would be a misuse, beside what its objects are. Requires that it is enabled and
// that its objects are there.
using MisuseFunction = Misuse(const World&, ThreadId, const Operation&);
// Adds what it looks at where it is a misuse, in that mode.
using MisuseAccessFunction = void(const Asked&, Mode, AccessList&);
// Adds what it may access by what it names alone. False: that cannot be told.
using MentionFunction = bool(const Mentioned&, AccessMask&);
// Whether both operations commute here as far as this object goes (KindRow::commute).
using CommuteFunction = bool(const World&, ObjectId, const Party& x, const Party& y);
// Writes down the state of an object (state_sink.h), beside what every object has.
using StateFunction = void(const World&, ObjectId, StateSink&);

}  // namespace mazurka
