#include "program/live_program.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "base/check.h"
#include "base/clock.h"
#include "program/binary/instrumentation.h"
#include "program/binary/random_instructions.h"
#include "program/debugger.h"
#include "program/module_scans.h"
#include "program/plan_writer.h"
#include "program/segment_reader.h"
#include "protocol/batch.h"
#include "protocol/limit_mark.h"
#include "protocol/look.h"
#include "protocol/names.h"

namespace mazurka {
namespace {

constexpr char kTooLarge[] =
    "the plan does not fit into the shared segment (1048576 steps, 4096 blocks)";
constexpr char kDisagreed[] = "memory (an execution in place was not repeated by a new process)";

void send(Segment& segment, Command command) {
  uint32_t& word = segment.control.command;
  __atomic_store_n(&word, static_cast<uint32_t>(command), __ATOMIC_RELEASE);
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

bool is_limit(const Execution& execution) { return execution.text.rfind(kLimitMark, 0) == 0; }

std::string read_range(int fd, uint64_t begin, uint64_t end) {
  if (end <= begin) return {};
  std::string text(end - begin, '\0');
  const ssize_t length = pread(fd, text.data(), text.size(), static_cast<off_t>(begin));
  text.resize(length > 0 ? static_cast<size_t>(length) : 0);
  return text;
}

bool same_steps(const Execution& a, const Execution& b) {
  const auto same = [](const Transition& x, const Transition& y) {
    return x.choice == y.choice && x.op.kind == y.op.kind && x.op.object == y.op.object &&
           x.effect.error == y.effect.error && x.effect.value == y.effect.value;
  };
  return a.end == b.end && std::equal(a.transitions.begin(), a.transitions.end(),
                                      b.transitions.begin(), b.transitions.end(), same);
}

}  // namespace

Result<std::unique_ptr<LiveProgram>> LiveProgram::prepare(const LaunchOptions& options,
                                                          std::shared_ptr<Logbook> logbook) {
  Result<SharedSegment> segment = SharedSegment::create();
  if (!segment.ok()) return segment.error();
  const Result<int> output = new_memory_file("mazurka-output");
  if (!output.ok()) return output.error();
  return std::unique_ptr<LiveProgram>(
      new LiveProgram(options, std::move(*segment), output.value(), std::move(logbook)));
}

Result<std::unique_ptr<LiveProgram>> LiveProgram::launch(const LaunchOptions& options,
                                                         std::shared_ptr<Logbook> logbook,
                                                         std::shared_ptr<const Stop> stop) {
  Result<std::unique_ptr<LiveProgram>> program = prepare(options, std::move(logbook));
  if (!program.ok()) return program;
  (*program)->stop_ = std::move(stop);
  if (const Result<void> started = (*program)->start_server(); !started.ok())
    return started.error();
  return program;
}

Result<std::unique_ptr<LiveProgram>> LiveProgram::launch(const LaunchOptions& options,
                                                         std::shared_ptr<const Stop> stop) {
  return launch(options, std::make_shared<Logbook>(), std::move(stop));
}

Result<std::unique_ptr<LiveProgram>> LiveProgram::for_debugger(const LaunchOptions& options,
                                                               std::vector<std::string> arguments) {
  Result<std::unique_ptr<LiveProgram>> program = prepare(options, std::make_shared<Logbook>());
  if (program.ok()) (*program)->debugger_arguments_ = std::move(arguments);
  return program;
}

Result<std::unique_ptr<Program>> LiveProgram::another() {
  Result<std::unique_ptr<LiveProgram>> launched = launch(first_options_, logbook_, stop_);
  if (!launched.ok()) return launched.error();
  return std::unique_ptr<Program>(std::move(*launched));
}

void LiveProgram::stop_by(std::shared_ptr<const Stop> stop) {
  stop_ = std::move(stop);
  if (oracle_ != nullptr) oracle_->stop_by(stop_);
}

LiveProgram::LiveProgram(LaunchOptions options, SharedSegment segment, int output,
                         std::shared_ptr<Logbook> logbook)
    : first_options_(options),
      options_(std::move(options)),
      segment_(std::move(segment)),
      logbook_(std::move(logbook)),
      output_(output) {
  mazurka::intern_thread(segment_->names, kNoThread, 0);
}

LiveProgram::~LiveProgram() { close(output_); }

// Requires a fresh segment. Names that the launch itself makes may meet those that another instance
// makes.
Result<void> LiveProgram::start_server() {
  logbook_->give(*segment_, shared_);
  const uint64_t sites = learned_sites();
  options_.watches = logbook_->needs().watches;
  Result<Server> server = Server::start(options_, segment_, stop_.get());
  if (!server.ok()) return server.error();
  server_.emplace(std::move(*server));
  segment_->control.output_text = keep_text(*segment_, path_of_descriptor(output_));
  const bool wanted_in_place =
      options_.reset == Reset::InPlace && options_.carrier == Carrier::Fibers;
  if (wanted_in_place && !segment_->control.in_place) {
    logbook_->say_why_fork("so much memory (or this kernel does not tell what was written)");
    if (options_.only_this_reset) return no_other_reset();
  }
  if (!segment_->control.in_place) options_.reset = Reset::Fork;
  stale_ = false;
  sites_told_ = sites;
  segment_->control.loops_are_known = knows_loops_;
  return logbook_->take(*segment_, shared_) ? Result<void>() : relaunch();
}

// The ids of earlier executions mean the same in later ones.
Result<void> LiveProgram::relaunch() {
  server_->stop();
  Result<SharedSegment> fresh = SharedSegment::create();
  if (!fresh.ok()) return fresh.error();
  segment_.swap(*fresh);
  mazurka::intern_thread(segment_->names, kNoThread, 0);
  shared_ = {};
  return start_server();
}

Result<void> LiveProgram::restore_names(const std::string& names) {
  if (!logbook_->restore(names)) return Error{"the names of the checkpoint are damaged"};
  return relaunch();
}

// --- running

Result<void> LiveProgram::run(const Plan& plan, Execution& out) {
  if (!can_carry(plan)) return Error{kTooLarge};
  if (!server_) return run_debugged(plan, out);
  const Result<size_t> ran = run_in_place(&plan, 1, &out);
  return ran.ok() ? Result<void>() : ran.error();
}

// By the fork server always: whatever the looker does, the next execution has a process of its own.
Result<void> LiveProgram::look(Plan plan, Execution& out, const Looker& looker) {
  if (options_.reset == Reset::InPlace) {
    Result<LiveProgram*> other = oracle();
    return other.ok() ? (*other)->look(std::move(plan), out, looker) : Result<void>(other.error());
  }
  plan.show_output = true;
  looker_ = &looker;
  Result<void> ran = run(plan, out);
  looker_ = nullptr;
  return ran;
}

// What hangs or runs on for too long is the watchdog's, afterwards.
void LiveProgram::await_look(uint32_t done, double patience_s) {
  uint32_t& word = segment_->control.ready;
  const auto give_up = Clock::now() + as_duration(patience_s);
  const auto is_done = [&] {
    return __atomic_load_n(&segment_->control.done, __ATOMIC_ACQUIRE) != done;
  };
  while (__atomic_load_n(&word, __ATOMIC_ACQUIRE) != kStandsStill) {
    if (is_done() || Clock::now() > give_up) return;
    const timespec little{0, 50'000};
    nanosleep(&little, nullptr);
    answer_scan(*segment_);
  }
  if (is_intact(*segment_)) (*looker_)(StandingProgram(*segment_));
  __atomic_store_n(&word, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

Result<size_t> LiveProgram::run_some(const Plan* plans, size_t count, Execution* out) {
  if (!can_carry(plans[0])) return Error{kTooLarge};
  return run_in_place(plans, count, out);
}

// With what is known of memory by now.
size_t LiveProgram::write_plans(const Plan* plans, size_t count) {
  const std::vector<AnnotatedMemory>& annotated = *options_.annotated;
  MAZURKA_CHECK(annotated.size() <= kMaxAnnotated);
  std::copy(annotated.begin(), annotated.end(), segment_->annotated);
  segment_->annotated_count = static_cast<uint32_t>(annotated.size());
  const std::vector<AnnotatedCode>& code = *options_.annotated_code;
  MAZURKA_CHECK(code.size() <= kMaxAnnotatedCode);
  std::copy(code.begin(), code.end(), segment_->annotated_code);
  segment_->annotated_code_count = static_cast<uint32_t>(code.size());
  const std::vector<OlderCode>& older = *options_.older_code;
  segment_->older_code_count = static_cast<uint32_t>(std::min<size_t>(older.size(), kMaxOlderCode));
  std::copy_n(older.begin(), segment_->older_code_count, segment_->older_code);
  return write_batch(plans, count, *segment_);
}

void LiveProgram::share(uint64_t address) {
  std::vector<AnnotatedMemory>& annotated = *options_.annotated;
  const auto at = std::find_if(annotated.begin(), annotated.end(),
                               [&](const AnnotatedMemory& memory) { return address < memory.end; });
  if (at != annotated.end() && address >= at->begin) {
    at->sharing = Sharing::Shared;
    return;
  }
  std::vector<AnnotatedCode>& code = *options_.annotated_code;
  for (const AnnotatedCode& there : std::vector(code)) {
    if (there.entry != address) continue;
    for (AnnotatedCode& piece : code) {
      if (piece.name != there.name) continue;
      if (piece.allocates == Sharing::Tentative) piece.allocates = Sharing::Shared;
      if (piece.starts == Sharing::Tentative) piece.starts = Sharing::Shared;
    }
  }
}

Result<void> LiveProgram::run_debugged(const Plan& plan, Execution& out) {
  write_plans(&plan, 1);
  if (Result<void> debugged = run_debugger(options_, segment_, debugger_arguments_); !debugged.ok())
    return debugged;
  if (is_intact(*segment_)) keep_log(*segment_);
  if (!read_execution(*segment_, 0, out)) out.end = End::SegmentDamaged;
  return {};
}

// Or by the fork server, where this program needs it. Every finding is confirmed there (with
// Plan::stacks). And now and then the same plan in a new process must give the same execution:
// otherwise something survives the reset.
Result<size_t> LiveProgram::run_in_place(const Plan* plans, size_t count, Execution* out) {
  if (options_.reset == Reset::InPlace && !logbook_->why_fork().empty()) {
    if (const Result<void> forked = fall_back_to_fork(); !forked.ok()) return forked.error();
  }
  if (options_.reset != Reset::InPlace) return run_here(plans, count, out);
  if (plans[0].stacks || plans[0].show_output) {
    const Result<void> ran = run_on_oracle(plans[0], out[0]);
    return ran.ok() ? Result<size_t>(1) : ran.error();
  }
  Result<size_t> ran = run_here(plans, count, out);
  if (!ran.ok()) return ran;
  if (segment_->log.ending == Ending::NeedsFork) {
    const std::string why = segment_text(*segment_, segment_->log.text);
    logbook_->say_why_fork(why.empty() ? "something that it does to the system" : why);
    const size_t last = *ran - 1;
    return last > 0 ? Result<size_t>(last) : run_in_place(plans, count, out);
  }
  for (size_t i = 0; i < *ran; ++i) {
    ++executions_;
    const bool power_of_two = (executions_ & (executions_ - 1)) == 0;
    // One that took seconds is a finding, and is confirmed there in any case.
    const bool is_slow = out[i].end == End::Divergence || out[i].end == End::Hung;
    if (!power_of_two || is_slow || out[i].end == End::Stopped) continue;
    const Result<bool> agrees = agrees_with_oracle(plans[i], out[i]);
    if (!agrees.ok()) return agrees.error();
    if (*agrees) continue;
    logbook_->say_why_fork(kDisagreed);
    return i > 0 ? Result<size_t>(i) : run_in_place(plans, count, out);
  }
  return ran;
}

Result<bool> LiveProgram::agrees_with_oracle(const Plan& plan, const Execution& execution) {
  Execution again;
  if (const Result<void> ran = run_on_oracle(plan, again); !ran.ok()) return ran.error();
  // The machine's trouble is no memory that the reset in place forgot.
  if (again.end == End::Trouble && execution.end != End::Trouble) return Error{again.text};
  if (again.end == End::Stopped) return true;  // nobody knows
  return same_steps(execution, again);
}

Error LiveProgram::no_other_reset() const {
  return Error{"a reset in place cannot undo what this program does: " + logbook_->why_fork() +
               "; --reset=auto or --reset=fork can"};
}

Result<void> LiveProgram::fall_back_to_fork() {
  if (options_.only_this_reset) return no_other_reset();
  options_.reset = Reset::Fork;
  oracle_.reset();
  return relaunch();
}

Result<void> LiveProgram::run_on_oracle(const Plan& plan, Execution& out) {
  Result<LiveProgram*> other = oracle();
  if (!other.ok() && is_stopped()) {
    out.end = End::Stopped;
    return {};
  }
  return other.ok() ? (*other)->run(plan, out) : Result<void>(other.error());
}

Result<LiveProgram*> LiveProgram::oracle() {
  if (oracle_ == nullptr) {
    LaunchOptions options = options_;
    options.reset = Reset::Fork;
    Result<std::unique_ptr<LiveProgram>> launched = launch(options, logbook_, stop_);
    if (!launched.ok()) return launched.error();
    oracle_ = std::move(*launched);
  }
  return oracle_.get();
}

// Whether the last execution ended because it was not given all that it needs. Another worker may
// have learned that meanwhile.
bool LiveProgram::learn_need(Needs given) {
  const Ending ending = segment_->log.ending;
  if (ending != Ending::NeedsFiles && ending != Ending::NeedsStreamLocks &&
      ending != Ending::NeedsWatches)
    return false;
  Needs needs = logbook_->needs();
  if (ending == Ending::NeedsWatches) needs.watches = true;
  if (ending == Ending::NeedsStreamLocks) needs.stream_locks = true;
  const auto next = static_cast<PrivateFiles>(static_cast<uint8_t>(given.files) + 1);
  if (ending == Ending::NeedsFiles && needs.files < next) needs.files = next;
  logbook_->set_needs(needs);
  return true;
}

// As learn_need. All instances must know of them.
bool LiveProgram::learn_accesses_of_batch() {
  std::vector<uint64_t> in_vain;
  if (!learn_accesses(*segment_, in_vain)) return false;
  for (const uint64_t pc : in_vain) logbook_->name_call(kUnseenAccess, pc);
  return true;
}

// Until its names are those of all others. A server that is lost for the first time may have been
// killed from outside: so its plan is run again, alone. So is one whose log found too little room
// behind the others'.
Result<size_t> LiveProgram::run_here(const Plan* plans, size_t count, Execution* out) {
  const auto stopped = [out] {
    out->end = End::Stopped;
    return Result<size_t>(1);
  };
  for (bool was_lost = false;;) {
    const bool is_watched = options_.watches;
    if (stale_ || !server_->alive() || sites_told_ != learned_sites() ||
        logbook_->needs().watches != is_watched) {
      if (is_stopped()) return stopped();
      const Result<void> launched = relaunch();
      if (!launched.ok() && is_stopped()) return stopped();
      if (!launched.ok()) return launched.error();
    }
    logbook_->give(*segment_, shared_);
    segment_->control.verifies_each = verifies_each_;
    const Needs given = logbook_->needs();
    segment_->control.private_files = static_cast<uint8_t>(given.files);
    segment_->control.stream_locks = given.stream_locks;
    const size_t ran = run_batch(plans, count, out);
    if (ran == 0) {
      count = 1;
      continue;
    }
    if (is_intact(*segment_) && learn_need(given)) {
      if (ran > 1) return ran - 1;
      continue;
    }
    if (is_intact(*segment_) && segment_->log.ending == Ending::NeedsLoop) {
      // All instances must know of it, and what was run before did not.
      if (!learn_loop(*segment_)) knows_loops_ = true;
      stale_ = true;
      if (ran > 1) return ran - 1;
      continue;
    }
    if (is_intact(*segment_) && learn_accesses_of_batch()) {
      stale_ = true;
      if (ran > 1) return ran - 1;
      continue;
    }
    const End end = out[ran - 1].end;
    if (end == End::Trouble && ran == 1 && is_limit(out[0])) return run_up_to_limit(plans[0], *out);
    if (end == End::Stopped) return ran;  // killed while it may have been writing names
    const bool is_lost = stale_ && end == End::Lost;
    const bool counts = !(is_lost && !was_lost) && !(end == End::Trouble && ran > 1);
    if (counts && (end == End::SegmentDamaged || logbook_->take(*segment_, shared_))) return ran;
    if (ran > 1) return ran - 1;  // only the last one has new names, or came to an unusual end
    was_lost = was_lost || is_lost;
  }
}

// Once more, cut before the step that reached it: so that all that it made is whole. Where that was
// the first one, nothing is.
Result<size_t> LiveProgram::run_up_to_limit(const Plan& plan, Execution& out) {
  const std::string limit = out.text.substr(sizeof kLimitMark - 1);
  const size_t made = out.transitions.size();
  if (made > 1 && made - 1 < plan.limits.depth) {
    Plan shorter = plan;
    shorter.limits.depth = static_cast<uint32_t>(made - 1);
    if (Result<size_t> ran = run_here(&shorter, 1, &out); !ran.ok()) return ran;
    if (out.end != End::DepthReached) return 1;
  } else {
    out = Execution();
    out.end = End::DepthReached;
  }
  out.text = limit;
  return 1;
}

// How many were run. 0: one of them has damaged the segment, and it is not known which.
size_t LiveProgram::run_batch(const Plan* plans, size_t count, Execution* out) {
  const bool alone = plans[0].stacks || plans[0].show_output;
  const size_t written = write_plans(plans, alone ? 1 : count);
  if (plans[0].show_output && ftruncate(output_, 0) != 0) segment_->plans[0].show_output = false;
  const uint32_t done = __atomic_load_n(&segment_->control.done, __ATOMIC_ACQUIRE);
  if (looker_ != nullptr) segment_->plans[0].show_output = kShowsAndStands;
  send(*segment_, Command::Run);
  if (looker_ != nullptr) await_look(done, plans[0].limits.divergence_s);
  const Watched watched =
      await_execution(*segment_, *server_, done, plans[0].limits.divergence_s, stop_.get());
  if (segment_->control.atomics_happened) logbook_->note_locked_instructions();
  stale_ = !is_intact(*segment_) || watched == Watched::ServerLost || !server_->alive();
  // Where memory may not have been reset, and nobody is there to ask any more, only the first one
  // is sure.
  if (is_intact(*segment_) && segment_->batch.is_unverified) {
    forget_all_but_first(*segment_, shared_.threads, shared_.objects);
    verifies_each_ = true;
  }
  size_t run = std::min<size_t>(segment_->batch.run_count, written);
  const bool broke_off = run == 0;
  if (broke_off && is_intact(*segment_)) keep_log(*segment_);
  run = std::max<size_t>(run, 1);
  for (size_t i = 0; i < run; ++i) {
    if (read_execution(*segment_, static_cast<uint32_t>(i), out[i])) continue;
    if (watched == Watched::Stopped) {
      out[i].end = End::Stopped;
      return i + 1;
    }
    stale_ = true;
    if (written > 1) return 0;
    out[i].end = End::SegmentDamaged;
    return 1;
  }
  const bool has_ended = !broke_off && segment_->logs[run - 1].ending != Ending::None;
  if (!has_ended) say_how_it_broke_off(watched, out[run - 1]);
  if (plans[0].show_output) read_output(out[0]);
  return run;
}

void LiveProgram::say_how_it_broke_off(Watched watched, Execution& out) const {
  out.culprit = segment_->control.running;
  switch (watched) {
    case Watched::Divergence:
      out.end = End::Divergence;
      return;
    case Watched::Hung:
      out.end = End::Hung;
      return;
    case Watched::Stopped:
      out.end = End::Stopped;
      return;
    case Watched::ServerLost:
      out.end = End::Lost;
      out.text = "the process that starts the executions was killed";
      return;
    case Watched::Ended:
      out.end = End::Lost;
      out.wait_status = segment_->control.lost_status;
      return;
  }
}

// Each transition's share of what the program wrote: up to where the next one was chosen.
void LiveProgram::read_output(Execution& out) const {
  const off_t size = lseek(output_, 0, SEEK_END);
  const uint64_t end = size > 0 ? static_cast<uint64_t>(size) : 0;
  const size_t count = out.transitions.size();
  const auto begin_of = [&](size_t i) {
    return i < count ? segment_->steps[i].output_before : end;
  };
  out.output_before = read_range(output_, 0, std::min(begin_of(0), end));
  for (size_t i = 0; i < count; ++i) {
    out.transitions[i].has_no_more = false;
    out.transitions[i].output = read_range(output_, begin_of(i), std::min(begin_of(i + 1), end));
  }
}

// --- names

std::vector<uint32_t> LiveProgram::thread_path(ThreadId id) const {
  return logbook_->thread_path(id);
}

std::string LiveProgram::thread_name(ThreadId id) const {
  return mazurka::thread_name(logbook_->thread_path(id));
}

Result<ThreadId> LiveProgram::intern_thread(const std::vector<uint32_t>& path) {
  for (;;) {
    logbook_->give(*segment_, shared_);
    ThreadId id = kMainThread;
    for (const uint32_t ordinal : path) {
      id = mazurka::intern_thread(segment_->names, id, ordinal);
      if (id == kNoThread) return Error{"too many threads: more than 1024 in one search"};
    }
    if (logbook_->take(*segment_, shared_)) return id;
  }
}

std::string LiveProgram::object_name(ObjectId id) const { return logbook_->object_name(id); }

std::string LiveProgram::memory_name(const ObjectPlace& place, uint64_t address) const {
  return logbook_->memory_name(place, address);
}

std::vector<SeenAccess> LiveProgram::seen_accesses() const { return mazurka::seen_accesses(); }

void LiveProgram::see_accesses(const std::vector<SeenAccess>& accesses) {
  mazurka::see_accesses(accesses);
}

uint64_t LiveProgram::learned() const { return learned_sites(); }

bool LiveProgram::instrumented() const { return segment_->control.memory_is_seen != 0; }

std::string LiveProgram::blind_modules() const {
  return instrumented() ? uninstrumented(modules()) : std::string();
}

Remarks<Assumption> LiveProgram::assumptions() const {
  if (!instrumented()) return {};
  Remarks<Assumption> assumed;
  const std::string blind = blind_modules();
  if (!blind.empty())
    assumed.push_back({Assumption::BlindModules, sees_locked_instructions() ? 0u : 1u, {blind}});
  if (segment_->control.weak_orders != 0) assumed.push_back({Assumption::WeakOrders});
  return assumed;
}

std::optional<uint64_t> LiveProgram::object_address(ObjectId id) const {
  return logbook_->object_address(id);
}

std::optional<ObjectMemory> LiveProgram::object_memory(ObjectId id) const {
  return logbook_->object_memory(id);
}

std::vector<LoadedModule> LiveProgram::modules() const { return logbook_->modules(); }

std::vector<UnmodelledCall> LiveProgram::unmodelled() const {
  std::vector<UnmodelledCall> calls = logbook_->unmodelled();
  for (UnmodelledCall& call : random_instructions(modules())) calls.push_back(std::move(call));
  if (logbook_->why_fork() == kDisagreed) {
    calls.push_back(
        {"what the program keeps from one execution to the next (use --reset=fork)", 0, 1, true});
  }
  return calls;
}

Remarks<Note> LiveProgram::notes() const {
  Remarks<Note> notes;
  const std::string why = logbook_->why_fork();
  if (!why.empty()) notes.push_back({Note::ForkServer, 0, {why}});
  if (logbook_->unasked() != 0) notes.push_back({Note::OptionsOff, logbook_->unasked()});
  return notes;
}

}  // namespace mazurka
