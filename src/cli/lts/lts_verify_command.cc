// `mazurka lts verify`: verifies a system against a tester, and reports.
#include <fmt/format.h>

#include "cli/interrupts.h"
#include "cli/lts/lts_commands.h"
#include "cli/lts/lts_options.h"
#include "report/formats/verification_report.h"

namespace mazurka {
namespace {

struct LtsVerifyOptions {
  std::string system;
  std::string tester;
  std::string json;
  bool quiet = false;
  bool stubborn = false;
  lts::VerifyOptions verify;
};

std::unique_ptr<CLI::App> app_for(LtsVerifyOptions& options) {
  auto app = make_lts_app("Verifies a system against a tester, on the fly.",
                          "verify [options] SYSTEM.net|FILE.aut --tester FILE");
  app->add_option("SYSTEM", options.system, "A network (.net) or a single LTS (.aut)")->required();
  app->add_option("--tester", options.tester, "What the system must not do")
      ->required()
      ->type_name("FILE");
  app->add_flag("--all", options.verify.all,
                "Decide all four kinds of violation, do not stop at the first");
  app->add_flag("--shortest", options.verify.shortest, "Counterexamples of least length");
  app->add_flag("--stubborn", options.stubborn,
                "Leave out orders of actions that do not matter (reject and deadlock states only)");
  add_memory_option(*app, options.verify.memory_limit);
  app->add_option("--json", options.json, "Write the verdict as JSON, too")->type_name("FILE");
  app->add_flag("--quiet", options.quiet, "Print the verdict only");
  return app;
}

// False after it has said why it cannot be.
bool choose_stubborn(LtsVerifyOptions& options, const lts::Tester& tester) {
  if (!options.stubborn) return true;
  options.verify.algorithm = lts::Algorithm::Stubborn;
  if (tester.any(lts::kLivelock | lts::kInfinite)) {
    complain("--stubborn is for testers with reject and deadlock states only: it leaves out loops");
    return false;
  }
  if (options.verify.shortest) {
    complain("--stubborn and --shortest: the shortest counterexample may be one that is left out");
    return false;
  }
  return true;
}

}  // namespace

ExitCode lts_verify_command(const std::vector<std::string>& arguments) {
  LtsVerifyOptions options;
  ExitCode exit_code = ExitCode::Ok;
  const std::unique_ptr<CLI::App> app = app_for(options);
  if (!parse(*app, arguments, exit_code)) return exit_code;
  const std::optional<lts::Network> system = read_system_or_complain(options.system);
  if (!system) return ExitCode::Usage;
  const Result<lts::Tester> tester = lts::read_tester_file(options.tester, *system);
  if (!tester) {
    complain(tester.error().message);
    return ExitCode::Usage;
  }
  if (!choose_stubborn(options, *tester) || !output_is_writable(options.json))
    return ExitCode::Usage;
  options.verify.interrupted = &watch_interrupts();
  const lts::Verification verification = lts::verify(*system, *tester, options.verify);
  const VerificationReport report = {verification, *system, *tester};
  fmt::print("{}", options.quiet ? verdict_text(verification) : text_report(report));
  if (!options.json.empty()) {
    const ExitCode written = write_output(json_report(report), options.json);
    if (written != ExitCode::Ok) return written;
  }
  return exit_code_of(verification);
}

}  // namespace mazurka
