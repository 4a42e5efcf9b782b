// Reads schedule files: strictly, and with the line of whatever is wrong.
#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#include "report/input/annotations.h"
#include "report/input/schedule_file.h"
#include "report/words/quoting.h"

namespace mazurka {
namespace {

constexpr size_t kMaxFileSize = 1u << 28;

template <typename T>
std::optional<T> number(const std::string& word) {
  T value{};
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<ThreadPath> thread_path(const std::string& word) {
  if (word.substr(0, 2) != "T0") return std::nullopt;
  ThreadPath path;
  size_t at = 2;
  while (at < word.size()) {
    if (word[at] != '.') return std::nullopt;
    const size_t next = std::min(word.find('.', at + 1), word.size());
    const auto ordinal = number<uint32_t>(word.substr(at + 1, next - at - 1));
    if (!ordinal || *ordinal == 0) return std::nullopt;
    path.push_back(*ordinal);
    at = next;
  }
  return path;
}

// Each method returns false after it has set the error.
class Parser {
 public:
  Parser(const std::string& text, const std::string& name) : rest_(text), name_(name) {}

  Result<ScheduleFile> parse() {
    if (read_header() && read_program() && read_limits() && read_finding() && read_steps())
      return file_;
    return Error{error_};
  }

 private:
  bool fail(const std::string& what) {
    error_ = fmt::format("{}:{}: {}", name_, line_, what);
    return false;
  }

  // A file that was cut off lacks at least the last newline.
  bool next_raw_line(std::string_view& line) {
    ++line_;
    const size_t end = rest_.find('\n');
    if (end == std::string_view::npos) return fail("the file ends too early");
    line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return true;
  }

  // The words of the next line that has any.
  bool next_line() {
    do {
      std::string_view line;
      if (!next_raw_line(line)) return false;
      auto words = split_words(line);
      if (!words) return fail("a quoted word is damaged");
      words_ = std::move(*words);
    } while (words_.empty());
    return true;
  }

  bool next_line_is(const char* key, size_t word_count) {
    if (!next_line()) return false;
    if (words_[0] != key) return fail(fmt::format("expected '{}', not '{}'", key, words_[0]));
    if (words_.size() == word_count) return true;
    return fail(fmt::format("'{}' takes {} words, not {}", key, word_count - 1, words_.size() - 1));
  }

  template <typename T>
  bool read_number(const char* key, T& value) {
    if (!next_line_is(key, 2)) return false;
    const auto read = number<T>(words_[1]);
    if (!read) return fail(fmt::format("'{}' is no number for '{}'", words_[1], key));
    value = *read;
    return true;
  }

  bool read_header() {
    std::string_view line;
    if (!next_raw_line(line) || line.substr(0, 17) != "mazurka schedule ") {
      return fail("this is no schedule of Mazurka");
    }
    const auto version = number<int>(std::string(line.substr(17)));
    if (version == kScheduleVersion) return true;
    return fail(fmt::format("this schedule has version {}; this Mazurka reads version {}",
                            line.substr(17), kScheduleVersion));
  }

  bool read_program() {
    if (!next_line()) return false;
    if (words_[0] != "program" || words_.size() < 2 || words_[1].empty()) {
      return fail("expected 'program' with a command");
    }
    for (const std::string& word : words_) {
      if (word.find('\0') != std::string::npos) return fail("a command cannot hold a zero byte");
    }
    file_.argv.assign(words_.begin() + 1, words_.end());
    if (!next_line_is("directory", 2)) return false;
    file_.directory = words_[1];
    return true;
  }

  // A line that may be there: "udp lossy".
  bool read_flag(const std::string& word, const std::string& value, bool& flag) {
    if (rest_.substr(0, word.size() + 1) != word + " ") return true;
    if (!next_line_is(word.c_str(), 2)) return false;
    if (words_[1] != value) return fail(fmt::format("expected '{} {}'", word, value));
    flag = true;
    return true;
  }

  // The same for how often: "spurious 1".
  bool read_count(const char* word, uint8_t& into) {
    if (rest_.substr(0, std::strlen(word) + 1) != word + std::string(" ")) return true;
    uint32_t count = 0;
    if (!read_number(word, count)) return false;
    if (count == 0 || count > 100)
      return fail(fmt::format("expected '{}' and a number from 1 to 100", word));
    into = static_cast<uint8_t>(count);
    return true;
  }

  bool read_files() {
    if (rest_.substr(0, 6) != "files ") return true;
    if (!next_line_is("files", 2)) return false;
    for (const PrivateFiles files : {PrivateFiles::Plain, PrivateFiles::WithAddresses}) {
      if (words_[1] == name_of(files)) file_.needs.files = files;
    }
    return file_.needs.files != PrivateFiles::None ||
           fail("expected 'files private' or 'files private-with-addresses'");
  }

  bool read_accesses() {
    while (rest_.substr(0, 7) == "access ") {
      if (!next_line_is("access", 4)) return false;
      const bool is_in_loop = words_[1] == "loop";
      if (!is_in_loop && words_[1] != "load")
        return fail("expected 'access load' or 'access loop'");
      uint64_t address = 0;
      const std::string& text = words_[3];
      const char* const end = text.data() + text.size();
      const bool is_address = text.substr(0, 2) == "0x" &&
                              std::from_chars(text.data() + 2, end, address, 16).ptr == end;
      if (!is_address) return fail(fmt::format("'{}' is no address", text));
      file_.accesses.push_back({words_[2], address, is_in_loop});
    }
    return true;
  }

  bool read_limits() {
    if (rest_.substr(0, 6) == "stdin ") {
      if (!next_line_is("stdin", 2)) return false;
      file_.stdin_file = words_[1];
    }
    if (rest_.substr(0, 7) == "memory ") {
      if (!next_line_is("memory", 2)) return false;
      const auto mode = memory_mode_of(words_[1]);
      if (!mode) return fail(fmt::format("'{}' is no way to treat memory", words_[1]));
      file_.memory = *mode;
    }
    if (rest_.substr(0, 11) == "discipline ") {
      if (!next_line_is("discipline", 2)) return false;
      const auto discipline = discipline_of(words_[1]);
      if (!discipline) return fail("expected 'discipline checked' or 'discipline strict'");
      file_.discipline = *discipline;
    }
    bool are_on = false;
    if (!read_flag("atomics", "on", are_on)) return false;
    if (are_on) file_.atomics = Atomics::Seen;
    if (!read_flag("udp", "lossy", file_.channels.lossy_udp) ||
        !read_flag("io", "partial", file_.channels.partial_io) ||
        !read_count("spurious", file_.channels.spurious) ||
        !read_count("reuse", file_.channels.reuse)) {
      return false;
    }
    if (!read_files() || !read_flag("streams", "locked", file_.needs.stream_locks) ||
        !read_accesses())
      return false;
    Limits& limits = file_.limits;
    if (!read_number("depth", limits.depth) || !read_number("bound", limits.bound) ||
        !read_number("livelock", limits.livelock) ||
        !read_number("divergence", limits.divergence_s)) {
      return false;
    }
    if (limits.depth > kMaxSteps) return fail("the depth is too large");
    if (std::isfinite(limits.divergence_s) && limits.divergence_s > 0) return true;
    return fail("'divergence' must be a number of seconds");
  }

  bool read_finding() {
    if (rest_.substr(0, 7) == "tester ") {
      if (!next_line_is("tester", 2)) return false;
      file_.tester_file = words_[1];
    }
    while (rest_.substr(0, 11) == "annotation ") {
      if (!next_line_is("annotation", 3)) return false;
      if (!is_annotation(words_[1]))
        return fail(fmt::format("there is no annotation '{}'", words_[1]));
      file_.annotations.emplace_back(words_[1], words_[2]);
    }
    if (!next_line_is("finding", 3)) return false;
    const auto kind = finding_kind_of(words_[1]);
    if (!kind) return fail(fmt::format("there is no kind of finding '{}'", words_[1]));
    file_.kind = *kind;
    file_.message = words_[2];
    return true;
  }

  bool read_steps() {
    if (!read_steps("steps", file_.steps)) return false;
    while (rest_.substr(0, 8) == "earlier ") {
      if (!read_steps("earlier", file_.earlier.emplace_back())) return false;
    }
    if (!next_line_is("end", 1)) return false;
    return rest_.empty() || fail("there is something behind the end");
  }

  bool read_steps(const char* title, std::vector<ScheduledStep>& steps) {
    uint32_t count = 0;
    if (!read_number(title, count)) return false;
    if (count > kMaxSteps) return fail("there are too many steps");
    for (uint32_t i = 1; i <= count; ++i) {
      if (!next_line() || !read_step(i, steps)) return false;
    }
    return true;
  }

  // words_: number, thread, operation, perhaps an object, perhaps an outcome
  bool read_step(uint32_t expected, std::vector<ScheduledStep>& steps) {
    if (number<uint32_t>(words_[0]) != expected) {
      return fail(fmt::format("expected step {}, not '{}'", expected, words_[0]));
    }
    if (words_.size() < 3) return fail("a step has a number, a thread and an operation");
    ScheduledStep step;
    const auto thread = thread_path(words_[1]);
    if (!thread) return fail(fmt::format("'{}' is no thread", words_[1]));
    step.thread = *thread;
    if (words_[2] != kUnknownOperation) {
      if (kind_of_word(words_[2]) == OpKind::None)
        return fail(fmt::format("there is no operation '{}'", words_[2]));
      step.operation = words_[2];
    }
    size_t at = 3;
    if (at < words_.size() && words_[at] != "->" && words_[at] != "=") step.object = words_[at++];
    if (!read_outcome(at, step)) return false;
    steps.push_back(std::move(step));
    return true;
  }

  bool read_outcome(size_t at, ScheduledStep& step) {
    if (at == words_.size()) return true;
    if (at + 2 != words_.size()) return fail("the outcome is damaged");
    const std::string& word = words_[at + 1];
    if (words_[at] == "=") {
      const auto outcome = number<Outcome>(word);
      if (!outcome) return fail(fmt::format("'{}' is no outcome", word));
      step.form = ScheduledStep::Form::Number;
      step.number = *outcome;
      return true;
    }
    if (words_[at] != "->") return fail("the outcome is damaged");
    if (word == "nobody") {
      step.form = ScheduledStep::Form::Nobody;
      return true;
    }
    const auto thread = thread_path(word);
    if (!thread) return fail(fmt::format("'{}' is no thread", word));
    step.form = ScheduledStep::Form::Thread;
    step.outcome_thread = *thread;
    return true;
  }

  std::string_view rest_;
  const std::string& name_;
  size_t line_ = 0;
  std::vector<std::string> words_;
  ScheduleFile file_;
  std::string error_;
};

Error cannot_read(const std::string& path) {
  return Error{fmt::format("cannot read {}: {}", path, std::strerror(errno))};
}

}  // namespace

Result<ScheduleFile> parse_schedule(const std::string& text, const std::string& name) {
  return Parser(text, name).parse();
}

Result<ScheduleFile> read_schedule(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(path.c_str(), "rb"),
                                                           std::fclose);
  if (!in) return cannot_read(path);
  std::string text;
  char buffer[1 << 16];
  while (const size_t size = std::fread(buffer, 1, sizeof buffer, in.get())) {
    text.append(buffer, size);
    if (text.size() > kMaxFileSize) return Error{path + ":1: this is no schedule of Mazurka"};
  }
  if (std::ferror(in.get()) != 0) return cannot_read(path);
  return parse_schedule(text, path);
}

}  // namespace mazurka
