#include "explore/engine/session.h"

#include <algorithm>
#include <cmath>

#include "explore/trace/compose.h"

namespace mazurka {
namespace {

constexpr double kProgressIntervalSeconds = 0.2;
// What is left is little, whatever it turns out to be.
constexpr double kSureOfDone = 0.98;

uint64_t executions_of(const Counts& counts) {
  return counts.executions + counts.sampled_executions;
}

}  // namespace

Session::Session(Program& program, const SearchOptions& options)
    : program_(program),
      options_(options),
      needs_(program.needs()),
      learned_(program.learned()),
      findings_(program, options.limits, options.tester, options.is_suppressed, options.race_key),
      start_(Clock::now()) {}

void Session::take_back(const Execution& execution, size_t known) {
  const std::lock_guard lock(mutex_);
  const size_t length = execution.transitions.size();
  --(execution.end == End::Blocked ? counts_.blocked_executions : counts_.executions);
  counts_.steps -= length;
  if (length > known) counts_.transitions -= length - known;
  must_stop();
}

bool Session::may_go_on() {
  const std::lock_guard lock(mutex_);
  return !must_stop();
}

bool Session::must_stop() {
  if (trouble_ || stopped_) return true;
  // The order is that of what is said where several hold.
  // NOLINTBEGIN(bugprone-branch-clone)
  if (is_overtaken()) {
    stopped_ = {WhyIncomplete::StartsAnew};
  } else if (!options_.keep_going && findings_.size() > 0) {
    stopped_ = {WhyIncomplete::FirstFinding};
  } else if (options_.interrupted != nullptr && *options_.interrupted != 0) {
    stopped_ = {WhyIncomplete::Interrupted};
  } else if (options_.stops_at_depth && was_cut_at_depth_) {
    stopped_ = {WhyIncomplete::StartsAnew};
  } else if (options_.max_executions > 0 && executions_of(counts_) >= options_.max_executions) {
    stopped_ = {WhyIncomplete::MaxExecutions, options_.max_executions};
  } else if (options_.timeout_s > 0 && seconds() >= options_.timeout_s) {
    stopped_ = {WhyIncomplete::Timeout};
  } else if (options_.is_stale != nullptr && *options_.is_stale) {
    stopped_ = {WhyIncomplete::StartsAnew};
  }
  // NOLINTEND(bugprone-branch-clone)
  return stopped_.has_value();
}

namespace {

// Code whose plain accesses are not seen may tell threads what others did: then operations that
// seem independent are not, and a thread comes to another one than it did after them in another
// order. The schedule decides that, each time alike; chance does not.
bool is_unseen_load(Program& program, const Plan& plan, const Execution& execution) {
  constexpr int kMoreRuns = 3;
  if (execution.end != End::Nondeterminism || !program.has_locked_instructions() ||
      program.instrumented())
    return false;
  for (int i = 0; i < kMoreRuns; ++i) {
    Execution again;
    if (!program.run(plan, again)) return false;
    if (again.end == End::Stopped) return true;
    const bool is_same = again.end == End::Nondeterminism && again.position == execution.position &&
                         again.got.kind == execution.got.kind &&
                         again.got.object == execution.got.object;
    if (!is_same) return false;
  }
  return true;
}

}  // namespace

bool Session::add(Program& program, const Plan& plan, size_t known, Execution& out, bool beside) {
  if (is_overtaken()) return false;
  if (out.end == End::Trouble) {
    fail(Error{out.text});
    return false;
  }
  if (out.end == End::Nondeterminism && out.culprit == kNoThread &&
      out.position < plan.prefix.size()) {
    out.culprit = plan.prefix[out.position].choice.thread;
  }
  add_waits_for_moves(out);
  if (options_.rule != nullptr && options_.rule->composed) compose(out);
  const bool is_unseen = is_unseen_load(program, plan, out);
  const std::lock_guard lock(mutex_);
  if (out.end == End::Stopped) {
    must_stop();
    return false;
  }
  admitted_ -= std::min<uint64_t>(admitted_, 1);
  if (beside) {
    ++counts_.sampled_executions;
  } else {
    count(out, known);
  }
  // The search itself comes to a bound that a sample comes to.
  if (!beside || (out.end != End::Bounded && out.end != End::DepthReached)) note_end(out);
  if (options_.on_execution) options_.on_execution(out);
  if (is_unseen) {
    cut_.insert({WhyIncomplete::CodeNotSeen, 0, {"plain loads that decide what a thread does"}});
    return true;
  }
  if (Result<void> added = findings_.add(program, plan, out, beside); !added)
    trouble_ = added.error();
  if (!findings_.has_seen_all()) cut_.insert({WhyIncomplete::TesterNotAsked});
  return !trouble_.has_value();
}

size_t Session::admit(size_t wanted) {
  if (options_.max_executions == 0) return wanted;
  const std::lock_guard lock(mutex_);
  const uint64_t taken = executions_of(counts_) + admitted_;
  const uint64_t left = options_.max_executions - std::min(options_.max_executions, taken);
  const size_t admitted = std::min<uint64_t>(wanted, left);
  admitted_ += admitted;
  return admitted;
}

void Session::give_back(size_t count) {
  if (options_.max_executions == 0) return;
  const std::lock_guard lock(mutex_);
  admitted_ -= std::min<uint64_t>(admitted_, count);
}

uint64_t Session::executions() {
  const std::lock_guard lock(mutex_);
  return counts_.executions;
}

uint64_t Session::all_executions() {
  const std::lock_guard lock(mutex_);
  return executions_of(counts_);
}

uint64_t Session::executions_left() {
  const std::lock_guard lock(mutex_);
  if (options_.max_executions == 0) return UINT64_MAX;
  return options_.max_executions - std::min(options_.max_executions, executions_of(counts_));
}

void Session::fail(Error why) {
  const std::lock_guard lock(mutex_);
  if (!trouble_) trouble_ = std::move(why);
}

bool Session::has_failed() {
  const std::lock_guard lock(mutex_);
  return trouble_.has_value();
}

void Session::leave_out(const Remark<WhyIncomplete>& why) {
  const std::lock_guard lock(mutex_);
  cut_.insert(why);
}

bool Session::has_left_out() {
  const std::lock_guard lock(mutex_);
  return !cut_.empty() || trouble_;
}

void Session::note_bound(const Remark<WhyIncomplete>& why) {
  const std::lock_guard lock(mutex_);
  bounds_reached_.insert(why);
}

void Session::lose(Error why) {
  const std::lock_guard lock(mutex_);
  lost_ = std::move(why);
}

void Session::note(const Remark<Note>& remark) {
  const std::lock_guard lock(mutex_);
  notes_.insert(remark);
}

namespace {

template <typename Kind>
void put_remarks(const std::set<Remark<Kind>>& remarks, ByteWriter& out) {
  out.put(static_cast<uint64_t>(remarks.size()));
  for (const Remark<Kind>& remark : remarks) {
    out.put(remark.kind);
    out.put(remark.number);
    out.put(static_cast<uint64_t>(remark.names.size()));
    for (const std::string& name : remark.names) out.put_text(name);
  }
}

template <typename Kind>
void get_remarks(ByteReader& in, std::set<Remark<Kind>>& remarks) {
  for (uint64_t i = in.get_count(sizeof(Kind) + 2 * sizeof(uint64_t)); i > 0; --i) {
    Remark<Kind> remark{in.get<Kind>(), in.get<uint64_t>()};
    for (uint64_t j = in.get_count(sizeof(uint64_t)); j > 0; --j)
      remark.names.push_back(in.get_text());
    remarks.insert(std::move(remark));
  }
}

}  // namespace

bool Session::save(ByteWriter& out) {
  const std::lock_guard lock(mutex_);
  out.put(counts_);
  out.put(seconds());
  out.put(done());
  put_remarks(bounds_reached_, out);
  put_remarks(cut_, out);
  put_remarks(notes_, out);
  if (findings_.save(out)) return true;
  notes_.insert({Note::NothingSaved});
  return false;
}

void Session::restore(ByteReader& in) {
  counts_ = in.get<Counts>();
  start_ -= as_duration(in.get<double>());
  if (options_.stop != nullptr && options_.timeout_s > 0)
    options_.stop->end_after(start_, options_.timeout_s);
  done_ = in.get<double>();
  get_remarks(in, bounds_reached_);
  get_remarks(in, cut_);
  get_remarks(in, notes_);
  if (Result<void> restored = findings_.restore(program_, in); !restored) fail(restored.error());
}

void Session::begin_round() {
  const std::lock_guard lock(mutex_);
  done_ = 0;
  ++round_;
}

void Session::start_again() {
  counts_.executions = 0;
  counts_.blocked_executions = 0;
  counts_.transitions = 0;
  done_ = 0;
  ++round_;
}

void Session::count(const Execution& execution, size_t known) {
  const size_t length = execution.transitions.size();
  ++(execution.end == End::Blocked ? counts_.blocked_executions : counts_.executions);
  counts_.steps += length;
  if (length > known) counts_.transitions += length - known;
  counts_.max_depth = std::max(counts_.max_depth, static_cast<uint32_t>(length));
}

namespace {

bool has_reduction(const SearchOptions& options) {
  return options.search != "none" && options.search != "preemptions";
}

}  // namespace

// What was not followed to its end costs the verdict something, whether or not it is a finding,
// too.
void Session::note_end(const Execution& execution) {
  const Limits& limits = options_.limits;
  switch (execution.end) {
    case End::Finished:
    case End::Deadlock:
    case End::Divergence:
    case End::Blocked:  // what it would go on with is explored elsewhere
    case End::Trouble:
    case End::Stopped:
      return;
    case End::Bounded:
      bounds_reached_.insert({WhyIncomplete::Bound, limits.bound});
      return;
    case End::DepthReached:
      if (!execution.text.empty()) {
        cut_.insert({WhyIncomplete::LimitReached, 0, {execution.text}});
        return;
      }
      bounds_reached_.insert(
          {has_reduction(options_) ? WhyIncomplete::DepthUnderReduction : WhyIncomplete::Depth,
           limits.depth});
      was_cut_at_depth_ = true;
      return;
    case End::Livelock:
      bounds_reached_.insert({WhyIncomplete::Livelock});
      return;
    case End::Nondeterminism:
      cut_.insert({WhyIncomplete::NotReplayed});
      return;
    case End::Hung:
      cut_.insert({WhyIncomplete::CutInCall});
      return;
    case End::Lost:
      cut_.insert({WhyIncomplete::ProcessLost});
      return;
    case End::SegmentDamaged:
      cut_.insert({WhyIncomplete::SegmentOverwritten});
      return;
  }
}

void Session::show_progress(size_t depth) {
  if (!options_.progress) return;
  const std::lock_guard lock(mutex_);
  const double now = seconds();
  if (now < next_progress_s_) return;
  next_progress_s_ = now + kProgressIntervalSeconds;
  double done = done_;
  std::optional<TreeSize> size = size_;
  // By what is known of the tree alone: a child that was just found may be most of it.
  if (size && done < kSureOfDone) {
    const double executed =
        std::log(static_cast<double>(std::max<uint64_t>(counts_.executions, 1)));
    size->log_low = std::max(size->log_low, executed);
    size->log_mean = std::max(size->log_mean, executed);
    size->log_high = std::max(size->log_high, executed);
    done = std::min(std::exp(executed - size->log_mean), kSureOfDone);
  } else if (expects_size_ && done < kSureOfDone) {
    done = -1;
  }
  options_.progress({counts_, static_cast<uint32_t>(depth), findings_.size(), now,
                     done > 0 ? done : -1, done_of_, round_, size});
}

void Session::know_size(const TreeSize& size) {
  const std::lock_guard lock(mutex_);
  size_ = size;
}

double Session::seconds() const { return seconds_since(start_); }

Verdict Session::finish(bool exhausted) {
  Verdict verdict;
  if (!trouble_) {
    if (Result<void> settled = findings_.settle(program_); !settled) trouble_ = settled.error();
    if (const size_t count = findings_.not_replayed(); count > 0)
      notes_.insert({Note::NotReplayed, count});
  }
  verdict.search = options_.search;
  verdict.counts = counts_;
  verdict.seconds = seconds();
  verdict.done = done() > 0 ? done() : -1;
  verdict.findings = findings_.take();
  verdict.unmodelled = program_.unmodelled();
  verdict.notes = program_.notes();
  verdict.notes.insert(verdict.notes.end(), notes_.begin(), notes_.end());
  std::vector<std::string> never_made = findings_.events_never_made();
  const bool has_seen_every_execution = options_.checkpoints.resume.empty();
  if (!never_made.empty() && has_seen_every_execution)
    verdict.notes.push_back({Note::EventsNeverMade, 0, std::move(never_made)});
  verdict.trouble = trouble_ ? trouble_ : lost_;
  verdict.memory_is_seen = program_.instrumented();
  verdict.has_locked_instructions = program_.has_locked_instructions();
  verdict.assumptions = program_.assumptions();
  if (const size_t count = findings_.suppressed(); count > 0)
    verdict.assumptions.push_back({Assumption::SuppressedRaces, count});
  if (!verdict.memory_is_seen) {
    verdict.assumptions.push_back({program_.sees_locked_instructions()
                                       ? Assumption::PlainCodeNotSeen
                                       : Assumption::MemoryNotSeen});
  }

  for (const UnmodelledCall& call : verdict.unmodelled) {
    if (!call.costs_complete) continue;
    const WhyIncomplete why = is_loop(call)          ? WhyIncomplete::LoopNotUnderstood
                              : is_unseen_code(call) ? WhyIncomplete::CodeNotSeen
                                                     : WhyIncomplete::NoModel;
    cut_.insert({why, 0, {call.name}});
  }
  if (!exhausted && stopped_) cut_.insert(*stopped_);
  if (trouble_) cut_.insert({WhyIncomplete::Trouble, 0, {trouble_->message}});

  if (!bounds_reached_.empty()) verdict.guarantee = Guarantee::Bounded;
  if (!cut_.empty()) verdict.guarantee = Guarantee::Sampled;
  Remarks<WhyIncomplete>& why = verdict.why_incomplete;
  why.assign(cut_.begin(), cut_.end());
  why.insert(why.end(), bounds_reached_.begin(), bounds_reached_.end());
  return verdict;
}

}  // namespace mazurka
