// A libFuzzer target for the parsers of .aut, .net and .tester files. The first byte chooses the
// parser.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "lts/model/aut_file.h"
#include "lts/model/tester.h"
#include "lts/verify/verify.h"

namespace {

using namespace mazurka;
using namespace mazurka::lts;

Result<std::string> process_file(const std::string&) {
  return std::string("des (0, 3, 3)\n(0, a, 1)\n(1, tau, 2)\n(2, b, 0)\n");
}

void read_and_write(std::string_view text) {
  ActionTable actions;
  const Result<ExplicitLts> lts = read_aut(text, "f.aut", actions);
  if (!lts) return;
  ActionTable again;
  MAZURKA_CHECK(read_aut(write_aut(*lts, actions), "g.aut", again).ok());
}

// Whatever tester can be read can be used; verify() runs its counterexamples again.
void read_and_verify(std::string_view text) {
  const Result<Network> net = read_net("process p = x\nprocess q = x\n", "f.net", process_file);
  const Result<Tester> tester = read_tester(text, "f.tester", *net);
  if (tester) verify(*net, *tester, {.all = true});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 3) {
    case 0:
      read_and_write(text);
      break;
    case 1:
      (void)read_net(text, "f.net", process_file).ok();
      break;
    default:
      read_and_verify(text);
  }
  return 0;
}
