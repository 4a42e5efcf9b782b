// The rows of locks, names and data of files in the tables of words.
#pragma once

#include "objects/kind_words.h"
#include "objects/op_words.h"

namespace mazurka {

namespace file_words {

ValueFunction file_value, name_value, data_value;
bool was_always_there(const Object& object);

VerbFunction lock_verb, unlock_verb, look_verb, use_verb;
OperandFunction file_and_range, name_and_other;
ResultFunction lock_result;
HolderFunction lockers;

}  // namespace file_words

inline constexpr KindWords kFileKindWords[] = {
    {.kind = ObjectKind::File, .value = file_words::file_value},
    {.kind = ObjectKind::FileName,
     .value = file_words::name_value,
     .says_nothing = file_words::was_always_there},
    {.kind = ObjectKind::FileData, .value = file_words::data_value},
};

inline constexpr OpWords kFileWords[] = {
    {.kind = OpKind::FileLock,
     .verb = file_words::lock_verb,
     .operands = file_words::file_and_range,
     .result = file_words::lock_result,
     .why = cannot_happen,
     .holders = file_words::lockers},
    {.kind = OpKind::FileUnlock,
     .verb = file_words::unlock_verb,
     .operands = file_words::file_and_range},
    {.kind = OpKind::FileLook,
     .verb = file_words::look_verb,
     .operands = file_words::file_and_range},
    {.kind = OpKind::FileForget},
    {.kind = OpKind::FileUse, .verb = file_words::use_verb, .operands = file_words::name_and_other},
};

}  // namespace mazurka
