// The JSON that the simulator's page and its server exchange; docs/simulator.md has all of it.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/server/json_type.h"

namespace mazurka {

// What the page sent is anybody's text: these never throw.
inline uint64_t number_in(const Json& request, const char* key, uint64_t otherwise) {
  const auto found = request.find(key);
  if (found == request.end() || !found->is_number_integer()) return otherwise;
  if (!found->is_number_unsigned() && found->get<int64_t>() < 0) return otherwise;
  return found->get<uint64_t>();
}

inline std::string text_in(const Json& request, const char* key) {
  const auto found = request.find(key);
  return found != request.end() && found->is_string() ? found->get<std::string>() : "";
}

inline std::vector<std::string> texts_in(const Json& request, const char* key) {
  std::vector<std::string> all;
  const auto found = request.find(key);
  if (found == request.end() || !found->is_array()) return all;
  for (const Json& text : *found) {
    if (text.is_string()) all.push_back(text.get<std::string>());
  }
  return all;
}

}  // namespace mazurka
