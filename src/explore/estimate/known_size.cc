#include "explore/estimate/known_size.h"

namespace mazurka {

void KnownSize::refine() {
  constexpr uint64_t kOneOf = 25;
  if (estimator_ == nullptr) estimator_ = std::make_unique<SizeEstimator>(program_, options_);
  const uint64_t until = session_.all_executions() / kOneOf;
  if (Result<void> worked = estimator_->work_until(until); !worked) session_.fail(worked.error());
  if (!estimator_->has_estimate()) return;
  const TreeSize size = estimator_->estimate().size;
  log_size_ = size.log_mean;
  session_.know_size(size);
}

}  // namespace mazurka
