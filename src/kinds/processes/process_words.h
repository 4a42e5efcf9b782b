// The rows of threads, processes, names, tosses, events and pauses in the tables of words.
#pragma once

#include "objects/kind_words.h"
#include "objects/op_words.h"

namespace mazurka {

namespace process_words {

TypeFunction no_type;
ValueFunction named_value, generator_value;
bool always_says_nothing(const Object& object);

VerbFunction exit_verb, crash_verb, toss_verb, pause_verb;
OutcomeFunction returns_child, tossed;
NoteFunction crash_note;
WhyFunction until_child_ends, until_others_move;
HolderFunction target_alone;
ResultFunction which_number;
OperandFunction generator_and_seed;

}  // namespace process_words

inline constexpr KindWords kProcessKindWords[] = {
    {.kind = ObjectKind::None, .type = process_words::no_type, .value = no_value},
    {.kind = ObjectKind::Event,
     .value = no_value,
     .says_nothing = process_words::always_says_nothing},
    {.kind = ObjectKind::Named, .value = process_words::named_value},
    {.kind = ObjectKind::Generator, .value = process_words::generator_value},
};

inline constexpr OpWords kProcessWords[] = {
    {.kind = OpKind::None, .verb = process_words::exit_verb},
    {.kind = OpKind::Join,
     .why = cannot_happen,
     .holders = process_words::target_alone,
     .holders_are = "waits for the end of "},
    {.kind = OpKind::ThreadExit},
    {.kind = OpKind::ProcessEnd},
    {.kind = OpKind::Fork},
    {.kind = OpKind::Exec},
    {.kind = OpKind::Crash, .verb = process_words::crash_verb, .note = process_words::crash_note},
    {.kind = OpKind::Assertion, .in_table = "assertion fails"},
    {.kind = OpKind::Misuse},
    {.kind = OpKind::WaitChild,
     .outcome = process_words::returns_child,
     .outcome_is_thread = always,
     .outcome_matters = true,
     .why = process_words::until_child_ends,
     .holders = process_words::target_alone,
     .holders_are = "waits for the end of "},
    {.kind = OpKind::Toss,
     .verb = process_words::toss_verb,
     .outcome = process_words::tossed,
     .outcome_matters = true},
    {.kind = OpKind::Event},
    {.kind = OpKind::Pause, .verb = process_words::pause_verb, .sleeps = true},
    {.kind = OpKind::WaitForOthers, .why = process_words::until_others_move, .sleeps = true},
    {.kind = OpKind::NameOpen},
    {.kind = OpKind::NameUnlink},
    {.kind = OpKind::GeneratorDraw, .result = process_words::which_number},
    {.kind = OpKind::GeneratorSeed, .operands = process_words::generator_and_seed},
};

}  // namespace mazurka
