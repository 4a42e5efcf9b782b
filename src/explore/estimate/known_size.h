// What a search learns of its own size: now and then some random passes, on the side. So whoever
// waits knows whether it is a matter of seconds or of years, and `auto` how much time samples
// should have. It goes by counts of executions, so that it comes to the same each time.
#pragma once

#include <memory>
#include <optional>

#include "explore/engine/session.h"
#include "explore/estimate/size_estimate.h"

namespace mazurka {

class KnownSize {
 public:
  // All must outlive it.
  KnownSize(Program& program, Session& session, const SearchOptions& options)
      : program_(program), session_(session), options_(options) {
    session.expect_size();
  }

  // Runs some hundredths of the executions that the session has counted, and tells it what is known
  // by now. To be called while nobody else runs the program.
  void refine();
  // The logarithm of the number of executions.
  std::optional<double> log_size() const { return log_size_; }

 private:
  Program& program_;
  Session& session_;
  const SearchOptions& options_;
  std::unique_ptr<SizeEstimator> estimator_;
  std::optional<double> log_size_;
};

}  // namespace mazurka
