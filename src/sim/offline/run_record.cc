#include "sim/offline/run_record.h"

#include <algorithm>
#include <map>

#include "base/check.h"
#include "sim/server/json.h"
#include "sim/views/state_view.h"
#include "sim/views/steps_view.h"

namespace mazurka {
namespace {

constexpr uint32_t kFirstStates = 60;
constexpr uint32_t kLastStates = 340;
constexpr uint32_t kMostRecordedSteps = 20'000;
constexpr int kLinesAround = 60;
constexpr int kLinesOfWholeFile = 400;  // shorter ones are there as a whole
constexpr size_t kMostLineLength = 400;

// Values that many states share, each once.
class ValueTable {
 public:
  size_t place_of(Json value) {
    const auto [place, is_new] =
        places_.try_emplace(value.dump(-1, ' ', true, kReplace), values_.size());
    if (is_new) values_.push_back(std::move(value));
    return place->second;
  }
  const Json& values() const { return values_; }

 private:
  static constexpr auto kReplace = Json::error_handler_t::replace;
  std::map<std::string, size_t> places_;
  Json values_ = Json::array();
};

// States as changes from one to the next: [[id, place in the table], ...]; an id without a place
// has gone.
class StateRecorder {
 public:
  void add(Json state) {
    Json json = {{"at", state["at"]},
                 {"threads", changes(state["threads"], threads_, shown_threads_)},
                 {"objects", changes(state["objects"], objects_, shown_objects_)},
                 {"findings", state["findings"]},
                 {"cycle", state["cycle"]}};
    states_.push_back(std::move(json));
  }

  Json json() {
    return {{"threads", threads_.values()}, {"objects", objects_.values()}, {"states", states_}};
  }

 private:
  using Shown = std::map<uint32_t, size_t>;

  static Json changes(Json& all, ValueTable& table, Shown& shown) {
    Json changed = Json::array();
    Shown now;
    for (Json& one : all) {
      const auto id = one["id"].get<uint32_t>();
      now[id] = table.place_of(std::move(one));
      const auto before = shown.find(id);
      if (before == shown.end() || before->second != now[id]) changed.push_back({id, now[id]});
    }
    for (const auto& [id, place] : shown) {
      if (now.count(id) == 0) changed.push_back(Json::array({id}));
    }
    shown = std::move(now);
    return changed;
  }

  ValueTable threads_;
  ValueTable objects_;
  Shown shown_threads_;
  Shown shown_objects_;
  Json states_ = Json::array();
};

// [[steps that were made before, text], ...]
Json outputs(const Run& run, uint32_t length) {
  Json all = Json::array();
  if (!run.execution.output_before.empty()) all.push_back({0, run.execution.output_before});
  for (uint32_t i = 0; i < length; ++i) {
    const std::string& text = run.execution.transitions[i].output;
    if (!text.empty()) all.push_back({i + 1, text});
  }
  return all;
}

Json tosses(const Run& run, uint32_t length) {
  Json all = Json::array();
  for (uint32_t i = 0; i < length; ++i) {
    const Transition& made = run.execution.transitions[i];
    if (made.op.kind == OpKind::Toss) all.push_back({i, made.choice.outcome});
  }
  return all;
}

}  // namespace

void Excerpts::add(const Json& json) {
  if (json.is_array()) {
    for (const Json& part : json) add(part);
  } else if (json.is_object()) {
    const auto file = json.find("file");
    const auto line = json.find("line");
    if (file != json.end() && line != json.end() && file->is_string() && line->is_number() &&
        json.value("user", false))
      places_[file->get<std::string>()].insert(line->get<int>());
    for (const auto& [key, part] : json.items()) {
      if (part.is_structured()) add(part);
    }
  }
}

Json Excerpts::json(Naming& naming) const {
  Json files = Json::object();
  for (const auto& [file, places] : places_) {
    const auto lines = naming.lines(file);
    if (!lines || lines->empty()) continue;
    const auto count = static_cast<int>(lines->size());
    Json parts = Json::array();
    int shown = 0;  // the last line so far
    for (const int place : places) {
      const bool is_whole = count <= kLinesOfWholeFile;
      const int first = is_whole ? 1 : std::max(1, place - kLinesAround);
      const int last = is_whole ? count : std::min(count, place + kLinesAround);
      if (first > shown + 1 || parts.empty()) parts.push_back({first, Json::array()});
      for (int i = std::max(first, shown + 1); i <= last; ++i)
        parts.back()[1].push_back((*lines)[static_cast<size_t>(i) - 1].substr(0, kMostLineLength));
      shown = std::max(shown, last);
    }
    files[file] = std::move(parts);
  }
  return files;
}

Json run_record(const Run& run, uint32_t length, Naming& naming, Excerpts& excerpts) {
  MAZURKA_CHECK(length <= run.length());
  Json json = run_json(run, naming);
  json["length"] = length;
  if (length < run.length()) json["end"] = "open";
  json["at"] = length;
  json["keep"] = 0;
  json["notes"] = Json::array();
  json["steps"] = steps_json(run, 0, std::min(length, kMostRecordedSteps), naming);
  StateRecorder recorder;
  const auto record = [&](Json state) { recorder.add(std::move(state)); };
  const bool is_long = length > kFirstStates + kLastStates;
  if (is_long) each_state_json(run, 0, kFirstStates, naming, record);
  each_state_json(run, is_long ? length - kLastStates : 0, length, naming, record);
  json["record"] = recorder.json();
  json["record"]["outputs"] = outputs(run, length);
  json["record"]["tosses"] = tosses(run, length);
  excerpts.add(json["record"]);
  return json;
}

}  // namespace mazurka
