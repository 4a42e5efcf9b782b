#include "sim/server/editor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <thread>

extern char** environ;

namespace mazurka {
namespace {

constexpr std::string_view kFile = "{file}";
constexpr std::string_view kLine = "{line}";

// Nothing if a quote is not closed, or a backslash is the last character.
std::optional<std::vector<std::string>> shell_words(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
      continue;
    }
    in_word = true;
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && quote != '\'') {
      if (++i == text.size()) return std::nullopt;
      word += text[i];
    } else {
      word += c;
    }
  }
  if (quote != 0) return std::nullopt;
  if (in_word) words.push_back(std::move(word));
  return words;
}

// In one pass: what is put in is not looked at again.
std::string filled_in(const std::string& word, const std::string& file, const std::string& line) {
  std::string out;
  for (size_t i = 0; i < word.size();) {
    if (word.compare(i, kFile.size(), kFile) == 0) {
      out += file;
      i += kFile.size();
    } else if (word.compare(i, kLine.size(), kLine) == 0) {
      out += line;
      i += kLine.size();
    } else {
      out += word[i++];
    }
  }
  return out;
}

}  // namespace

Result<Editor> Editor::of(const std::string& command) {
  auto words = shell_words(command);
  if (!words) return Error{"--editor: a quote is not closed in: " + command};
  if (words->empty()) return Error{"--editor: there is no command"};
  bool has_file = false;
  for (const std::string& word : *words) has_file |= word.find(kFile) != std::string::npos;
  if (!has_file) {
    return Error{
        fmt::format("--editor: the command does not say where the file's name goes, as in "
                    "--editor='code -g {{file}}:{{line}}'")};
  }
  if ((*words)[0].find(kFile) != std::string::npos)
    return Error{"--editor: it begins with {file}, and not with the editor's name"};
  return Editor(std::move(*words));
}

std::vector<std::string> Editor::words(const std::string& file, uint64_t line) const {
  // A relative name could be taken for an option.
  const std::string path = file.rfind('/', 0) == 0 ? file : "./" + file;
  std::vector<std::string> filled = {words_[0]};
  for (size_t i = 1; i < words_.size(); ++i)
    filled.push_back(filled_in(words_[i], path, std::to_string(line)));
  return filled;
}

namespace {

// Who asks is bound to one processor with the program; an editor should not be.
class OnAllProcessors {
 public:
  OnAllProcessors() {
    cpu_set_t all;
    std::memset(&all, 0xff, sizeof all);
    known_ = sched_getaffinity(0, sizeof before_, &before_) == 0;
    if (known_) sched_setaffinity(0, sizeof all, &all);
  }
  ~OnAllProcessors() {
    if (known_) sched_setaffinity(0, sizeof before_, &before_);
  }
  OnAllProcessors(const OnAllProcessors&) = delete;
  OnAllProcessors& operator=(const OnAllProcessors&) = delete;

 private:
  cpu_set_t before_;
  bool known_ = false;
};

}  // namespace

// It has a session of its own: Ctrl-C is not for it.
Result<void> Editor::open(const std::string& file, uint64_t line) const {
  std::vector<std::string> all = words(file, line);
  std::vector<char*> pointers;
  pointers.reserve(all.size() + 1);
  for (std::string& word : all) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t own;
  posix_spawnattr_init(&own);
  posix_spawnattr_setflags(&own, POSIX_SPAWN_SETSID);
  pid_t pid = 0;
  const OnAllProcessors inherited;
  const int failed = posix_spawnp(&pid, pointers[0], &quiet, &own, pointers.data(), environ);
  posix_spawnattr_destroy(&own);
  posix_spawn_file_actions_destroy(&quiet);
  if (failed != 0) return Error{fmt::format("cannot start {}: {}", all[0], std::strerror(failed))};
  std::thread([pid] { waitpid(pid, nullptr, 0); }).detach();
  return {};
}

}  // namespace mazurka
