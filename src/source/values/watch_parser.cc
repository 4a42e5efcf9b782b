#include "source/values/watch_parser.h"

#include <cctype>

namespace mazurka {
namespace {

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  std::optional<Watch> parse() {
    Watch watch;
    while (take("*")) ++watch.dereferences;
    watch.variable = name(true);
    if (watch.variable.empty()) return std::nullopt;
    while (!at_end()) {
      const auto next = step();
      if (!next) return std::nullopt;
      watch.steps.push_back(*next);
    }
    return watch;
  }

 private:
  std::optional<WatchStep> step() {
    WatchStep step;
    if (take("->")) {
      step.kind = WatchStep::Kind::PointerMember;
    } else if (!take(".")) {
      return element();
    }
    step.name = name(false);
    if (step.name.empty()) return std::nullopt;
    return step;
  }

  std::optional<WatchStep> element() {
    WatchStep step;
    step.kind = WatchStep::Kind::Element;
    if (!take("[")) return std::nullopt;
    skip_spaces();
    if (position_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[position_]))) {
      step.place = number();
    } else {
      step.name = name(true);
      if (step.name.empty()) return std::nullopt;
    }
    if (!take("]")) return std::nullopt;
    return step;
  }

  uint64_t number() {
    uint64_t value = 0;
    while (position_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[position_]))) {
      value = value * 10 + static_cast<uint64_t>(text_[position_++] - '0');
    }
    return value;
  }

  std::string name(bool qualified) {
    skip_spaces();
    std::string word;
    while (position_ < text_.size()) {
      const char c = text_[position_];
      const bool is_letter = std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
      const bool is_digit = std::isdigit(static_cast<unsigned char>(c)) != 0 && !word.empty();
      const bool is_scope = qualified && text_.compare(position_, 2, "::") == 0;
      if (is_scope) word += text_[position_++];
      if (!is_letter && !is_digit && !is_scope) break;
      word += text_[position_++];
    }
    return word;
  }

  bool take(const char* token) {
    skip_spaces();
    const std::string wanted = token;
    if (text_.compare(position_, wanted.size(), wanted) != 0) return false;
    position_ += wanted.size();
    return true;
  }

  bool at_end() {
    skip_spaces();
    return position_ >= text_.size();
  }

  void skip_spaces() {
    while (position_ < text_.size() && text_[position_] == ' ') ++position_;
  }

  const std::string& text_;
  size_t position_ = 0;
};

}  // namespace

std::optional<Watch> parse_watch(const std::string& text) { return Parser(text).parse(); }

}  // namespace mazurka
