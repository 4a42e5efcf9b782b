// The text of an execution that ended with Ending::RuntimeError begins with this if it is no error,
// but a limit of ours (runtime/core/limits.h): what came before it is as it should be.
#pragma once

namespace mazurka {

inline constexpr char kLimitMark[] = "limit: ";

}  // namespace mazurka
