#include "report/words/text_style.h"

namespace mazurka {
namespace {

const char* code_of(Colour colour) {
  switch (colour) {
    case Colour::Plain:
      return "";
    case Colour::Bold:
      return "\x1b[1m";
    case Colour::Red:
      return "\x1b[1;31m";
    case Colour::Green:
      return "\x1b[1;32m";
    case Colour::Yellow:
      return "\x1b[33m";
    case Colour::Cyan:
      return "\x1b[36m";
    case Colour::Dim:
      return "\x1b[2m";
  }
  return "";
}

bool begins_a_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

}  // namespace

std::string coloured(std::string_view text, Colour colour, const TextStyle& style) {
  if (!style.colours || colour == Colour::Plain || text.empty()) return std::string(text);
  return code_of(colour) + std::string(text) + "\x1b[0m";
}

size_t columns_of(std::string_view text) {
  size_t count = 0;
  for (const char byte : text) count += begins_a_code_point(byte) ? 1 : 0;
  return count;
}

std::string padded(std::string_view text, size_t columns) {
  const size_t has = columns_of(text);
  return std::string(text) + std::string(has < columns ? columns - has : 0, ' ');
}

std::string clipped(std::string_view text, size_t columns) {
  if (columns_of(text) <= columns) return std::string(text);
  const size_t kept = columns > 2 ? columns - 2 : 0;
  size_t count = 0;
  size_t end = 0;
  for (; end < text.size(); ++end) {
    if (begins_a_code_point(text[end]) && ++count > kept) break;
  }
  return std::string(text.substr(0, end)) + std::string("..").substr(0, columns);
}

std::string clipped(std::string_view text, size_t columns, const TextStyle& style) {
  return style.clips ? clipped(text, columns) : std::string(text);
}

std::string wrapped(std::string_view text, size_t indent, const TextStyle& style) {
  if (!style.wraps) return std::string(text);
  std::string out;
  size_t column = 0;
  while (!text.empty()) {
    const size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    if (column > indent && column + 1 + columns_of(word) > style.width) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!out.empty()) {
      out += ' ';
      ++column;
    }
    out += word;
    column += columns_of(word);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return out;
}

}  // namespace mazurka
