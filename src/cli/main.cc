// The command `mazurka`.

#include <CLI/CLI.hpp>

int main(int argc, char** argv) {
  CLI::App app("Explores every behaviour of a concurrent program.", "mazurka");
  app.set_version_flag("--version", "mazurka 0.1.0");
  CLI11_PARSE(app, argc, argv);
  return 0;
}
