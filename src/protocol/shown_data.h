// The data of a write as the text of its step, LoggedStep::text: the first bytes, two hexadecimal
// digits each.
#pragma once

#include <cstddef>

namespace mazurka {

inline constexpr size_t kMostShownData = 32;

}  // namespace mazurka
