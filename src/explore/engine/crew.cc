#include "explore/engine/crew.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "base/check.h"
#include "base/faulting_time_stamps.h"
#include "base/processors.h"

namespace mazurka {
namespace {

// Plans that are handed to the program at a time: so many that a hand-over costs little, and so few
// that their executions stay in the processor's second cache (often one megabyte; a transition is
// 500 bytes of log and execution) while they are read and analysed.
constexpr size_t kPlans = 32;
constexpr size_t kMostTransitions = 2048;

size_t plans_at_a_time(size_t length) {
  return std::clamp<size_t>(kMostTransitions / std::max<size_t>(length, 1), 1, kPlans);
}

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
    const Result<size_t> ran =
        program.run_some(plans_.data() + begin, count_ - begin, executions_.data() + begin);
    if (!ran) return ran.error();
    begin += *ran;
  }
  for (size_t i = 0; i < count_; ++i)
    longest_ = std::max(longest_, executions_[i].transitions.size());
  return {};
}

// --- the crew

Crew::Crew(Program& program, Session& session, const SearchOptions& options)
    : program_(program),
      session_(session),
      jobs_(options.jobs),
      alone_(options.alone),
      checkpoints_(options.checkpoints),
      next_save_(Clock::now() + as_duration(options.checkpoints.interval_s)) {}

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
    try {
      hands_.emplace_back([this, number] { serve(number); });
    } catch (const std::system_error& error) {
      jobs_ = number;
      session_.note({Note::WorkerMissing, 0, {"cannot start a thread: " + error.code().message()}});
    }
  }
}

void Crew::serve(size_t number) {
  move_to_processor(number);
  const Result<std::unique_ptr<Program>> program = program_.another();
  if (!program) return session_.note({Note::WorkerMissing, 0, {program.error().message}});
  Round round;
  while (std::unique_ptr<Part> part = await_part(false)) work_on(**program, std::move(part), round);
}

bool Crew::work(std::unique_ptr<Part> whole) {
  std::vector<std::unique_ptr<Part>> parts;
  parts.push_back(std::move(whole));
  return work(std::move(parts));
}

bool Crew::work(std::vector<std::unique_ptr<Part>> parts) { return work(parts, kNever); }

bool Crew::work_unsaved(std::unique_ptr<Part> whole) {
  saves_ = false;
  const bool is_through = work(std::move(whole));
  saves_ = true;
  return is_through;
}

bool Crew::work(std::vector<std::unique_ptr<Part>>& parts, uint64_t until) {
  dropped_ = stopped_ = false;
  {
    const std::lock_guard lock(mutex_);  // others may be waiting since an earlier call
    until_ = until;
    left_ = false;
    left_parts_.clear();
    for (std::unique_ptr<Part>& part : parts) offered_.push_back(std::move(part));
    parts.clear();
  }
  Round round;
  while (std::unique_ptr<Part> part = await_part(true)) work_on(program_, std::move(part), round);
  if (left_ && !dropped_ && stopped_ && saves_) {
    std::vector<const Part*> left;
    for (const auto& part : left_parts_) left.push_back(part.get());
    if (const Result<void> saved = save(left); !saved)
      session_.lose(Error{"no checkpoint was written: " + saved.error().message});
  }
  if (until != kNever) parts.swap(left_parts_);
  left_parts_.clear();  // they may need what lives no longer than this call
  return !left_;
}

bool Crew::finish(Program& program, Part& part, Round& round) {
  const FaultingTimeStamps as_in_the_program;
  for (;;) {
    rest_and_save();
    if (until_ != kNever && session_.executions() >= until_) {
      stopped_ = stopped_ || !session_.may_go_on();
      return false;
    }
    round.clear();
    const size_t most = session_.admit(plans_at_a_time(round.longest()));
    part.plan(std::max<size_t>(most, 1), round);
    session_.give_back(most - std::min(most, round.size()));
    if (round.size() == 0) return true;
    if (dropped_ || !session_.may_go_on()) {
      part.put_back(0);
      stopped_ = true;
      return false;
    }
    if (!run(program, part, round)) {
      stopped_ = true;
      return false;
    }
    if (&program == &program_ && hands_.empty() && jobs_ > 1 && session_.executions() >= alone_)
      hire();
    if (wanted_ > 0) share(part);
  }
}

bool Crew::run(Program& program, Part& part, Round& round) {
  MAZURKA_CHECK(round.size() > 0);
  if (Result<void> ran = round.run(program); !ran) {
    session_.fail(ran.error());
    return false;
  }
  for (size_t i = 0; i < round.size(); ++i) {
    if (i > 0 && !session_.may_go_on()) {
      part.put_back(i);
      return false;
    }
    if (!session_.add(program, round.plan(i), round.known(i), round.execution(i),
                      part.is_beside())) {
      part.put_back(i);
      return false;
    }
    if (part.take(round, i, round.execution(i), session_)) continue;
    session_.take_back(round.execution(i), round.known(i));
    if (part.can_take_again()) {
      part.put_back(i);
    } else {
      is_spoilt_ = true;
    }
    return false;
  }
  session_.show_progress(round.execution(round.size() - 1).transitions.size());
  return true;
}

// --- who works on what

std::unique_ptr<Part> Crew::await_part(bool is_first) {
  std::unique_lock lock(mutex_);
  ++waiting_;
  wanted_ = waiting_ - std::min(waiting_, offered_.size());
  changed_.wait(lock, [&] {
    return (!offered_.empty() && !resting_) || leaving_ ||
           (is_first && busy_ == 0 && offered_.empty());
  });
  --waiting_;
  std::unique_ptr<Part> part;
  if (!offered_.empty() && !leaving_) {
    part = std::move(offered_.front());
    offered_.pop_front();
    ++busy_;
    in_work_.push_back(part.get());
  }
  wanted_ = waiting_ - std::min(waiting_, offered_.size());
  return part;
}

// The part is gone before anybody hears that it is done.
void Crew::work_on(Program& program, std::unique_ptr<Part> part, Round& round) {
  const bool through = finish(program, *part, round);
  {
    const std::lock_guard lock(mutex_);
    std::erase(in_work_, part.get());
    if (!through && keeps_left_parts()) left_parts_.push_back(std::move(part));
  }
  part.reset();
  {
    const std::lock_guard lock(mutex_);
    --busy_;
    left_ = left_ || !through;
  }
  changed_.notify_all();
}

// --- checkpoints

void Crew::rest_and_save() {
  if (!save_shared_ || !saves_ || checkpoints_.file.empty()) return;
  if (!resting_ && Clock::now() < next_save_) return;
  std::unique_lock lock(mutex_);
  if (!resting_ && Clock::now() < next_save_) return;
  resting_ = true;
  ++at_rest_;
  const uint64_t before = rests_;
  changed_.wait(lock, [&] { return rests_ != before || at_rest_ == busy_; });
  if (rests_ != before) return;
  std::vector<const Part*> parts = in_work_;
  for (const auto& part : offered_) parts.push_back(part.get());
  for (const auto& part : left_parts_) parts.push_back(part.get());
  if (const Result<void> saved = save(parts); !saved)
    session_.note({Note::CheckpointNotWritten, 0, {saved.error().message}});
  next_save_ = Clock::now() + as_duration(checkpoints_.interval_s);
  ++rests_;
  at_rest_ = 0;
  resting_ = false;
  lock.unlock();
  changed_.notify_all();
}

Result<void> Crew::save(const std::vector<const Part*>& parts) {
  if (!save_shared_ || checkpoints_.file.empty()) return {};
  if (is_spoilt_) return Error{"the search was stopped amid the analysis of an execution"};
  ByteWriter out;
  if (!session_.save(out)) return {};
  save_shared_(out);
  out.put(static_cast<uint64_t>(parts.size()));
  for (const Part* part : parts) part->save(out);
  const Result<void> written = write_checkpoint(
      {checkpoints_.identity, program_.save_names(), out.bytes()}, checkpoints_.file);
  if (!written) return written.error();
  return {};
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
