#include "cli/flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "base/whole_file.h"
#include "cli/suggestions.h"

namespace mazurka {
namespace {

constexpr double kLongestSeconds = 1e9;

template <typename T>
bool reads_as(const std::string& text, T& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
}

constexpr char kListOptions[] = "--list-options";

// For cmake/make_help.py, which makes man pages and completions of it: what the command is and how
// it is called, and then a line for each option: its group, its names, its value and what it does.
std::string option_list(const CLI::App& app) {
  std::string text = app.get_description() + '\n' + app.get_name() + '\n';
  for (const CLI::Option* option : app.get_options()) {
    text += fmt::format("{}\t{}\t{}\t{}\n", option->get_group(), option->get_name(true, true),
                        option->get_items_expected() == 0 ? "" : option->get_type_name(),
                        option->get_description());
  }
  return text;
}

// The first argument that looks like an option and is none of them.
std::string extras_text(const CLI::App& app, const std::string& otherwise,
                        const std::vector<std::string>& arguments) {
  const std::vector<std::string> known = option_names(app);
  for (size_t i = 1; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string name = arguments[i].substr(0, arguments[i].find('='));
    const bool looks_like_one = name.size() > 1 && name[0] == '-' && name != "-h";
    if (!looks_like_one || std::find(known.begin(), known.end(), name) != known.end()) continue;
    return no_such_option(app, name, arguments[0]);
  }
  return otherwise;
}

class Usage : public CLI::Formatter {
 public:
  explicit Usage(std::string usage) : usage_(std::move(usage)) {}
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: " + usage_ + "\n";
  }

 private:
  std::string usage_;
};

}  // namespace

// Not by fmt::print, which throws where standard error cannot be written: nobody is left to tell.
void complain(const std::string& sentence) {
  const std::string line = fmt::format("mazurka: {}\n", sentence);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string no_such_option(const CLI::App& app, const std::string& option,
                           const std::string& command) {
  const std::string name = option.substr(0, option.find('='));
  const std::string meant = did_you_mean(name, option_names(app));
  return fmt::format(
      "there is no option {}{}", name,
      meant.empty() ? fmt::format("; 'mazurka {} --help' lists them", command) : meant);
}

std::unique_ptr<CLI::App> make_app(const std::string& what, const std::string& usage) {
  auto app = std::make_unique<CLI::App>(what, usage);
  app->formatter(std::make_shared<Usage>(usage));
  app->option_defaults()->take_last();
  return app;
}

bool parse(CLI::App& app, const std::vector<std::string>& arguments, ExitCode& exit_code) {
  if (arguments.size() == 2 && arguments[1] == kListOptions) {
    fmt::print("{}", option_list(app));
    exit_code = ExitCode::Ok;
    return false;
  }
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend() - 1);
  try {
    app.parse(reversed);
    return true;
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    exit_code = ExitCode::Ok;
  } catch (const CLI::ParseError& error) {
    // What follows a program is the program's own.
    complain(app.get_prefix_command() ? error.what() : extras_text(app, error.what(), arguments));
    exit_code = ExitCode::Usage;
  }
  return false;
}

CLI::Validator whole_number(uint64_t lowest, uint64_t highest) {
  const auto check = [lowest, highest](std::string& text) -> std::string {
    uint64_t value = 0;
    if (reads_as(text, value) && value >= lowest && value <= highest) {
      text = std::to_string(value);
      return "";
    }
    return fmt::format("'{}' is not a whole number from {} to {}", text, lowest, highest);
  };
  return CLI::Validator(check, "");
}

CLI::Validator seconds() {
  const auto check = [](const std::string& text) -> std::string {
    double value = 0;
    if (reads_as(text, value) && std::isfinite(value) && value > 0 && value <= kLongestSeconds)
      return "";
    return fmt::format("'{}' is not a number of seconds", text);
  };
  return CLI::Validator(check, "");
}

ExitCode write_output(const std::string& text, const std::string& file) {
  if (!file.empty()) {
    const Result<void> written = write_whole_file(file, text);
    if (!written) complain(written.error().message);
    return written ? ExitCode::Ok : ExitCode::Trouble;
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  return output_is_written() ? ExitCode::Ok : ExitCode::Trouble;
}

bool output_is_written() {
  static bool has_complained = false;
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::ferror(stdout) == 0) return true;
  // Why an earlier part was lost is not known any more.
  const std::string why = flushed ? "" : fmt::format(": {}", std::strerror(errno));
  if (!has_complained) complain("cannot write the output" + why);
  has_complained = true;
  return false;
}

bool output_is_writable(const std::string& file) {
  if (file.empty()) return true;
  const Result<void> asked = can_be_written(file);
  if (!asked) complain(asked.error().message);
  return asked.ok();
}

}  // namespace mazurka
