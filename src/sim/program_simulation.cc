#include "sim/program_simulation.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/words/finding_text.h"
#include "report/words/quoting.h"
#include "sim/server/json.h"
#include "sim/views/state_view.h"
#include "sim/views/steps_view.h"
#include "sim/views/swap.h"
#include "sim/views/tester_view.h"

namespace mazurka {
namespace {

constexpr uint32_t kStepsShown = 200;
constexpr uint32_t kMostStepsAtOnce = 2000;

}  // namespace

ProgramSimulation::ProgramSimulation(Subject subject, std::vector<PlannedStep> schedule)
    : subject_(std::move(subject)),
      naming_(subject_),
      runs_(subject_),
      memory_(subject_),
      job_(subject_),
      first_(std::move(schedule)) {}

Result<Json> ProgramSimulation::answer(const std::string& question, const Json& request) {
  static const std::pair<const char*, Answer> kAnswers[] = {
      {"hello", &ProgramSimulation::hello},         {"go", &ProgramSimulation::go},
      {"run-to", &ProgramSimulation::run_to},       {"steps", &ProgramSimulation::steps},
      {"state", &ProgramSimulation::state},         {"visit", &ProgramSimulation::visit},
      {"source", &ProgramSimulation::source},       {"swap", &ProgramSimulation::swap},
      {"save", &ProgramSimulation::save},           {"load", &ProgramSimulation::load},
      {"search", &ProgramSimulation::search},       {"open", &ProgramSimulation::open_finding},
      {"graph", &ProgramSimulation::graph},         {"node", &ProgramSimulation::go_to_node},
      {"variables", &ProgramSimulation::variables}, {"passing", &ProgramSimulation::passing},
      {"edit", &ProgramSimulation::edit},           {"export", &ProgramSimulation::record},
  };
  for (const auto& [name, answer] : kAnswers) {
    if (question == name) return (this->*answer)(request);
  }
  return no_such_question(question);
}

Result<RunPointer> ProgramSimulation::run_of(const Json& request) {
  Result<RunPointer> run = runs_.find(static_cast<uint32_t>(number_in(request, "run", 0)));
  if (run) {
    naming_.refresh();
    naming_.learn(**run);
  }
  return run;
}

uint32_t ProgramSimulation::at_of(const Json& request, const Run& run) {
  return static_cast<uint32_t>(
      std::min<uint64_t>(number_in(request, "at", run.length()), run.length()));
}

// The page goes to this place of the run, of which it knows the first `keep` steps from another
// one.
Result<Json> ProgramSimulation::arrive(Result<RunPointer> run, uint32_t at, uint32_t keep) {
  if (!run) return run.error();
  naming_.refresh();
  naming_.learn(**run);
  Json json = run_json(**run, naming_);
  json["at"] = std::min(at, (*run)->length());
  keep = std::min(keep, (*run)->length());
  json["keep"] = keep;
  at = json["at"];
  // What the page shows at once, so that a move is one question.
  const uint32_t from = at > keep + kStepsShown / 2 ? at - kStepsShown / 2 : keep;
  json["steps"] = steps_json(**run, from, from + kStepsShown, naming_);
  json["state"] = whole_state(**run, at);
  json["notes"] = notes();
  return json;
}

// Each stays as it is from step to step, so that the page can say it once.
Json ProgramSimulation::notes() const {
  Json all = Json::array();
  for (const UnmodelledCall& call : subject_.program.unmodelled()) {
    if (!call.costs_complete) continue;
    const std::string where = naming_.describer().place({call.pc, {}});
    all.push_back(
        fmt::format("no model covers {}{}: it may block or communicate, and that is not shown here",
                    call.name, where.empty() ? "" : " (" + where + ")"));
  }
  return all;
}

Result<Json> ProgramSimulation::hello(const Json&) {
  Result<RunPointer> run = first_run_ ? runs_.find(*first_run_) : runs_.make(first_);
  if (!run) return run.error();
  first_run_ = (*run)->id;
  Result<Json> json = arrive(run, (*run)->length(), 0);
  (*json)["kind"] = "program";
  (*json)["command"] = shell_command(subject_.header.argv);
  (*json)["directory"] = subject_.header.directory;
  (*json)["editor"] = subject_.editor != nullptr;
  return json;
}

// --- moving

Result<Json> ProgramSimulation::go(const Json& request) {
  const Result<RunPointer> from = run_of(request);
  if (!from) return from.error();
  const uint32_t at = at_of(request, **from);
  std::vector<PlannedStep> schedule = Runs::schedule_until(**from, at);
  const std::string policy = text_in(request, "then");
  if (policy == "random") {
    return arrive(runs_.make(schedule, Then::Random, number_in(request, "seed", 1)), UINT32_MAX,
                  at);
  }
  if (policy == "first") return arrive(runs_.make(schedule, Then::First), UINT32_MAX, at);
  if (!policy.empty()) return Error{"'then' is neither first nor random"};
  const Choice choice{ThreadId(static_cast<uint16_t>(number_in(request, "thread", 0xffff))),
                      static_cast<Outcome>(number_in(request, "outcome", kOnlyOutcome))};
  const std::optional<PlannedStep> step = step_at(**from, at, choice, naming_.bound());
  if (!step) return Error{"that thread cannot go on so in this state"};
  schedule.push_back(*step);
  return arrive(runs_.make(schedule), UINT32_MAX, at);
}

// By the default policy, until the next step would be what is wanted.
Result<Json> ProgramSimulation::run_to(const Json& request) {
  const Result<RunPointer> from = run_of(request);
  if (!from) return from.error();
  const uint32_t at = at_of(request, **from);
  Wanted wanted;
  if (request.contains("thread")) {
    wanted.thread = ThreadId(static_cast<uint16_t>(number_in(request, "thread", 0xffff)));
  }
  if (request.contains("object")) {
    wanted.object = ObjectId(static_cast<uint32_t>(number_in(request, "object", 0xffffffff)));
  }
  wanted.location = text_in(request, "location");
  const Result<RunPointer> run = runs_.make(Runs::schedule_until(**from, at), Then::First);
  if (!run) return run.error();
  naming_.refresh();
  // The step that is pending here may fit: then it is the next one after it.
  for (uint32_t i = at + 1; i < (*run)->length(); ++i) {
    if (wanted.fits((*run)->execution.transitions[i], naming_)) return arrive(run, i, at);
  }
  return Error{
      "it does not come to that before the program ends, if always the first choice is taken"};
}

// NOLINTNEXTLINE(bugprone-exception-escape): swaps steps, not objects
Result<Json> ProgramSimulation::swap(const Json& request) {
  const Result<RunPointer> run = run_of(request);
  if (!run) return run.error();
  const uint64_t first = number_in(request, "first", UINT32_MAX);
  if (first + 1 >= (*run)->length()) return Error{"there is no step after that one"};
  return swap_steps(**run, static_cast<uint32_t>(first), runs_, naming_);
}

// --- looking

Result<Json> ProgramSimulation::steps(const Json& request) {
  const Result<RunPointer> run = run_of(request);
  if (!run) return run.error();
  const auto from =
      static_cast<uint32_t>(std::min<uint64_t>(number_in(request, "from", 0), (*run)->length()));
  const uint64_t to =
      std::min<uint64_t>(number_in(request, "to", from + 200ull), from + kMostStepsAtOnce);
  return steps_json(**run, from, static_cast<uint32_t>(to), naming_);
}

Result<Json> ProgramSimulation::state(const Json& request) {
  const Result<RunPointer> run = run_of(request);
  if (!run) return run.error();
  return whole_state(**run, at_of(request, **run));
}

Json ProgramSimulation::whole_state(const Run& run, uint32_t at) {
  Json json = state_json(run, at, naming_);
  if (subject_.tester != nullptr) json["tester"] = tester_after(run, at);
  return json;
}

Result<Json> ProgramSimulation::visit(const Json& request) {
  const Result<RunPointer> run = run_of(request);
  if (!run) return run.error();
  return arrive(run, at_of(request, **run), 0);
}

Json ProgramSimulation::tester_after(const Run& run, uint32_t at) const {
  std::vector<std::pair<lts::ActionId, std::string>> events;
  for (uint32_t i = 0; i < at; ++i) {
    const Operation& op = run.execution.transitions[i].op;
    if (op.kind != OpKind::Event) continue;
    const std::string name = subject_.program.object_name(op.object);
    if (const auto action = subject_.tester->actions.find(name)) events.emplace_back(*action, name);
  }
  return tester_json(subject_.tester->tester, events);
}

Result<Json> ProgramSimulation::source(const Json& request) {
  const std::string file = text_in(request, "file");
  const auto lines = naming_.lines(file);
  if (!lines) return Error{"no step of this program is in that file"};
  return Json{{"file", file}, {"lines", *lines}};
}

// Only files that the page may read, too.
Result<Json> ProgramSimulation::edit(const Json& request) {
  if (subject_.editor == nullptr) return Error{"no editor was given: mazurka sim --editor"};
  const std::string file = text_in(request, "file");
  const uint64_t line = number_in(request, "line", 0);
  if (!naming_.has_named(file)) return Error{"no step of this program is in that file"};
  if (line == 0 || line > INT32_MAX) return Error{"there is no such line"};
  if (const Result<void> opened = subject_.editor->open(file, line); !opened) return opened.error();
  return Json::object();
}

Result<Json> ProgramSimulation::variables(const Json& request) {
  const Result<RunPointer> run = run_of(request);
  if (!run) return run.error();
  MemoryView::Wish wish;
  wish.thread = ThreadId(static_cast<uint16_t>(number_in(request, "thread", 0)));
  wish.watches = texts_in(request, "watches");
  wish.function = text_in(request, "function");
  wish.callers = number_in(request, "callers", 0);
  const std::vector<std::string> opened = texts_in(request, "open");
  wish.opened.insert(opened.begin(), opened.end());
  return memory_.json(**run, at_of(request, **run), wish);
}

// --- schedules

Result<Json> ProgramSimulation::save(const Json& request) {
  const Result<RunPointer> run = run_of(request);
  if (!run) return run.error();
  Finding finding;
  finding.execution = (*run)->execution;
  const uint32_t at = at_of(request, **run);
  finding.schedule = schedule_of(finding.execution, at);
  finding.sighting.length = at;
  ScheduleFile file = subject_.header;
  file.needs = subject_.program.needs();
  file.accesses = subject_.program.seen_accesses();
  file.message = "saved in the simulator";
  for (const Sighting& sighting : (*run)->sightings) {
    if (sighting.length > at) continue;
    finding.sighting = sighting;
    file.kind = sighting.kind;
    file.message = message(finding, naming_.describer());
  }
  file.steps =
      scheduled_steps(finding.schedule, finding.execution, subject_.program, naming_.describer());
  return Json{{"text", to_text(file)}};
}

Result<Json> ProgramSimulation::load(const Json& request) {
  const Result<ScheduleFile> file = parse_schedule(text_in(request, "text"), "the schedule");
  if (!file) return file.error();
  if (file->argv != subject_.header.argv) {
    return Error{"it is a schedule of another program: " + shell_command(file->argv)};
  }
  const Result<std::vector<PlannedStep>> prefix = prefix_of(file->steps, subject_.program);
  if (!prefix) return prefix.error();
  return arrive(runs_.make(*prefix), UINT32_MAX, 0);
}

}  // namespace mazurka
