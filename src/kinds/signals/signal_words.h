// The rows of signals in the tables of words, and what is said of a step at which one is taken.
#pragma once

#include "objects/op_words.h"

namespace mazurka {

namespace signal_words {

VerbFunction send_verb, action_verb, mask_verb, wait_verb;
OperandFunction target_and_signal, target_and_set, target_and_any_set;
WhyFunction until_signal, none_is_pending;

}  // namespace signal_words

// `operation`: what the thread stood before. Requires that it is a delivery.
std::string delivery_text(const std::string& operation, const Operation& op, Outcome outcome,
                          const Effect& effect);

inline constexpr OpWords kSignalWords[] = {
    {.kind = OpKind::SignalSend,
     .verb = signal_words::send_verb,
     .operands = signal_words::target_and_signal,
     .is_done_first = true},
    {.kind = OpKind::SignalAction,
     .verb = signal_words::action_verb,
     .operands = signal_words::target_and_signal},
    {.kind = OpKind::SignalMask,
     .verb = signal_words::mask_verb,
     .operands = signal_words::target_and_set,
     .is_done_first = true},
    {.kind = OpKind::SignalLook},
    {.kind = OpKind::SignalPause, .why = signal_words::until_signal},
    {.kind = OpKind::SignalWait,
     .verb = signal_words::wait_verb,
     .operands = signal_words::target_and_any_set,
     .why = signal_words::none_is_pending},
    {.kind = OpKind::SignalCancel, .operands = signal_words::target_and_signal},
};

}  // namespace mazurka
