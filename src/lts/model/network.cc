#include "lts/model/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "lts/model/aut_file.h"
#include "lts/model/text_file.h"

namespace mazurka::lts {
namespace {

void sort_unique(std::vector<ActionId>& actions) {
  std::sort(actions.begin(), actions.end());
  actions.erase(std::unique(actions.begin(), actions.end()), actions.end());
}

class NetReader {
 public:
  NetReader(std::string_view text, const std::string& file, const FileReader& reader)
      : text_(text), file_(file), reader_(reader) {}

  Result<Network> read() {
    const Result<std::vector<Line>> lines = read_lines(text_, file_);
    if (!lines) return lines.error();
    for (const Line& line : *lines) {
      if (Result<void> done = read_line(line); !done) return done.error();
    }
    if (net_.processes.empty()) return wrong(last_line_, "there is no process");
    for (const Line& line : alphabets_) {
      if (Result<void> done = read_alphabet(line); !done) return done.error();
    }
    for (Process& process : net_.processes) sort_unique(process.alphabet);
    if (Result<void> done = check_hidden(); !done) return done.error();
    return std::move(net_);
  }

 private:
  Error wrong(size_t line, std::string_view sentence) const {
    return error_at(file_, line, sentence);
  }

  Result<void> read_line(const Line& line) {
    last_line_ = line.number;
    const std::string& word = line.words[0];
    if (word == "process") return read_process(line);
    if (word == "alphabet") {
      alphabets_.push_back(line);  // its process may come below
      return {};
    }
    if (word == "hide") return read_hidden(line);
    return wrong(line.number, fmt::format("'{}' is not one of process, alphabet, hide", word));
  }

  Result<void> read_process(const Line& line) {
    const std::vector<std::string>& words = line.words;
    if (words.size() != 4 || words[2] != "=") {
      return wrong(line.number, "a process should look like 'process NAME = \"FILE.aut\"'");
    }
    const auto [place, is_new] = numbers_.emplace(words[1], net_.processes.size());
    if (!is_new) {
      return wrong(line.number, fmt::format("there is a process '{}' already", words[1]));
    }
    const std::filesystem::path path = std::filesystem::path(file_).parent_path() / words[3];
    const Result<std::string> text = reader_(path.string());
    if (!text) return wrong(line.number, text.error().message);
    Result<ExplicitLts> lts = read_aut(*text, path.string(), net_.actions);
    if (!lts) return lts.error();
    std::vector<ActionId> alphabet = lts->actions();
    net_.processes.push_back({words[1], std::move(*lts), std::move(alphabet)});
    return {};
  }

  Result<void> read_alphabet(const Line& line) {
    if (line.words.size() < 2) return wrong(line.number, "an alphabet needs the name of a process");
    const auto found = numbers_.find(line.words[1]);
    if (found == numbers_.end()) {
      return wrong(line.number, fmt::format("there is no process '{}'", line.words[1]));
    }
    for (size_t i = 2; i < line.words.size(); ++i) {
      const ActionId action = net_.actions.intern(line.words[i]);
      if (action == kTau) {
        return wrong(line.number, fmt::format("'{}' is the internal action, which nobody shares",
                                              line.words[i]));
      }
      net_.processes[found->second].alphabet.push_back(action);
    }
    return {};
  }

  Result<void> read_hidden(const Line& line) {
    for (size_t i = 1; i < line.words.size(); ++i) {
      const ActionId action = net_.actions.intern(line.words[i]);
      hide_lines_.emplace(action, line.number);
    }
    return {};
  }

  // At the end: an action may be hidden above the process that has it.
  Result<void> check_hidden() {
    for (const auto& [action, line] : hide_lines_) {
      if (action == kTau) continue;
      if (!net_.has(action)) {
        return wrong(line, fmt::format("no process has the action '{}' that is hidden here",
                                       net_.actions.name(action)));
      }
      net_.hidden.push_back(action);
    }
    return {};
  }

  std::string_view text_;
  const std::string& file_;
  const FileReader& reader_;
  Network net_;
  std::map<std::string, size_t> numbers_;
  std::vector<Line> alphabets_;
  std::map<ActionId, size_t> hide_lines_;
  size_t last_line_ = 1;
};

}  // namespace

bool Network::has(ActionId action) const {
  return std::any_of(processes.begin(), processes.end(), [action](const Process& process) {
    return std::binary_search(process.alphabet.begin(), process.alphabet.end(), action);
  });
}

bool Network::hides(ActionId action) const {
  return std::binary_search(hidden.begin(), hidden.end(), action);
}

Network single(std::string name, ExplicitLts lts, ActionTable actions) {
  Network net;
  net.actions = std::move(actions);
  std::vector<ActionId> alphabet = lts.actions();
  net.processes.push_back({std::move(name), std::move(lts), std::move(alphabet)});
  return net;
}

Result<Network> read_net(std::string_view text, const std::string& file, const FileReader& reader) {
  return NetReader(text, file, reader).read();
}

Result<Network> read_system(const std::string& path) {
  const std::filesystem::path name(path);
  if (name.extension() != ".net" && name.extension() != ".aut") {
    return Error{fmt::format("{} is neither a .net nor an .aut file", path)};
  }
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  if (name.extension() == ".net") return read_net(*text, path, read_file);
  ActionTable actions;
  Result<ExplicitLts> lts = read_aut(*text, path, actions);
  if (!lts) return lts.error();
  return single(name.stem().string(), std::move(*lts), std::move(actions));
}

}  // namespace mazurka::lts
