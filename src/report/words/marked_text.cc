#include "report/words/marked_text.h"

#include <charconv>
#include <cstdio>
#include <functional>
#include <optional>
#include <string_view>

namespace mazurka {
namespace {

template <typename T>
std::optional<T> read_number(std::string_view& text, int base) {
  T number{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(stop - text.data()));
  return number;
}

std::optional<ThreadId> thread_in(std::string_view mark) {
  if (!mark.starts_with('t')) return std::nullopt;
  mark.remove_prefix(1);
  const std::optional<uint16_t> id = read_number<uint16_t>(mark, 10);
  return id && mark.empty() ? std::optional(ThreadId(*id)) : std::nullopt;
}

std::optional<CodePlace> place_in(std::string_view mark) {
  if (!mark.starts_with('p')) return std::nullopt;
  mark.remove_prefix(1);
  CodePlace place;
  while (mark.starts_with(' ')) {
    mark.remove_prefix(1);
    const std::optional<uint64_t> pc = read_number<uint64_t>(mark, 16);
    if (!pc) return std::nullopt;
    place.stack.push_back(*pc);
  }
  if (place.stack.empty() || !mark.empty()) return std::nullopt;
  place.pc = place.stack[0];
  return place;
}

std::string without_source(const CodePlace& place) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%lx", place.pc);
  return text;
}

// What stands between the braces; null: no mark.
std::optional<std::string> expansion(std::string_view mark, const Describer& describer) {
  if (const auto thread = thread_in(mark)) return describer.thread(*thread);
  const auto place = place_in(mark);
  if (!place) return std::nullopt;
  const std::string known = describer.place(*place);
  return known.empty() ? without_source(*place) : known;
}

// Calls f(position, length, inside) for each pair of braces, until it returns false.
void each_brace(const std::string& text,
                const std::function<bool(size_t, size_t, std::string_view)>& f) {
  for (size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open + 1)) {
    const size_t close = text.find('}', open);
    if (close == std::string::npos) return;
    if (!f(open, close + 1 - open, std::string_view(text).substr(open + 1, close - open - 1)))
      return;
  }
}

}  // namespace

std::string expand_marks(const std::string& text, const Describer& describer) {
  std::string expanded;
  size_t done = 0;
  each_brace(text, [&](size_t at, size_t length, std::string_view inside) {
    if (const auto name = expansion(inside, describer)) {
      expanded.append(text, done, at - done).append(*name);
      done = at + length;
    }
    return true;
  });
  return expanded.append(text, done);
}

std::string last_location(const std::string& text, const Describer& describer) {
  std::string found;
  each_brace(text, [&](size_t, size_t, std::string_view inside) {
    const auto place = place_in(inside);
    const std::string location = place ? describer.location(*place) : "";
    if (!location.empty()) found = location;
    return true;
  });
  return found;
}

}  // namespace mazurka
