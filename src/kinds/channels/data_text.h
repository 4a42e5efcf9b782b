// Data that went through a queue, as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mazurka {

// The bytes of a step's text (protocol/shown_data.h); as many as are well-formed.
std::string shown_bytes(std::string_view digits);

bool is_readable(std::string_view bytes);

// "\"hello\\n\"", or "01 00 ff" if it is not readable; with "..." behind it if these are the first
// of `length`.
std::string data_text(std::string_view bytes, size_t length);

// The same of a step that sent so many bytes, from its text; empty if they are not readable.
std::string sent_text(std::string_view digits, int64_t sent);

}  // namespace mazurka
