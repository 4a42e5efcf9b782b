#include "explore/findings/program_tester.h"

#include "lts/model/text_file.h"

namespace mazurka {
namespace {

// Nothing, or why the tester asks for more than can be decided on a program.
std::string asks_too_much(const lts::Tester& tester, const std::string& file) {
  constexpr uint8_t kEndless = lts::kLivelock | lts::kInfinite;
  for (size_t i = 0; i < tester.sets.size(); ++i) {
    if ((tester.sets[i] & kEndless) == 0) continue;
    const bool livelock = (tester.sets[i] & lts::kLivelock) != 0;
    return file + ": '" + tester.names[i] + "' is " +
           (livelock ? "a livelock state" : "an infinite-trace state") +
           ", which needs loops of states, and programs are not searched for these; on programs, "
           "testers may have reject and deadlock states";
  }
  return "";
}

}  // namespace

Result<std::shared_ptr<const ProgramTester>> parse_program_tester(const std::string& text,
                                                                  const std::string& file) {
  auto made = std::make_shared<ProgramTester>();
  Result<lts::Tester> tester = lts::read_tester(text, file, made->actions);
  if (!tester) return tester.error();
  made->tester = std::move(*tester);
  if (std::string why = asks_too_much(made->tester, file); !why.empty()) return Error{why};
  return std::shared_ptr<const ProgramTester>(std::move(made));
}

Result<std::shared_ptr<const ProgramTester>> read_program_tester(const std::string& path) {
  const Result<std::string> text = lts::read_file(path);
  if (!text) return text.error();
  return parse_program_tester(*text, path);
}

}  // namespace mazurka
