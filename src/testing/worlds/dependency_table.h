// The tables of docs/dependency.md, made from the code: each operation in a typical situation, what
// it reads, writes and adds to there, and what it commutes with.
#pragma once

#include <string>

namespace mazurka {

// Markdown, without the text around it.
std::string accesses_table();
std::string conditional_table();

}  // namespace mazurka
