#include "sim/views/state_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/check.h"
#include "explore/findings/explanation.h"
#include "kinds/channels/queue_contents.h"
#include "kinds/signals/signal_state_text.h"
#include "objects/all_words.h"
#include "objects/choices.h"
#include "sim/server/json.h"
#include "sim/views/findings_view.h"
#include "sim/views/waiting_text.h"
#include "sim/views/wake_history.h"

namespace mazurka {
namespace {

constexpr uint32_t kMostObjects = 2000;
constexpr size_t kMostOutput = size_t{64} * 1024;

bool waits_at_parts(const Operation& op) { return words_of(op.kind).about == About::EachPart; }

void replay_until(StateReplay& replay, const Run& run, uint32_t at) {
  replay.begin(run.execution);
  while (replay.position() < at) replay.step();
}

class StateWriter {
 public:
  StateWriter(const Run& run, Naming& naming)
      : run_(run), naming_(naming), describer_(naming.describer()) {
    replay_.begin(run.execution);
  }

  // Never back.
  void go_to(uint32_t at) {
    at_ = at;
    waits_.clear();
    while (replay_.position() < at) {
      if (replay_.position() + 1 == at) before_ = object_values();
      const Transition& made = run_.execution.transitions[replay_.position()];
      replay_.step();
      contents_.step(made.op, made.effect, made.text, world());
      takings_.step(made.choice.thread, made.op, made.parts, made.effect);
      note_failure(made);
    }
    choices_.clear();
    if (!hangs()) choices_ = choices_in(world(), naming_.bound());
  }

  Json json() {
    Json threads = Json::array();
    for (uint32_t i = 0; i < world().thread_limit; ++i) {
      if (world().thread(ThreadId(i)).status != ThreadStatus::Absent) {
        threads.push_back(thread_json(ThreadId(i)));
      }
    }
    Json json = {{"run", run_.id}, {"at", at_}, {"threads", std::move(threads)}};
    json["objects"] = objects_json();
    json["findings"] = findings_json(run_, at_, naming_);
    json["cycle"] = Json::array();
    for (const ThreadId id : cycle_in(waits_)) json["cycle"].push_back(index(id));
    json["tosses"] = tosses_json();
    json["output"] = output();
    return json;
  }

 private:
  const World& world() const { return replay_.world(); }

  void note_failure(const Transition& made) {
    const bool fails =
        row_of(made.op.kind).fails || ended_by_signal(made.op, made.choice.outcome, made.effect);
    if (fails) failures_[made.choice.thread] = &made;
  }

  std::map<uint32_t, std::string> object_values() const {
    std::map<uint32_t, std::string> values;
    const uint32_t count = std::min(world().object_limit, kMostObjects);
    for (uint32_t i = 0; i < count; ++i) {
      if (world().object(ObjectId(i)).kind == ObjectKind::None) continue;
      values[i] = value_of(world(), ObjectId(i), describer_);
      if (const std::string data = contents_.text(world(), ObjectId(i)); !data.empty())
        values[i] += ": " + data;
    }
    return values;
  }

  // --- threads

  // What the thread stands before here: its next transition, or where it stood in the end.
  struct Standing {
    const Operation* op = nullptr;
    const std::vector<OpPart>* parts = nullptr;
    const CodePlace* place = nullptr;
  };

  Standing standing(ThreadId id) const {
    if (const Transition* next = replay_.next(id)) return {&next->op, &next->parts, &next->place};
    for (const ThreadAtEnd& thread : run_.execution.threads) {
      if (thread.id == id) return {&thread.pending, &thread.parts, &thread.place};
    }
    return {};
  }

  Json thread_json(ThreadId id) {
    const ThreadState& thread = world().thread(id);
    Json json = {{"id", index(id)},
                 {"name", describer_.thread(id)},
                 {"role", describer_.thread_role(id, run_.execution)},
                 {"process", describer_.thread(thread.process)}};
    json["signals"] = signals_of(world(), id, describer_);
    const Operation* pending = replay_.pending(id);
    const Standing here = standing(id);
    if (thread.status != ThreadStatus::AtOperation || pending == nullptr || here.op == nullptr) {
      add_end(id, json);
      return json;
    }
    json["operation"] = describer_.operation(*pending, *here.parts);
    const bool is_at_parts = waits_at_parts(*pending) && !here.parts->empty();
    const ObjectId object = is_at_parts ? here.parts->front().object : pending->object;
    json["object"] = object == kNoObject ? Json(nullptr) : Json(index(object));
    json["stack"] = naming_.stack(*here.place);
    json["choices"] = choices_json(id, *pending, *here.parts);
    if (!json["choices"].empty()) {
      json["status"] = "enabled";
    } else {
      add_why_not(id, *pending, *here.parts, json);
    }
    return json;
  }

  // It stands before nothing: it has ended, or will never come to its next operation.
  void add_end(ThreadId id, Json& json) const {
    const Execution& execution = run_.execution;
    json["choices"] = Json::array();
    json["stack"] = Json::array();
    const auto failed = failures_.find(id);
    if (hangs() && id == execution.culprit) {
      json["status"] = "running";
      json["operation"] =
          execution.end == End::Hung ? "is in a call without a model" : "runs without end";
      for (const ThreadAtEnd& thread : execution.threads) {
        if (thread.id == id) json["stack"] = naming_.stack(thread.place);
      }
    } else if (failed != failures_.end()) {
      json["status"] = "failed";
      json["operation"] = describer_.transition(*failed->second);
      json["stack"] = naming_.stack(failed->second->place);
    } else {
      const bool is_killed = world().thread(id).killed;
      json["status"] = is_killed ? "killed" : "exit";
      json["operation"] = is_killed ? "ended with its process" : "at exit";
    }
  }

  // Nobody gets a turn any more.
  bool hangs() const {
    const End end = run_.execution.end;
    return at_ == run_.length() && (end == End::Divergence || end == End::Hung) &&
           run_.execution.culprit != kNoThread;
  }

  Json choices_json(ThreadId id, const Operation& op, const std::vector<OpPart>& parts) const {
    Json all = Json::array();
    for (const Choice& choice : choices_) {
      if (choice.thread != id) continue;
      all.push_back({{"outcome", choice.outcome}, {"text", describer_.choice(op, parts, choice)}});
    }
    return all;
  }

  void add_why_not(ThreadId id, const Operation& op, const std::vector<OpPart>& parts, Json& json) {
    const ThreadState& thread = world().thread(id);
    if (stands_at_bound(thread, naming_.bound())) {
      json["status"] = "bound";
      json["why"] = "has made as many transitions as --bound allows";
      return;
    }
    if (hangs()) {
      json["status"] = "blocked";
      json["why"] = "gets no turn: " + describer_.thread(run_.execution.culprit) +
                    " does not come to its next operation";
      return;
    }
    const Waiting waiting =
        waiting_of(world(), id, op, parts, takings_, describer_, run_.execution);
    waits_.push_back({id, waiting.holders});
    json["status"] = waiting.is_asleep ? "asleep" : "blocked";
    json["holders"] = numbers(waiting.holders);
    json["hopes"] = numbers(waiting.hopes);
    json["why"] = waiting.why;
    const ObjectId asleep_on = world().thread(id).waiting_on;
    if (waiting.why == kWaitsToBeWoken)
      json["why"] = wake_history(run_, at_, id, asleep_on, naming_);
  }

  static Json numbers(const std::vector<ThreadId>& threads) {
    Json all = Json::array();
    for (const ThreadId thread : threads) all.push_back(index(thread));
    return all;
  }

  // --- objects

  Json objects_json() const {
    std::map<uint32_t, Json> waiters;
    for (const Wait& wait : waits_) {
      const Operation* op = replay_.pending(wait.thread);
      const std::vector<OpPart>& parts = *standing(wait.thread).parts;
      const bool is_at_parts = waits_at_parts(*op);
      if (op->object != kNoObject && !is_at_parts)
        waiters[index(op->object)].push_back(index(wait.thread));
      for (const OpPart& part : parts) {
        if (is_at_parts) waiters[index(part.object)].push_back(index(wait.thread));
      }
    }
    Json objects = Json::array();
    for (const auto& [id, value] : object_values()) {
      const Object& object = world().object(ObjectId(id));
      if (says_nothing(object)) continue;
      const auto before = before_.find(id);
      const auto who = waiters.find(id);
      const ThreadId owner = owner_of(object);
      objects.push_back(
          {{"id", id},
           {"name", describer_.object(ObjectId(id))},
           {"type", type_of(object)},
           {"value", value},
           {"owner", owner == kNoThread ? Json(nullptr) : Json(index(owner))},
           {"waiters", who == waiters.end() ? Json::array() : who->second},
           {"changed", at_ > 0 && (before == before_.end() || before->second != value)}});
    }
    return objects;
  }

  // --- the rest

  Json tosses_json() const {
    Json tosses = Json::array();
    for (uint32_t i = 0; i < at_; ++i) {
      const Transition& made = run_.execution.transitions[i];
      if (made.op.kind == OpKind::Toss) tosses.push_back({i, made.choice.outcome});
    }
    return tosses;
  }

  std::string output() const {
    std::string text = run_.execution.output_before;
    for (uint32_t i = 0; i < at_; ++i) text += run_.execution.transitions[i].output;
    return text.size() <= kMostOutput ? text : "...\n" + text.substr(text.size() - kMostOutput);
  }

  const Run& run_;
  uint32_t at_ = 0;
  Naming& naming_;
  const Describer& describer_;
  StateReplay replay_;
  QueueContents contents_;
  Takings takings_;
  std::map<uint32_t, std::string> before_;
  std::vector<Choice> choices_;
  std::vector<Wait> waits_;
  std::map<ThreadId, const Transition*>
      failures_;  // the steps with which threads ended their processes
};

}  // namespace

Json state_json(const Run& run, uint32_t at, Naming& naming) {
  MAZURKA_CHECK(at <= run.length());
  StateWriter writer(run, naming);
  writer.go_to(at);
  return writer.json();
}

void each_state_json(const Run& run, uint32_t first, uint32_t last, Naming& naming,
                     const std::function<void(Json)>& visit) {
  MAZURKA_CHECK(last <= run.length());
  StateWriter writer(run, naming);
  for (uint32_t at = first; at <= last; ++at) {
    writer.go_to(at);
    visit(writer.json());
  }
}

std::vector<Choice> choices_at(const Run& run, uint32_t at, uint32_t bound) {
  StateReplay replay;
  replay_until(replay, run, at);
  return choices_in(replay.world(), bound);
}

std::optional<PlannedStep> step_at(const Run& run, uint32_t at, Choice choice, uint32_t bound) {
  StateReplay replay;
  replay_until(replay, run, at);
  const std::vector<Choice> all = choices_in(replay.world(), bound);
  if (std::find(all.begin(), all.end(), choice) == all.end()) return std::nullopt;
  const Operation* pending = replay.pending(choice.thread);
  if (pending == nullptr) return std::nullopt;
  return PlannedStep{choice, pending->kind, {}, pending->object};
}

}  // namespace mazurka
