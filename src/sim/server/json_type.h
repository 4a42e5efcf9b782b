// The type of the JSON that the page and its server exchange, by name only: nlohmann/json.hpp takes
// seconds to compile, and what starts a simulation needs none of it.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace mazurka {

using Json = nlohmann::ordered_json;

}  // namespace mazurka
