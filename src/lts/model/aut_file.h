// Files in Aldebaran format (.aut):
//
//   des (0, 3, 2)
//   (0, "send !1", 1)
//   (1, tau, 0)
//
// The header has the initial state, the number of transitions and the number of states. A label is
// in double quotes or bare; it is what stands between the first and the last comma, so it may have
// quotes and commas of its own. "tau" and "i", quoted or bare, are the internal action.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "lts/model/explicit_lts.h"

namespace mazurka::lts {

Result<ExplicitLts> read_aut(std::string_view text, std::string_view file, ActionTable& actions);
Result<ExplicitLts> read_aut_file(const std::string& path, ActionTable& actions);

std::string write_aut(const ExplicitLts& lts, const ActionTable& actions);

}  // namespace mazurka::lts
