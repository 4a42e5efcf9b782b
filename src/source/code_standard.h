// By which standard of C or C++ code was compiled, as debug information tells. Called for what the
// standards say differently: by C++17, C17 and older ones, a release sequence also goes on with
// later stores of the thread that began it; by C++20 only with read-modify-writes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mazurka {

// Whether what the compiler says of itself and its options (DW_AT_producer) and the language
// (DW_AT_language) are of C11, C17, C++11, 14 or 17. What is not known is newer.
bool is_older_standard(std::string_view producer, uint64_t language);

// The code of the file that is, as ranges of addresses in the file.
std::vector<std::pair<uint64_t, uint64_t>> code_by_older_standards(const std::string& path);

}  // namespace mazurka
