#include "runtime/libc/formats.h"

#include <wchar.h>

#include "runtime/libc/imports.h"

namespace mazurka {
namespace {

enum class Length : uint8_t { Char, Short, Int, Long, LongDouble };

bool is_digit(char c) { return c >= '0' && c <= '9'; }

Length read_length(const char*& text) {
  Length length = Length::Int;
  for (;; ++text) {
    switch (*text) {
      case 'h':
        length = length == Length::Short ? Length::Char : Length::Short;
        break;
      case 'l':
      case 'j':
      case 'z':
      case 'Z':
      case 't':
      case 'q':
        length = Length::Long;
        break;
      case 'L':
        length = Length::LongDouble;
        break;
      default:
        return length;
    }
  }
}

size_t size_of(Length length) {
  constexpr size_t kSizes[] = {sizeof(char), sizeof(short), sizeof(int), sizeof(long),
                               sizeof(long)};
  return kSizes[static_cast<int>(length)];
}

// A number in the format, or the next argument for '*'. -1: there is none.
int read_number(const char*& text, va_list& arguments) {
  if (*text == '*') {
    ++text;
    return va_arg(arguments, int);
  }
  if (!is_digit(*text)) return -1;
  int number = 0;
  for (; is_digit(*text); ++text) number = number * 10 + (*text - '0');
  return number;
}

void reads_string(const void* text, bool is_wide, int precision, const SeenAccesses& at) {
  if (!is_wide && precision >= 0)
    return at.text(static_cast<const char*>(text), static_cast<size_t>(precision));
  if (!is_wide) return at.text(static_cast<const char*>(text));
  if (precision < 0) return at.text(static_cast<const wchar_t*>(text));
  at.text(static_cast<const wchar_t*>(text), static_cast<size_t>(precision));
}

// The argument of one conversion of printf. False: what it is is not known.
bool print_argument(char conversion, Length length, int precision, va_list& arguments,
                    const SeenAccesses& at) {
  switch (conversion) {
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
    case 'c':
    case 'C':
      // NOLINTNEXTLINE(bugprone-branch-clone): the types differ
      if (length == Length::Long || length == Length::LongDouble) {
        va_arg(arguments, long);
      } else {
        va_arg(arguments, int);
      }
      return true;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      // NOLINTNEXTLINE(bugprone-branch-clone): the types differ
      if (length == Length::LongDouble) {
        va_arg(arguments, long double);
      } else {
        va_arg(arguments, double);
      }
      return true;
    case 's':
    case 'S':
      reads_string(va_arg(arguments, const void*), conversion == 'S' || length == Length::Long,
                   precision, at);
      return true;
    case 'p':
      va_arg(arguments, const void*);
      return true;
    case 'n':
      at.writes(va_arg(arguments, void*), size_of(length));
      return true;
    case 'm':
    case '%':
      return true;
    default:
      return false;
  }
}

// Skips what stands between the brackets of %[...].
const char* after_set(const char* text) {
  if (*text == '^') ++text;
  if (*text == ']') ++text;
  while (*text != '\0' && *text != ']') ++text;
  return *text == ']' ? text + 1 : text;
}

size_t size_of_scanned(char conversion, Length length, int width, const void* to) {
  const bool is_wide = length == Length::Long || conversion == 'S' || conversion == 'C';
  switch (conversion) {
    case 's':
    case 'S':
    case '[':
      return is_wide ? (wcslen(static_cast<const wchar_t*>(to)) + 1) * sizeof(wchar_t)
                     : strlen(static_cast<const char*>(to)) + 1;
    case 'c':
    case 'C':
      return static_cast<size_t>(width > 0 ? width : 1) * (is_wide ? sizeof(wchar_t) : 1);
    case 'p':
      return sizeof(void*);
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      return length == Length::LongDouble ? sizeof(long double)
             : length == Length::Long     ? sizeof(double)
                                          : sizeof(float);
    default:
      return size_of(length);
  }
}

}  // namespace

void reads_format(const char* format, const SeenAccesses& at) { at.text(format); }

void reads_printed(const char* format, va_list arguments, const SeenAccesses& at) {
  at.text(format);
  va_list rest;
  va_copy(rest, arguments);
  for (const char* text = format; *text != '\0';) {
    if (*text++ != '%') continue;
    while (*text != '\0' && strchr("-+ #0'I", *text) != nullptr) ++text;
    read_number(text, rest);
    int precision = -1;
    if (*text == '.') {
      ++text;
      precision = read_number(text, rest);
      if (precision == -1 && text[-1] == '.') precision = 0;
    }
    const Length length = read_length(text);
    if (*text == '\0') break;
    if (print_argument(*text++, length, precision, rest, at)) continue;
    name_unknown_accesses(at.name(), at.caller());  // "%2$s", or a conversion of the program's own
    break;
  }
  va_end(rest);
}

void wrote_scanned(const char* format, int count, va_list arguments, const SeenAccesses& at) {
  va_list rest;
  va_copy(rest, arguments);
  for (const char* text = format; *text != '\0';) {
    if (*text++ != '%') continue;
    if (*text == '%') {
      ++text;
      continue;
    }
    const bool is_dropped = *text == '*';
    if (is_dropped) ++text;
    int width = 0;
    for (; is_digit(*text); ++text) width = width * 10 + (*text - '0');
    const bool is_allocated = *text == 'm';
    if (is_allocated) ++text;
    if (*text == '$') {
      name_unknown_accesses(at.name(), at.caller());
      break;
    }
    const Length length = read_length(text);
    if (*text == '\0') break;
    const char conversion = *text++;
    if (conversion == '[') text = after_set(text);
    if (is_dropped) continue;
    if (conversion != 'n' && count-- <= 0) break;
    void* const to = va_arg(rest, void*);
    at.has_written(to,
                   is_allocated ? sizeof(void*) : size_of_scanned(conversion, length, width, to));
  }
  va_end(rest);
}

}  // namespace mazurka
