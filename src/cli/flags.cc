#include "cli/flags.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace mazurka {
namespace {

constexpr double kLongestSeconds = 1e9;

template <typename T>
bool reads_as(const std::string& text, T& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
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

void complain(const std::string& sentence) { fmt::print(stderr, "mazurka: {}\n", sentence); }

std::unique_ptr<CLI::App> make_app(const std::string& what, const std::string& usage) {
  auto app = std::make_unique<CLI::App>(what, usage);
  app->formatter(std::make_shared<Usage>(usage));
  app->option_defaults()->take_last();
  return app;
}

bool parse(CLI::App& app, const std::vector<std::string>& arguments, ExitCode& exit_code) {
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend() - 1);
  try {
    app.parse(reversed);
    return true;
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    exit_code = ExitCode::Ok;
  } catch (const CLI::ParseError& error) {
    complain(error.what());
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
  if (file.empty()) {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (written && std::fflush(stdout) == 0) return ExitCode::Ok;
  } else {
    std::ofstream out(file, std::ios::binary);
    out << text;
    out.close();
    if (out) return ExitCode::Ok;
  }
  complain(
      fmt::format("cannot write {}: {}", file.empty() ? "the output" : file, std::strerror(errno)));
  return ExitCode::Trouble;
}

bool output_is_writable(const std::string& file) {
  if (file.empty() || std::ofstream(file, std::ios::app)) return true;
  complain(fmt::format("cannot write {}: {}", file, std::strerror(errno)));
  return false;
}

}  // namespace mazurka
