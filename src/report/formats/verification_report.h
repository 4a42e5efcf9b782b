// What `mazurka lts verify` prints: the violations that a tester has found, as text and as JSON.
// And what `mazurka lts info` has counted.
#pragma once

#include <string>

#include "lts/model/product.h"
#include "lts/verify/verify.h"
#include "report/formats/report.h"

namespace mazurka {

struct VerificationReport {
  const lts::Verification& verification;
  const lts::Network& system;
  const lts::Tester& tester;
};

ExitCode exit_code_of(const lts::Verification& verification);

std::string text_report(const VerificationReport& report);
std::string json_report(const VerificationReport& report);
// Of `mazurka lts info`.
std::string json_report(const lts::Info& info);
// The last line of the text alone.
std::string verdict_text(const lts::Verification& verification);

// "no memory was left", "it was interrupted"
const char* sentence(lts::StopReason reason);

}  // namespace mazurka
