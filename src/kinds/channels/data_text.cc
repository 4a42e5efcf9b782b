#include "kinds/channels/data_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace mazurka {
namespace {

bool is_printable(char c) { return c >= ' ' && c <= '~'; }

std::string quoted(std::string_view bytes) {
  std::string text = "\"";
  for (const char c : bytes) {
    if (c == '\n') {
      text += "\\n";
    } else if (c == '\t') {
      text += "\\t";
    } else if (c == '\r') {
      text += "\\r";
    } else if (c == '\0') {
      text += "\\0";
    } else {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
  }
  return text + '"';
}

}  // namespace

std::string shown_bytes(std::string_view digits) {
  std::string bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    unsigned value = 0;
    const char* end = digits.data() + i + 2;
    if (std::from_chars(digits.data() + i, end, value, 16).ptr != end) break;
    bytes += static_cast<char>(value);
  }
  return bytes;
}

// Text, perhaps with the byte that ends it.
bool is_readable(std::string_view bytes) {
  if (!bytes.empty() && bytes.back() == '\0') bytes.remove_suffix(1);
  return !bytes.empty() && std::all_of(bytes.begin(), bytes.end(), [](char c) {
    return is_printable(c) || c == '\n' || c == '\t' || c == '\r';
  });
}

std::string data_text(std::string_view bytes, size_t length) {
  std::string text;
  if (is_readable(bytes)) {
    text = quoted(bytes);
  } else {
    for (const char c : bytes)
      text += fmt::format("{}{:02x}", text.empty() ? "" : " ", static_cast<unsigned char>(c));
  }
  return length > bytes.size() ? text + (text.empty() ? "..." : " ...") : text;
}

std::string sent_text(std::string_view digits, int64_t sent) {
  const std::string bytes = shown_bytes(digits);
  return is_readable(bytes) ? data_text(bytes, static_cast<size_t>(std::max<int64_t>(sent, 0)))
                            : "";
}

}  // namespace mazurka
