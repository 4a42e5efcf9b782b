// What a mistyped word may have meant.
#pragma once

#include <string>
#include <vector>

namespace mazurka {

// The closest of the known words, if it is close enough to be meant; empty otherwise.
std::string closest(const std::string& word, const std::vector<std::string>& known);

// "; did you mean '--depth'?", or nothing.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

}  // namespace mazurka
