// The command `mazurka`.

#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

namespace {

constexpr int kExitOk = 0;
constexpr int kExitUsage = 2;
constexpr int kExitFailure = 4;

// A failed MAZURKA_CHECK has said what is wrong; scripts see it as our failure, not as a finding.
void exit_on_abort(int) { _exit(kExitFailure); }

int run(int argc, char** argv) {
  CLI::App app("Explores every behaviour of a concurrent program.", "mazurka");
  app.set_version_flag("--version", "mazurka " MAZURKA_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitOk : kExitUsage;
  }
  return kExitOk;
}

}  // namespace

int main(int argc, char** argv) {
  signal(SIGABRT, exit_on_abort);
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mazurka: %s\n", error.what());
    return kExitFailure;
  }
}
