#include "testing/scripts/random_script.h"

#include <signal.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "testing/scripts/random_channels.h"
#include "testing/scripts/random_file_locks.h"
#include "testing/scripts/random_file_uses.h"
#include "testing/scripts/random_objects.h"
#include "testing/scripts/random_rarities.h"
#include "testing/scripts/random_signals.h"
#include "testing/scripts/random_sockets.h"
#include "testing/scripts/script_writer.h"

namespace mazurka {
namespace {

constexpr uint32_t kEventNames = 3;
constexpr uint32_t kObjectFeatureCount = 10;
constexpr uint32_t kObjectFeatures = (1u << kObjectFeatureCount) - 1;
static_assert(kVariables == 1u << (kObjectFeatureCount - 1));

class ScriptMaker {
 public:
  ScriptMaker(uint64_t seed, const RandomScriptOptions& options) : out_(seed, options) {
    out_.write_statement = [this] { write_statement(); };
  }

  Script make() {
    choose_objects();
    make_objects();
    const uint32_t spread = out_.options.max_threads - out_.options.min_threads + 1;
    threads_ = out_.options.min_threads + out_.dice.below(spread);
    out_.script.bodies.resize(threads_);
    choose_creators();
    choose_statements();
    for (uint32_t i = 0; i < threads_; ++i) make_body(i);
    if (out_.has(kSignals)) make_handler();
    return out_.script;
  }

 private:
  using Statement = std::function<void()>;
  using Child = ScriptWriter::Child;

  // --- objects

  // Few kinds and few of each: threads that do not meet have nothing to be tested on.
  void choose_objects() {
    const uint32_t allowed = out_.options.features & kObjectFeatures;
    uint32_t kept = 0;
    for (uint32_t wanted = 1 + out_.dice.below(3); allowed != 0 && wanted > 0; --wanted) {
      uint32_t feature = 0;
      while ((feature & allowed) == 0) feature = 1u << out_.dice.below(kObjectFeatureCount);
      kept |= feature;
    }
    out_.options.features = (out_.options.features & ~kObjectFeatures) | kept;
    out_.in_use = 1 + out_.dice.below(kObjectsOfAKind);
  }

  void make_objects() {
    objects_.make();
    channels_.make();
    if (out_.has(kSockets)) sockets_.make();
    if (out_.has(kFileUses)) files_ = add_files(out_.script, out_.dice);
    if (out_.has(kFileLocks | kFileUses)) file_ = add_file(out_.script);
    for (ObjectId& event : events_) {
      if (out_.has(kEvents)) event = out_.script.add({.kind = ObjectKind::Event});
    }
    if (out_.has(kRarities)) rarities_.make();
  }

  // --- bodies

  // Each body but the first is created once, by one before it: so there is no end of threads.
  void choose_creators() {
    children_.resize(threads_);
    for (uint32_t i = 1; i < threads_; ++i) {
      const uint32_t creator = out_.dice.one_in(3) ? out_.dice.below(i) : 0;
      children_[creator].push_back({i, out_.has(kProcesses) && out_.dice.one_in(3)});
    }
  }

  // As often as its weight.
  void add(uint32_t feature, uint32_t weight, const Statement& added) {
    if (out_.has(feature)) statements_.insert(statements_.end(), weight, added);
  }

  void choose_statements() {
    add(kMutexes, 4, [this] { objects_.mutex_section(); });
    add(kConditions, 2, [this] { objects_.condition_wait(); });
    add(kConditions, 2, [this] { objects_.condition_signal(); });
    add(kRwLocks, 2, [this] { objects_.rwlock_section(); });
    add(kBarriers, 1, [this] { objects_.barrier_wait(); });
    add(kSemaphores, 3, [this] { objects_.semaphore_operation(); });
    add(kSemSets, 3, [this] { objects_.sem_set_operation(); });
    add(kNames, 1, [this] { objects_.name_operation(); });
    add(kNames, 1, [this] { objects_.generator_operation(); });
    add(kOnces, 1, [this] { objects_.once_section(); });
    add(kFutexes, 1, [this] { objects_.futex_wait(); });
    add(kFutexes, 1, [this] { objects_.futex_wake(); });
    add(kVariables, 4, [this] { objects_.variable_operation(); });
    add(kChannels, 6, [this] { channels_.channel_operation(); });
    add(kQueues, 6, [this] { channels_.queue_operation(); });
    add(kTimers, 6, [this] { channels_.timer_operation(); });
    add(kSockets, 8, [this] { sockets_.socket_operation(); });
    add(kFileLocks, 8, [this] { file_lock_operation(); });
    add(kFileUses, 8, [this] { file_use(); });
    add(kSignals, 6, [this] { signals_.signal_operation(); });
    add(kRarities, 8, [this] { rarities_.operation(); });
    add(kTosses, 1, [this] { toss(); });
    add(kWaitsForOthers, 1, [this] { out_.operation({.kind = OpKind::WaitForOthers}); });
    add(kPauses, 1, [this] { out_.operation({.kind = OpKind::Pause}); });
    add(kEvents, 4, [this] { event(); });
    add(kMisuses, 1, [this] { misuse(); });
    add(kEnds, 1, [this] { end(); });
  }

  // Creations come between the statements of the body, never inside a branch: so the ordinals of
  // the joins are known.
  void make_body(uint32_t number) {
    out_.body = &out_.script.bodies[number];
    out_.budget = 1 + out_.dice.below(std::max(1u, 2 * out_.options.max_operations / threads_ - 1));
    const std::vector<Child>& children = children_[number];
    uint32_t created = 0;
    out_.children_so_far.clear();
    if (out_.has(kSignals) && number == 0 && !out_.dice.one_in(4)) signals_.signal_action(SIGUSR1);
    std::vector<uint32_t> to_join;
    if (number == 0 && out_.has(kSockets) && !out_.dice.one_in(4)) sockets_.open_server();
    while (created < children.size() || out_.budget > 0) {
      if (created < children.size() && (out_.budget == 0 || out_.dice.one_in(2))) {
        const Child& child = children[created++];
        out_.children_so_far.push_back(child);
        out_.body->push_back(child.process ? fork_process(child.body) : spawn(child.body));
        if (out_.has(kJoins) && out_.dice.one_in(2)) to_join.push_back(created);
      } else if (out_.budget > 0) {
        out_.statement();
      }
    }
    for (uint32_t child : to_join) join(child, children[child - 1].process);
  }

  void join(uint32_t child, bool process) {
    const uint8_t flags = flag_if(kTry, out_.has(kTries) && out_.dice.one_in(4));
    Instruction instruction = join_child(child, flags);
    if (process) instruction.op.kind = OpKind::WaitChild;
    if (process && out_.dice.one_in(2)) instruction.child = 0;
    out_.body->push_back(instruction);
  }

  void write_statement() {
    if (statements_.empty()) return toss();
    statements_[out_.dice.below(static_cast<uint32_t>(statements_.size()))]();
  }

  // It does not wait: what was interrupted may be a wait itself, which is still under way.
  void make_handler() {
    out_.script.handler = static_cast<uint32_t>(out_.script.bodies.size());
    out_.script.bodies.emplace_back();
    out_.body = &out_.script.bodies.back();
    out_.budget = 0;
    const uint32_t chosen = out_.dice.below(4);
    if (chosen == 0) out_.operation({.kind = OpKind::Toss, .value = 1});
    if (chosen >= 2) objects_.handler_operation(chosen == 2);
  }

  // --- statements

  // A lock that was given up before it could be changed is waited for.
  void file_lock_operation() {
    const Operation op = random_file_lock(file_, out_.dice.below(kFileLockChoices));
    out_.operation(op);
    if (op.kind == OpKind::FileLock) {
      const uint32_t over = out_.open(Instruction::Test::ValueIsNot, 1);
      out_.operation(op);
      out_.close(over);
    }
    out_.maybe_branch(Instruction::Test::ErrorIs, 0);
  }

  void file_use() {
    if (out_.dice.one_in(12)) {
      return out_.operation(
          {.kind = OpKind::DescriptionClose, .object = file_.descriptions[out_.dice.below(2)]});
    }
    out_.operation(random_file_use(out_.script, files_, file_, out_.dice));
    out_.maybe_branch(Instruction::Test::ValueIs, 0);
  }

  void toss() {
    out_.operation({.kind = OpKind::Toss, .value = 1 + out_.dice.below(2)});
    out_.maybe_branch(Instruction::Test::ValueIs, 0);
  }

  void event() {
    out_.operation({.kind = OpKind::Event, .object = events_[out_.dice.below(kEventNames)]});
  }

  void misuse() {
    if (out_.dice.below(3) != 0) return statement_instead();
    if (!objects_.misuse())
      out_.operation({.kind = OpKind::Join, .target = ThreadId{kMaxThreads - 1}});
  }

  void end() {
    if (out_.dice.below(3) != 0) return statement_instead();
    Instruction instruction;
    switch (out_.dice.below(out_.has(kRarities) ? 6 : 4)) {
      case 0:
        instruction.kind = Instruction::Kind::LeaveThread;
        break;
      case 1:
        instruction.kind = Instruction::Kind::EndProcess;
        instruction.value = 0x100;
        break;
      case 2:
        instruction.op = {.kind = OpKind::Crash, .value = SIGSEGV};
        break;
      case 3:
        instruction.op = {.kind = OpKind::Assertion};
        break;
      case 4:
        instruction.op = {.kind = OpKind::Misuse};
        break;
      default:
        instruction.op = {.kind = OpKind::Exec};
        break;
    }
    out_.body->push_back(instruction);
  }

  // Ends and misuses cut the rest of a script off: they should be rare.
  void statement_instead() {
    ++out_.budget;
    out_.statement();
  }

  ScriptWriter out_;
  RandomObjects objects_{out_};
  RandomChannels channels_{out_};
  RandomSockets sockets_{out_};
  RandomSignals signals_{out_};
  RandomRarities rarities_{out_};
  uint32_t threads_ = 0;
  std::vector<std::vector<Child>> children_;  // by body
  std::vector<Statement> statements_;
  ObjectId events_[kEventNames] = {};
  FileToLock file_;
  FilesToUse files_;
};

}  // namespace

Script random_script(uint64_t seed, const RandomScriptOptions& options) {
  return ScriptMaker(seed, options).make();
}

}  // namespace mazurka
