// A row of the table of words (all_words.h): how a kind of operation is told to people, in reports,
// schedules and the simulator. Its name stands in its row of the table of operations. The rows
// stand beside the models, in kinds/*/*_words.h. For the tool alone: the runtime has no strings.
//
// What a row leaves out is told as most operations are: "lock m", "lock m: EBUSY".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "objects/namer.h"
#include "objects/op_table.h"
#include "objects/operation.h"

namespace mazurka {

struct World;
class Takings;

using Parts = std::vector<OpPart>;

// A thread that stands before an operation which is not enabled.
struct Stuck {
  const World& world;
  ThreadId thread;
  const Operation& op;
  const Parts& parts;
  const Takings& takings;  // of semaphores, until now
  const Namer& names;
};

// Why it is stuck. Those who could end that are named behind it, between the two words:
// "it is empty; T0.1 could write to it".
struct Why {
  std::string text;
  std::vector<ThreadId> hopes = {};
  const char* before_hopes = "";
  const char* after_hopes = "";
};

// What an operation with parts is about.
enum class About : uint8_t {
  Object,
  FirstPart,  // its first part, if it has any
  EachPart,   // the same, and it waits at all of them
};

using VerbFunction = std::string(const Operation&);
using OperandFunction = std::string(const Operation&, const Parts&, const Namer&);
using OutcomeFunction = std::string(const Operation&, Outcome, const Namer&);
using ResultFunction = std::string(const Operation&, const Effect&);
// `said`: what the runtime noted with the step.
using NoteFunction = std::string(const Operation&, const Effect&, const std::string& said);
using WhyFunction = Why(const Stuck&);
using HolderFunction = std::vector<ThreadId>(const World&, ThreadId, const Operation&);

// --- answers that many rows share

VerbFunction plain_verb;
OperandFunction target_and_object;
OutcomeFunction no_outcome_text;
OutcomeFunction wakes_thread;
ResultFunction error_text;
NoteFunction whole_note;
WhyFunction cannot_happen;
HolderFunction holders_of_object;
bool always(const Operation&);

struct OpWords {
  OpKind kind = OpKind::None;

  // --- "try lock" and " m": what a thread stands before
  VerbFunction* verb = plain_verb;
  OperandFunction* operands = target_and_object;  // each with a space before it
  About about = About::Object;

  // --- ", wakes T0.1" and ": EBUSY" and ": " with a note: what it did
  OutcomeFunction* outcome = no_outcome_text;
  bool (*outcome_is_thread)(const Operation&) = nullptr;  // or kNobody; null: never
  ResultFunction* result = error_text;                    // where it was no misuse
  NoteFunction* note = whole_note;
  const char* in_table = nullptr;  // instead of all that, where it is long and stands above
  bool is_done_first = false;    // a signal that is taken within it is taken after it, not instead
  bool outcome_matters = false;  // it was chosen, so the step is never left out of a report

  // --- before it is done, as a choice
  bool is_foretold = true;  // false: nobody knows yet what will come of it
  OutcomeFunction* foretold = no_outcome_text;

  // --- where it is not enabled
  WhyFunction* why = nullptr;  // where there are no holders; null for what never waits
  HolderFunction* holders = holders_of_object;  // who must give something up first
  const char* holders_are = "held by ";
  bool sleeps = false;  // it waits for time to pass, not for somebody

  constexpr bool is_complete() const {
    return why != nullptr || !kOpTable[static_cast<size_t>(kind)].blocks.is_possible();
  }
};

// --- for those who write rows

// "try " and its like before what the operation is called.
std::string with_flags(const Operation& op, const std::string& name);
// "T0.2", "nobody"
std::string thread_or_nobody(Outcome outcome, const Namer& names);

}  // namespace mazurka
