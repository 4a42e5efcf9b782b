// A path of a search with sleep sets as bytes, and back.
#include <map>

#include "explore/classic/sleep_path.h"

namespace mazurka {
namespace {

// Steps are shared between the states that they sleep in: each is saved once, and known by its
// number then.
class StepTable {
 public:
  uint64_t number_of(const std::shared_ptr<const PathStep>& step) {
    if (step == nullptr) return 0;
    const auto [place, is_new] = numbers_.try_emplace(step.get(), steps_.size() + 1);
    if (is_new) steps_.push_back(step.get());
    return place->second;
  }
  void save(ByteWriter& out) const {
    out.put(static_cast<uint64_t>(steps_.size()));
    for (const PathStep* step : steps_) {
      out.put(step->planned);
      out.put_all(step->accesses);
      out.put(step->accesses_everything);
    }
  }

 private:
  std::map<const PathStep*, uint64_t> numbers_;
  std::vector<const PathStep*> steps_;
};

std::vector<std::shared_ptr<const PathStep>> read_steps(ByteReader& in) {
  std::vector<std::shared_ptr<const PathStep>> steps(1);  // 0: none
  for (uint64_t i = in.get_count(sizeof(PlannedStep)); i > 0; --i) {
    PathStep step;
    step.planned = in.get<PlannedStep>();
    step.accesses = in.get_all<Access>();
    step.accesses_everything = in.get<bool>();
    steps.push_back(std::make_shared<PathStep>(std::move(step)));
  }
  return steps;
}

}  // namespace

void SleepPath::save(ByteWriter& out) const {
  StepTable table;
  ByteWriter states;
  for (const PathState& state : states_) {
    states.put_all(state.enabled);
    states.put_all(state.selected);
    states.put(static_cast<uint64_t>(state.sleep.size()));
    for (const auto& step : state.sleep) states.put(table.number_of(step));
    states.put(static_cast<uint64_t>(state.asleep_at_first));
    states.put(static_cast<uint64_t>(state.ways));
    states.put(static_cast<uint64_t>(state.threads));
    states.put(table.number_of(state.taken));
  }
  table.save(out);
  out.put(static_cast<uint64_t>(states_.size()));
  out.put_text(states.bytes());
  out.put_all(plan_.prefix);
  out.put_all(plan_.sleep);
  out.put(plan_.forced);
  out.put(next_);
}

void SleepPath::restore(ByteReader& in) {
  const auto steps = read_steps(in);
  const auto step_of_number = [&](ByteReader& from) -> std::shared_ptr<const PathStep> {
    const auto number = from.get<uint64_t>();
    if (number < steps.size()) return steps[number];
    from.fail();
    return nullptr;
  };
  const auto count = in.get<uint64_t>();
  const std::string bytes = in.get_text();
  ByteReader from(bytes);
  for (uint64_t i = 0; i < count && from.ok(); ++i) {
    PathState& state = states_.emplace_back();
    state.enabled = from.get_all<Choice>();
    state.selected = from.get_all<ThreadId>();
    state.sleep.resize(from.get_count(sizeof(uint64_t)));
    for (auto& step : state.sleep) step = step_of_number(from);
    state.asleep_at_first = from.get<uint64_t>();
    state.ways = from.get<uint64_t>();
    state.threads = from.get<uint64_t>();
    state.taken = step_of_number(from);
    if (state.asleep_at_first > state.sleep.size()) from.fail();
  }
  if (!from.ok() || !from.at_end()) in.fail();
  plan_.prefix = in.get_all<PlannedStep>();
  plan_.sleep = in.get_all<Choice>();
  plan_.forced = in.get<ThreadId>();
  next_ = in.get<Choice>();
}

}  // namespace mazurka
