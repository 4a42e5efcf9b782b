// Words in lines of text that a person reads and a machine reads back.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mazurka {

// As a POSIX shell reads it: plain if it can be, else in single quotes.
std::string shell_word(std::string_view word);
std::string shell_command(const std::vector<std::string>& words);

// As a schedule file has it: plain if it can be, else in double quotes with C escapes, on one line
// and in printable ASCII whatever the bytes are.
std::string quoted_word(std::string_view word);

// The words of a line that quoted_word wrote; what stands behind a free-standing # is left out.
// Nothing if a quote is not closed or an escape is unknown.
std::optional<std::vector<std::string>> split_words(std::string_view line);

}  // namespace mazurka
