// How large a search is, and how long it would take, for people. Numbers come as natural
// logarithms, because they may be 10^200.
#pragma once

#include <string>

#include "explore/estimate/tree_size.h"

namespace mazurka {

// "1250", "3.4 * 10^7"
std::string number_text(double log_number);
// "less than a second", "12 s", "40 min", "3.5 h", "12 days", "3 years", "2.1 * 10^9 years"
std::string duration_text(double log_seconds);
// "14" if it is exact; else "about 1250 (900 to 1700)"
std::string size_text(const TreeSize& size);
// The same of seconds, at so many executions per second.
std::string time_text(const TreeSize& size, double rate);

}  // namespace mazurka
