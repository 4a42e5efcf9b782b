#include "cli/lts/lts_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <map>

#include "cli/interrupts.h"
#include "report/formats/verification_report.h"

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

}  // namespace

std::unique_ptr<CLI::App> make_lts_app(const std::string& what, const std::string& usage) {
  return make_app(what, "mazurka lts " + usage);
}

void add_memory_option(CLI::App& app, size_t& bytes) {
  bytes = default_memory();
  app.add_option_function<uint64_t>(
         "--memory", [&bytes](uint64_t megabytes) { bytes = megabytes * kMegabyte; },
         "Megabytes for the states, at most (three quarters of the machine's)")
      ->transform(whole_number(1, kMostMegabytes))
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

}  // namespace mazurka
