#include "report/words/quoting.h"

#include <fmt/format.h>

#include <algorithm>

namespace mazurka {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_./:+@%=,-").find(c) != std::string_view::npos;
}

bool is_plain(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return is_plain(c); });
}

// Brackets need no quotes in a schedule file, and names of objects are full of them.
bool is_plain_in_file(std::string_view word) {
  return !word.empty() && word[0] != '#' && std::all_of(word.begin(), word.end(), [](char c) {
    return is_plain(c) || c == '[' || c == ']' || c == '>';
  });
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// Reads the rest of an escape, after the backslash, from the front of `rest`.
std::optional<char> take_escape(std::string_view& rest) {
  if (rest.empty()) return std::nullopt;
  const char c = rest[0];
  rest.remove_prefix(1);
  if (c == '\\' || c == '"') return c;
  if (c == 'n') return '\n';
  if (c == 't') return '\t';
  if (c != 'x' || rest.size() < 2) return std::nullopt;
  const int high = hex_digit(rest[0]);
  const int low = hex_digit(rest[1]);
  if (high < 0 || low < 0) return std::nullopt;
  rest.remove_prefix(2);
  return static_cast<char>(high * 16 + low);
}

// Reads a quoted word, after its first quote, from the front of `rest`.
std::optional<std::string> take_quoted(std::string_view& rest) {
  std::string word;
  while (!rest.empty()) {
    const char c = rest[0];
    rest.remove_prefix(1);
    if (c == '"') return word;
    if (c != '\\') {
      word += c;
      continue;
    }
    const std::optional<char> escaped = take_escape(rest);
    if (!escaped) return std::nullopt;
    word += *escaped;
  }
  return std::nullopt;
}

}  // namespace

std::string shell_word(std::string_view word) {
  if (is_plain(word)) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string shell_command(const std::vector<std::string>& words) {
  std::string command;
  for (const std::string& word : words) {
    if (!command.empty()) command += ' ';
    command += shell_word(word);
  }
  return command;
}

std::string quoted_word(std::string_view word) {
  if (is_plain_in_file(word)) return std::string(word);
  std::string quoted = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (c >= ' ' && c <= '~') {
      quoted += c;
    } else {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return quoted + '"';
}

std::optional<std::vector<std::string>> split_words(std::string_view line) {
  std::vector<std::string> words;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty() || line[0] == '#') return words;
    if (line[0] == '"') {
      line.remove_prefix(1);
      std::optional<std::string> word = take_quoted(line);
      const bool ends = line.empty() || line[0] == ' ' || line[0] == '\t';
      if (!word || !ends) return std::nullopt;
      words.push_back(std::move(*word));
      continue;
    }
    const size_t end = std::min(line.find_first_of(" \t"), line.size());
    if (line.substr(0, end).find('"') != std::string_view::npos) return std::nullopt;
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

}  // namespace mazurka
