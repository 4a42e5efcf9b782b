#include "program/live_program.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "protocol/names.h"
#include "program/debugger.h"
#include "program/segment_reader.h"
#include "program/watchdog.h"

namespace mazurka {
namespace {

std::string hexadecimal(uint64_t number) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%lx", number);
  return text;
}

void send(Segment& segment, Command command) {
  uint32_t& word = segment.control.command;
  __atomic_store_n(&word, static_cast<uint32_t>(command), __ATOMIC_RELEASE);
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

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
  return a.end == b.end && std::equal(a.transitions.begin(), a.transitions.end(), b.transitions.begin(),
                                      b.transitions.end(), same);
}

}  // namespace

Result<std::unique_ptr<LiveProgram>> LiveProgram::prepare(const LaunchOptions& options) {
  Result<SharedSegment> segment = SharedSegment::create();
  if (!segment.ok()) return segment.error();
  const Result<int> output = new_memory_file("mazurka-output");
  if (!output.ok()) return output.error();
  mazurka::intern_thread((*segment)->names, kNoThread, 0);
  return std::unique_ptr<LiveProgram>(
      new LiveProgram(options, std::move(*segment), std::nullopt, output.value()));
}

Result<std::unique_ptr<LiveProgram>> LiveProgram::launch(const LaunchOptions& options) {
  Result<std::unique_ptr<LiveProgram>> program = prepare(options);
  if (!program.ok()) return program;
  if (const Result<void> started = (*program)->start_server(); !started.ok()) return started.error();
  return program;
}

Result<std::unique_ptr<LiveProgram>> LiveProgram::for_debugger(const LaunchOptions& options,
                                                               std::vector<std::string> arguments) {
  Result<std::unique_ptr<LiveProgram>> program = prepare(options);
  if (program.ok()) (*program)->debugger_arguments_ = std::move(arguments);
  return program;
}

Result<void> LiveProgram::start_server() {
  Result<Server> server = Server::start(options_, segment_);
  if (!server.ok()) return server.error();
  server_.emplace(std::move(*server));
  segment_->control.output_text = keep_text(*segment_, path_of_descriptor(output_));
  if (!segment_->control.in_place) options_.reset = Reset::Fork;
  names_.update(*segment_);
  stale_ = false;
  return {};
}

LiveProgram::LiveProgram(LaunchOptions options, SharedSegment segment, std::optional<Server> server, int output)
    : options_(std::move(options)), segment_(std::move(segment)), server_(std::move(server)), output_(output) {}

LiveProgram::~LiveProgram() { close(output_); }

void LiveProgram::write_plan(const Plan& plan) {
  PlanHeader& header = segment_->plan;
  header.prefix_length = static_cast<uint32_t>(plan.prefix.size());
  header.depth = plan.limits.depth;
  header.bound = plan.limits.bound;
  header.livelock = plan.limits.livelock;
  header.stacks = plan.stacks;
  header.show_output = plan.show_output;
  std::memcpy(segment_->prefix, plan.prefix.data(), plan.prefix.size() * sizeof(PlannedStep));
  write_free_run(plan, segment_->free_run);
  if (plan.show_output && ftruncate(output_, 0) != 0) header.show_output = false;
}

// Names stay: the ids of earlier executions must mean the same in later ones.
Result<void> LiveProgram::relaunch() {
  server_->stop();
  Result<SharedSegment> fresh = SharedSegment::create();
  if (!fresh.ok()) return fresh.error();
  names_.restore(**fresh);
  segment_.swap(*fresh);
  return start_server();
}

Result<void> LiveProgram::run(const Plan& plan, Execution& out) {
  const bool in_place = options_.reset == Reset::InPlace;
  if (in_place && (plan.stacks || plan.show_output)) return run_on_oracle(plan, out);
  if (const Result<void> ran = run_here(plan, out); !ran.ok()) return ran;
  if (!in_place) return {};
  if (segment_->log.ending == Ending::NeedsFork) {
    const std::string why = segment_text(*segment_, segment_->log.text);
    if (const Result<void> forked = fall_back_to_fork(why); !forked.ok()) return forked;
    return run_here(plan, out);
  }
  ++executions_;
  const bool power_of_two = (executions_ & (executions_ - 1)) == 0;
  return power_of_two ? compare_with_oracle(plan, out) : Result<void>();
}

// Now and then, the same plan in a new process must give the same execution: otherwise something survives the reset.
Result<void> LiveProgram::compare_with_oracle(const Plan& plan, Execution& out) {
  Execution again;
  if (const Result<void> ran = run_on_oracle(plan, again); !ran.ok()) return ran;
  if (same_steps(out, again)) return {};
  disagreed_ = true;
  if (const Result<void> forked = fall_back_to_fork("memory (an execution in place was not repeated by a new process)");
      !forked.ok()) {
    return forked;
  }
  return run_here(plan, out);
}

Result<void> LiveProgram::fall_back_to_fork(const std::string& why) {
  why_fork_ = why.empty() ? "something that it does to the system" : why;
  if (options_.only_this_reset) {
    return Error{"a reset in place cannot undo what this program does: " + why_fork_ + "; --reset=auto or --reset=fork can"};
  }
  options_.reset = Reset::Fork;
  oracle_.reset();
  return relaunch();
}

// The names of both are the same before and after, so that ids mean the same to both.
Result<void> LiveProgram::run_on_oracle(const Plan& plan, Execution& out) {
  Result<LiveProgram*> other = oracle();
  if (!other.ok()) return other.error();
  names_.restore(*(*other)->segment_);
  (*other)->names_ = names_;
  const Result<void> ran = (*other)->run(plan, out);
  names_ = (*other)->names_;
  names_.restore(*segment_);
  return ran;
}

Result<LiveProgram*> LiveProgram::oracle() {
  if (oracle_ == nullptr) {
    LaunchOptions options = options_;
    options.reset = Reset::Fork;
    Result<std::unique_ptr<LiveProgram>> launched = prepare(options);
    if (!launched.ok()) return launched.error();
    names_.restore(*(*launched)->segment_);
    if (const Result<void> started = (*launched)->start_server(); !started.ok()) return started.error();
    oracle_ = std::move(*launched);
  }
  return oracle_.get();
}

std::vector<std::string> LiveProgram::notes() const {
  if (why_fork_.empty()) return {};
  return {"each execution is a new process, because a reset in place cannot undo: " + why_fork_};
}

Result<void> LiveProgram::run_here(const Plan& plan, Execution& out) {
  if (!can_carry(plan)) return Error{"the plan does not fit into the shared segment (1048576 steps, 4096 blocks)"};
  if (!server_) {
    write_plan(plan);
    if (const Result<void> debugged = run_debugger(options_, segment_, debugger_arguments_); !debugged.ok()) return debugged;
    if (!read_execution(*segment_, out)) out.end = End::SegmentDamaged;
    return {};
  }
  if (stale_ || !server_->alive()) {
    if (const Result<void> launched = relaunch(); !launched.ok()) return launched.error();
  }
  write_plan(plan);
  const uint32_t done = __atomic_load_n(&segment_->control.done, __ATOMIC_ACQUIRE);
  send(*segment_, Command::Run);
  const Watched watched = await_execution(*segment_, *server_, done, plan.limits.divergence_s);
  const bool readable = read_execution(*segment_, out);
  stale_ = !readable || watched == Watched::ServerLost || !server_->alive();
  if (readable) names_.update(*segment_);
  if (!readable) {
    out.end = End::SegmentDamaged;
  } else if (watched == Watched::Divergence || watched == Watched::Hung) {
    out.end = watched == Watched::Hung ? End::Hung : End::Divergence;
    out.culprit = segment_->control.running;
  } else if (watched == Watched::ServerLost) {
    out.end = End::Lost;
    out.text = "the process that starts the executions was killed";
  } else if (segment_->log.ending == Ending::None) {
    out.end = End::Lost;
    out.culprit = segment_->control.running;
    out.wait_status = segment_->control.lost_status;
  }
  if (plan.show_output) read_output(out);
  return {};
}

// Each transition's share of what the program wrote: up to where the next one was chosen.
void LiveProgram::read_output(Execution& out) const {
  const off_t size = lseek(output_, 0, SEEK_END);
  const uint64_t end = size > 0 ? static_cast<uint64_t>(size) : 0;
  const size_t count = out.transitions.size();
  const auto begin_of = [&](size_t i) { return i < count ? segment_->steps[i].output_before : end; };
  out.output_before = read_range(output_, 0, std::min(begin_of(0), end));
  for (size_t i = 0; i < count; ++i) {
    out.transitions[i].output = read_range(output_, begin_of(i), std::min(begin_of(i + 1), end));
  }
}

std::vector<uint32_t> LiveProgram::thread_path(ThreadId id) const {
  std::vector<uint32_t> path;
  while (id != kMainThread && index(id) < names_.threads.size()) {
    const ThreadName& name = names_.threads[index(id)];
    path.insert(path.begin(), name.ordinal);
    if (index(name.parent) >= index(id)) break;  // a parent has its id before its children
    id = name.parent;
  }
  return path;
}

std::string LiveProgram::thread_name(ThreadId id) const {
  std::string name = "T0";
  for (const uint32_t ordinal : thread_path(id)) (name += '.') += std::to_string(ordinal);
  return name;
}

Result<ThreadId> LiveProgram::intern_thread(const std::vector<uint32_t>& path) {
  ThreadId id = kMainThread;
  for (const uint32_t ordinal : path) {
    id = mazurka::intern_thread(segment_->names, id, ordinal);
    if (id == kNoThread) return Error{"too many threads: more than 1024 in one search"};
  }
  names_.update(*segment_);
  return id;
}

std::string LiveProgram::object_name(ObjectId id) const {
  if (index(id) >= names_.objects.size()) return {};
  const ObjectName& name = names_.objects[index(id)];
  const ObjectPlace& place = names_.places[index(id)];
  switch (place.storage) {
    case Storage::Heap:
      return "heap block " + std::to_string(place.count) + " of " + thread_name(place.thread) +
             (place.offset != 0 ? " + " + hexadecimal(place.offset) : "");
    case Storage::Stack:
      return "stack of " + thread_name(place.thread) + " at " + hexadecimal(name.address);
    case Storage::Shared:
      return "shared memory + " + hexadecimal(name.address);
    case Storage::Name:
      return names_.text_at(place.text);
    case Storage::Kernel:
      return names_.text_at(place.text) + "[" + std::to_string(place.number) + "]";
    case Storage::Module:
    case Storage::Unknown:
      return hexadecimal(name.address);
  }
  return {};
}

std::optional<uint64_t> LiveProgram::object_address(ObjectId id) const {
  if (index(id) >= names_.objects.size() || names_.places[index(id)].storage != Storage::Module) return std::nullopt;
  return names_.objects[index(id)].address;
}

std::vector<UnmodelledCall> LiveProgram::unmodelled() const {
  std::vector<UnmodelledCall> calls;
  for (const Unmodelled& call : names_.unmodelled) {
    calls.push_back({names_.text_at(call.text), call.pc, call.count, call.costs_complete != 0});
  }
  if (disagreed_) calls.push_back({"what the program keeps from one execution to the next (use --reset=fork)", 0, 1, true});
  return calls;
}

std::vector<LoadedModule> LiveProgram::modules() const {
  std::vector<LoadedModule> modules;
  for (const Module& module : names_.modules) {
    modules.push_back({names_.text_at(module.path), module.base, module.start, module.end, module.process});
  }
  return modules;
}

}  // namespace mazurka
