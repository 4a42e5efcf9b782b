#include "sim/server/search_job.h"

#include "base/processors.h"

namespace mazurka {
namespace {

constexpr std::chrono::seconds kPatience{60};

}  // namespace

void SearchJob::start(std::vector<PlannedStep> root) {
  stop();
  SearchOptions options;
  options.search = "dpor";
  options.limits = subject_.header.limits;
  options.keep_going = true;
  options.tester = subject_.tester;
  options.interrupted = &stopped_;
  options.progress = [this](const Progress& progress) {
    const std::lock_guard<std::mutex> lock(mutex_);
    status_.counts = progress.counts;
    status_.seconds = progress.seconds;
    status_.findings = progress.findings;
    if (std::chrono::steady_clock::now() - asked_ > kPatience) stopped_ = 1;
  };
  asked_ = std::chrono::steady_clock::now();
  stopped_ = 0;
  status_ = {};
  status_.is_running = true;
  status_.root_length = static_cast<uint32_t>(root.size());
  options.root = std::move(root);
  thread_ = std::thread([this, options = std::move(options)] { search(options); });
}

// The instance is launched here: it dies with the thread that started it, and runs on another
// processor than the page's.
void SearchJob::search(const SearchOptions& options) {
  move_to_processor(1);
  Result<std::unique_ptr<Program>> program = subject_.program.another();
  Result<Verdict> verdict = program ? explore(**program, options) : program.error();
  const std::lock_guard<std::mutex> lock(mutex_);
  status_.is_running = false;
  if (!verdict) {
    status_.trouble = verdict.error().message;
    return;
  }
  status_.counts = verdict->counts;
  status_.seconds = verdict->seconds;
  status_.findings = verdict->findings.size();
  status_.verdict = std::move(*verdict);
}

void SearchJob::stop() {
  stopped_ = 1;
  if (thread_.joinable()) thread_.join();
}

SearchJob::Status SearchJob::status() {
  const std::lock_guard<std::mutex> lock(mutex_);
  asked_ = std::chrono::steady_clock::now();
  return status_;
}

}  // namespace mazurka
