#include "report/formats/report.h"

namespace mazurka {

ExitCode exit_code_of(const Verdict& verdict) {
  if (verdict.compared && !verdict.compared->differences.empty()) return ExitCode::Trouble;
  if (!verdict.findings.empty()) return ExitCode::Found;
  if (verdict.trouble) return ExitCode::Trouble;
  return verdict.complete() ? ExitCode::Ok : ExitCode::Incomplete;
}

const char* verdict_word(const Verdict& verdict) {
  if (!verdict.findings.empty()) return "error";
  return verdict.complete() ? "ok" : "incomplete";
}

const char* name_of(Guarantee guarantee) {
  switch (guarantee) {
    case Guarantee::Complete:
      return "complete";
    case Guarantee::Bounded:
      return "bounded";
    case Guarantee::Sampled:
      return "sampled";
  }
  return "?";
}

}  // namespace mazurka
