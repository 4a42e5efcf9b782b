#include "lts/model/text_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace mazurka::lts {
namespace {

constexpr size_t kReadSize = size_t{1} << 20;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

// Reads one word at `text`, which does not begin with a blank, and cuts it off. False if a quote
// stays open.
bool take_word(std::string_view& text, std::string& word) {
  bool quoted = false;
  size_t i = 0;
  for (; i < text.size() && (quoted || !is_blank(text[i])); ++i) {
    const char c = text[i];
    const bool escape = quoted && c == '\\' && i + 1 < text.size();
    if (escape && (text[i + 1] == '"' || text[i + 1] == '\\')) {
      word += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else {
      word += c;
    }
  }
  text.remove_prefix(i);
  return !quoted;
}

bool take_words(std::string_view text, std::vector<std::string>& words) {
  while (true) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    if (text.empty() || text.front() == '#') return true;
    if (!take_word(text, words.emplace_back())) return false;
  }
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  const auto failed = [&path] {
    return Error{fmt::format("cannot read {}: {}", path, std::strerror(errno))};
  };
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return failed();
  std::string text;
  while (true) {
    const size_t size = text.size();
    text.resize(size + kReadSize + size / 2);
    const size_t got = std::fread(text.data() + size, 1, text.size() - size, file.get());
    text.resize(size + got);
    if (std::ferror(file.get()) != 0) return failed();
    if (got == 0) return text;
  }
}

Error error_at(std::string_view file, size_t line, std::string_view sentence) {
  return Error{fmt::format("{}:{}: {}", file, line, sentence)};
}

Result<std::vector<Line>> read_lines(std::string_view text, std::string_view file) {
  std::vector<Line> lines;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    Line line = {number, {}};
    if (!take_words(text.substr(0, end), line.words)) {
      return error_at(file, number, "a double quote is not closed");
    }
    if (!line.words.empty()) lines.push_back(std::move(line));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace mazurka::lts
