// LTSs in the language of graphviz, for `mazurka lts convert` and `draw`.
#pragma once

#include <string>

#include "lts/model/explicit_lts.h"

namespace mazurka::lts {

std::string write_dot(const ExplicitLts& lts, const ActionTable& actions);

}  // namespace mazurka::lts
