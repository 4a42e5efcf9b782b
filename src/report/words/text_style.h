// How text is laid out for a person: colours, width, and how much of it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mazurka {

struct TextStyle {
  bool colours = false;
  size_t width = 100;    // of tables, in columns
  bool wraps = false;    // sentences, too: on a terminal
  bool clips = true;     // what does not fit into its column: not in a pipe
  bool is_full = false;  // all steps of a schedule, not only those that matter
};

enum class Colour { Plain, Bold, Red, Green, Yellow, Cyan, Dim };

std::string coloured(std::string_view text, Colour colour, const TextStyle& style);

// How many columns it takes on a terminal. Every code point counts as one.
size_t columns_of(std::string_view text);
// Followed by spaces up to so many columns.
std::string padded(std::string_view text, size_t columns);
// Cut at so many columns, with ".." at its end if something is missing.
std::string clipped(std::string_view text, size_t columns);
// The same, where the style wants it.
std::string clipped(std::string_view text, size_t columns, const TextStyle& style);
// Broken at spaces, where the style wants it; the further lines are indented.
std::string wrapped(std::string_view text, size_t indent, const TextStyle& style);

}  // namespace mazurka
