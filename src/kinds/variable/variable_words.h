// The rows of shared variables in the tables of words.
#pragma once

#include "objects/kind_words.h"
#include "objects/op_words.h"

namespace mazurka {

namespace variable_words {

ValueFunction value;

VerbFunction update_verb;
OperandFunction stored, with_operand, expected_and_desired;
ResultFunction loaded, was, compared;
WhyFunction until_changed;

}  // namespace variable_words

inline constexpr KindWords kVariableKindWords[] = {
    {.kind = ObjectKind::Variable, .value = variable_words::value},
};

// Nothing is foretold: what the variable is by then, nobody knows yet.
inline constexpr OpWords kVariableWords[] = {
    {.kind = OpKind::VarLoad,
     .result = variable_words::loaded,
     .is_foretold = false,
     .why = variable_words::until_changed},
    {.kind = OpKind::VarStore,
     .operands = variable_words::stored,
     .is_foretold = false,
     .why = variable_words::until_changed},
    {.kind = OpKind::VarUpdate,
     .verb = variable_words::update_verb,
     .operands = variable_words::with_operand,
     .result = variable_words::was,
     .is_foretold = false,
     .why = variable_words::until_changed},
    {.kind = OpKind::VarCompareExchange,
     .operands = variable_words::expected_and_desired,
     .result = variable_words::compared,
     .is_foretold = false,
     .why = variable_words::until_changed},
};

}  // namespace mazurka
