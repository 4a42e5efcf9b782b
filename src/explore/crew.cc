#include "explore/crew.h"

#include <algorithm>
#include <utility>

#include "program/processors.h"

namespace mazurka {
namespace {

// Plans that are handed to the program at a time: so many that a hand-over costs little, and so few that their executions stay
// in the processor's cache while they are read and analysed.
constexpr size_t kPlans = 32;
constexpr size_t kTransitions = 4096;

size_t plans_at_a_time(size_t length) { return std::clamp<size_t>(kTransitions / std::max<size_t>(length, 1), 1, kPlans); }

}  // namespace

// --- a round

Plan& Round::add(size_t known) {
  if (count_ == plans_.size()) {
    plans_.emplace_back();
    executions_.emplace_back();
    known_.emplace_back();
  }
  known_[count_] = known;
  return plans_[count_++];
}

Result<void> Round::run(Program& program) {
  longest_ = 0;
  for (size_t begin = 0; begin < count_;) {
    const Result<size_t> ran = program.run_some(plans_.data() + begin, count_ - begin, executions_.data() + begin);
    if (!ran) return ran.error();
    begin += *ran;
  }
  for (size_t i = 0; i < count_; ++i) longest_ = std::max(longest_, executions_[i].transitions.size());
  return {};
}

// --- the crew

Crew::Crew(Program& program, Session& session, const SearchOptions& options)
    : program_(program), session_(session), jobs_(options.jobs), alone_(options.alone) {}

Crew::~Crew() {
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
  }
  changed_.notify_all();
  for (std::thread& hand : hands_) hand.join();
}

void Crew::hire() {
  while (hands_.size() + 1 < jobs_) {
    const size_t number = hands_.size() + 1;
    hands_.emplace_back([this, number] { serve(number); });
  }
}

void Crew::serve(size_t number) {
  move_to_processor(number);
  const Result<std::unique_ptr<Program>> program = program_.another();
  if (!program) return session_.note("a worker could not begin: " + program.error().message);
  Round round;
  while (std::unique_ptr<Part> part = await_part(false)) work_on(**program, std::move(part), round);
}

bool Crew::work(std::unique_ptr<Part> whole) {
  dropped_ = false;
  {
    const std::lock_guard lock(mutex_);  // others may be waiting since an earlier call
    left_ = false;
    offered_.push_back(std::move(whole));
  }
  Round round;
  while (std::unique_ptr<Part> part = await_part(true)) work_on(program_, std::move(part), round);
  return !left_;
}

bool Crew::finish(Program& program, Part& part, Round& round) {
  for (;;) {
    round.clear();
    const size_t most = session_.admit(plans_at_a_time(round.longest()));
    part.plan(std::max<size_t>(most, 1), round);
    session_.give_back(most - std::min(most, round.size()));
    if (round.size() == 0) return true;
    if (dropped_ || !session_.may_go_on()) return false;
    if (!run(program, part, round)) return false;
    if (&program == &program_ && hands_.empty() && jobs_ > 1 && session_.executions() >= alone_) hire();
    if (wanted_ > 0) share(part);
  }
}

bool Crew::run(Program& program, Part& part, Round& round) {
  if (Result<void> ran = round.run(program); !ran) {
    session_.fail(ran.error());
    return false;
  }
  for (size_t i = 0; i < round.size(); ++i) {
    if (i > 0 && !session_.may_go_on()) return false;
    if (!session_.add(program, round.plan(i), round.known(i), round.execution(i))) return false;
    part.take(round, i, round.execution(i), session_);
  }
  return true;
}

// --- who works on what

std::unique_ptr<Part> Crew::await_part(bool is_first) {
  std::unique_lock lock(mutex_);
  ++waiting_;
  wanted_ = waiting_ - std::min(waiting_, offered_.size());
  changed_.wait(lock, [&] {
    return !offered_.empty() || leaving_ || (is_first && busy_ == 0);
  });
  --waiting_;
  std::unique_ptr<Part> part;
  if (!offered_.empty() && !leaving_) {
    part = std::move(offered_.front());
    offered_.pop_front();
    ++busy_;
  }
  wanted_ = waiting_ - std::min(waiting_, offered_.size());
  return part;
}

// The part is gone before anybody hears that it is done.
void Crew::work_on(Program& program, std::unique_ptr<Part> part, Round& round) {
  const bool through = finish(program, *part, round);
  part.reset();
  {
    const std::lock_guard lock(mutex_);
    --busy_;
    left_ = left_ || !through;
  }
  changed_.notify_all();
}

void Crew::share(Part& part) {
  std::unique_ptr<Part> given = part.split();
  if (given == nullptr) return;
  {
    const std::lock_guard lock(mutex_);
    offered_.push_back(std::move(given));
    wanted_ = waiting_ - std::min(waiting_, offered_.size());
  }
  changed_.notify_one();
}

}  // namespace mazurka
