// A tester for a program: its visible actions are names of events (mz_event). Events with other
// names are invisible to it.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "lts/model/tester.h"

namespace mazurka {

struct ProgramTester {
  lts::ActionTable actions;
  lts::Tester tester;

  bool has_deadlock_states() const { return tester.any(lts::kDeadlock); }
};

// `file` is what errors call the text. Livelock and infinite-trace states are an error, too:
// whether a program runs on for ever is not decided.
Result<std::shared_ptr<const ProgramTester>> parse_program_tester(const std::string& text,
                                                                  const std::string& file);
Result<std::shared_ptr<const ProgramTester>> read_program_tester(const std::string& path);

}  // namespace mazurka
