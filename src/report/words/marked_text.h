// Texts of the runtime that name threads and places, which only the tool can: "{t2}" stands for the
// thread with that id, and
// "{p 401136 4011a0}" for a call with these return addresses, innermost first.
#pragma once

#include <string>

#include "report/words/describer.h"

namespace mazurka {

// With names in place of the marks. What is no mark stays as it is.
std::string expand_marks(const std::string& text, const Describer& describer);

// "bank.cpp:12": of the last place in it that the source knows. Empty if there is none.
std::string last_location(const std::string& text, const Describer& describer);

}  // namespace mazurka
