// A libFuzzer target for annotations, suppressions and their patterns. The first byte chooses.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/input/annotations.h"
#include "report/input/suppressions.h"

namespace {

using namespace mazurka;

void annotate(const std::string& text) {
  const Result<Annotations> annotations = Annotations::parse(text, "f.annotations");
  if (!annotations) return;
  const std::vector<StaticVariable> variables = {
      {"bank::accounts", "struct account", "src/bank.cc", 0x1000, 64},
      {"counter", "int", "main.c", 0x2000, 4}};
  std::vector<FunctionCode> functions(2);
  functions[0] = {"bank::Account::deposit", "bank::Account", "src/bank.cc", -1, 0x4000,
                  {{0x4000, 0x4100}}};
  functions[1] = {"log_line", "", "main.c", 0, 0x4040, {{0x4040, 0x4050}}};
  (void)annotations->resolve(variables, functions).ok();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 3) {
    case 0:
      annotate(text);
      break;
    case 1:
      (void)Suppressions::parse(text, "f.suppressions").ok();
      break;
    default: {
      const size_t half = text.size() / 2;
      (void)matches_pattern(text.substr(0, half), text.substr(half));
    }
  }
  return 0;
}
