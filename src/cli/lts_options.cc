#include "cli/lts_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <map>

#include "cli/interrupts.h"
#include "cli/options.h"
#include "report/verification_report.h"

namespace mazurka {
namespace {

constexpr size_t kMegabyte = size_t{1} << 20;
constexpr uint64_t kMostMegabytes = uint64_t{1} << 40;

size_t default_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return SIZE_MAX;
  return static_cast<size_t>(pages) * static_cast<size_t>(page) / 4 * 3;
}

class Usage : public CLI::Formatter {
 public:
  explicit Usage(std::string usage) : usage_(std::move(usage)) {}
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: mazurka lts " + usage_ + "\n";
  }

 private:
  std::string usage_;
};

}  // namespace

std::unique_ptr<CLI::App> make_lts_app(const std::string& what, const std::string& usage) {
  auto app = std::make_unique<CLI::App>(what, usage);
  app->formatter(std::make_shared<Usage>(usage));
  app->option_defaults()->take_last();
  return app;
}

bool parse_lts(CLI::App& app, const std::vector<std::string>& arguments, ExitCode& exit_code) {
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

void add_memory_option(CLI::App& app, size_t& bytes) {
  bytes = default_memory();
  const auto read = [&bytes](const std::string& text) {
    uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || value == 0 || value > kMostMegabytes) {
      throw CLI::ValidationError(
          "--memory", fmt::format("'{}' is not a whole number of megabytes above 0", text));
    }
    bytes = value * kMegabyte;
  };
  app.add_option_function<std::string>(
         "--memory", read, "Megabytes for the states, at most (three quarters of the machine's)")
      ->type_name("MB");
}

void add_equivalence_option(CLI::App& app, lts::Equivalence& equivalence) {
  const std::map<std::string, lts::Equivalence> names = {{"strong", lts::Equivalence::Strong},
                                                         {"branching", lts::Equivalence::Branching},
                                                         {"trace", lts::Equivalence::Trace}};
  const auto known = [names](const std::string& text) -> std::string {
    return names.count(text) > 0 ? ""
                                 : fmt::format("'{}' is neither strong, branching nor trace", text);
  };
  app.add_option_function<std::string>(
         "--by", [names, &equivalence](const std::string& text) { equivalence = names.at(text); },
         "What counts as equal: strong (the default) or branching bisimulation, or trace, the same "
         "traces of actions that are not internal")
      ->check(CLI::Validator(known, ""))
      ->type_name("strong|branching|trace");
}

std::optional<lts::Network> read_system_or_complain(const std::string& path) {
  Result<lts::Network> system = lts::read_system(path);
  if (system) return std::move(*system);
  complain(system.error().message);
  return std::nullopt;
}

std::optional<lts::ExplicitLts> compose_or_complain(const lts::Network& system, size_t memory,
                                                    ExitCode& exit_code) {
  lts::Product product = lts::compose(system, {memory, &watch_interrupts()});
  if (product.stopped == lts::StopReason::None) return std::move(product.lts);
  complain(fmt::format("the states could not all be computed: {}", sentence(product.stopped)));
  exit_code = ExitCode::Incomplete;
  return std::nullopt;
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
