// `mazurka check`: explores a program and reports.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "cli/annotate.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/options.h"
#include "cli/progress_line.h"
#include "cli/target.h"
#include "cli/unguarded_waits.h"
#include "explore/engine/compare.h"
#include "report/formats/json_report.h"
#include "report/formats/junit_report.h"
#include "report/formats/sarif_report.h"
#include "report/formats/text_report.h"
#include "report/input/schedule_file.h"
#include "report/input/suppressions.h"
#include "report/words/finding_text.h"
#include "report/words/quoting.h"
#include "sim/offline/html_report.h"

namespace mazurka {
namespace {

namespace fs = std::filesystem;

// False after it has said what is wrong with the tester.
bool read_tester(CheckOptions& options) {
  if (options.tester.empty()) return true;
  const auto tester = read_program_tester(options.tester);
  if (!tester) {
    complain(tester.error().message);
    return false;
  }
  options.search.tester = *tester;
  const std::string why = contradiction(options.search);
  const char* with = options.search.conditional ? "--conditional" : "--transitions";
  if (!why.empty()) complain(fmt::format("{} and --tester: {}", with, why));
  return why.empty();
}

std::string contents_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// What a checkpoint is of: another search, other limits or another program could not go on with it.
std::string identity_of(const CheckOptions& options, const ProgramFile& file) {
  const Limits& limits = options.search.limits;
  std::string text = fmt::format(
      "mazurka {}\nsearch {}\npreemptions {} deepen {}\nseed {} bug depth {}\nconditional "
      "{}\ndepth {}\nbound {}\nlivelock "
      "{}\nprogram "
      "{}\ncontents {:016x}\n",
      MAZURKA_VERSION, options.search.search,
      options.search.preemptions ? std::to_string(*options.search.preemptions) : "any",
      options.search.deepen, options.search.seed, options.search.bug_depth,
      options.search.conditional, limits.depth, limits.bound, limits.livelock,
      shell_command(options.command.argv), hash_of(contents_of(file.path)));
  for (const std::string& other :
       {options.tester, options.command.stdin_file, options.suppressions}) {
    if (!other.empty())
      text += fmt::format("file {} {:016x}\n", other, hash_of(contents_of(other)));
  }
  return text + fmt::format(
                    "carrier {} memory {} discipline {} atomics {} lossy {} partial {} spurious {} "
                    "reuse {}\n",
                    static_cast<int>(options.command.carrier),
                    static_cast<int>(options.command.memory),
                    static_cast<int>(options.command.discipline),
                    static_cast<int>(options.command.atomics), options.command.channels.lossy_udp,
                    options.command.channels.partial_io, options.command.channels.spurious,
                    options.command.channels.reuse);
}

// False after it has said what is wrong with the checkpoint. `names` are for the program.
bool read_resumed(CheckOptions& options, const ProgramFile& file, std::string& names) {
  CheckpointOptions& checkpoints = options.search.checkpoints;
  checkpoints.file = options.checkpoint;
  checkpoints.identity = identity_of(options, file);
  if (options.resume.empty()) return true;
  Result<Checkpoint> saved = read_checkpoint(options.resume);
  const std::string other = saved ? difference(saved->identity, checkpoints.identity) : "";
  if (!saved || !other.empty()) {
    complain(saved ? other : saved.error().message);
    return false;
  }
  checkpoints.resume = std::move(saved->search);
  names = std::move(saved->names);
  return true;
}

// Of the file, and of the program's own source. False after it has said what is wrong with them.
bool read_annotations(CheckOptions& options, Target& target, Annotated& out) {
  const bool has_file = !options.annotations.empty();
  if (!target.program().instrumented()) {
    if (!has_file) return true;
    complain(
        fmt::format("--annotations are about memory accesses, and {} does not tell them: build it "
                    "with mazurka-cc or mazurka-c++",
                    options.command.argv[0]));
    return false;
  }
  const std::vector<AnnotationName> marked = marked_functions(target);
  if (!has_file && marked.empty()) return true;
  if (!marked.empty() && !(options.checkpoint.empty() && options.resume.empty())) {
    complain(
        fmt::format("{} says in {} that its calls are one operation, which goes with neither "
                    "--checkpoint nor --resume",
                    options.command.argv[0], marked.front().second));
    return false;
  }
  Result<Annotations> read = has_file ? Annotations::read(options.annotations) : Annotations();
  if (read) read->add(marked);
  Result<Annotated> annotated = read ? annotate(*read, target) : read.error();
  if (!annotated) {
    complain(annotated.error().message);
    return false;
  }
  options.search.is_annotated = true;
  options.search.commuting = commuting_functions(*annotated);
  out = std::move(*annotated);
  return true;
}

// What the source knows is asked when there is something to suppress.
std::function<bool(const Finding&)> suppressor(Suppressions& suppressions, const Target& target,
                                               const Program& program) {
  return [&suppressions, &target, &program](const Finding& finding) {
    const std::unique_ptr<Places> places = target.places();
    return suppressions.cover(finding, Describer(program, places.get()));
  };
}

// Where no line is known, the address of the code stands for it.
std::function<std::string(const Finding&)> race_key(const Target& target, const Program& program) {
  return [&target, &program](const Finding& finding) {
    const MemoryConflict* conflict = conflict_of(finding);
    if (conflict == nullptr) return fmt::format("unreplayed {}", finding.sighting.address);
    const std::unique_ptr<Places> places = target.places();
    const Describer describer(program, places.get());
    std::vector<std::string> lines;
    for (const MemoryAccess* access : {&conflict->first, &conflict->second}) {
      const std::string line = describer.location(access->place);
      lines.push_back(line.empty() ? fmt::format("{:#x}", access->place.pc) : line);
    }
    std::sort(lines.begin(), lines.end());
    const bool has_name = conflict->where.storage == Storage::Module;
    return fmt::format("{} {} {}", lines[0], lines[1], has_name ? describer.memory(*conflict) : "");
  };
}

Verdict search(const CheckOptions& options, double used_s, Program& program,
               UnguardedWaits& waits) {
  ProgressLine line(!options.quiet);
  SearchOptions search = options.search;
  search.interrupted = &watch_interrupts();
  // The launch has had its part of the time.
  if (search.timeout_s > 0) search.timeout_s = std::max(search.timeout_s - used_s, 1e-3);
  search.wants_size = line.is_shown();
  if (options.command.channels.spurious == 0)
    search.on_execution = [&waits](const Execution& execution) { waits.note(execution); };
  search.progress = [&line](const Progress& progress) { line.show(progress); };
  Result<Verdict> verdict = options.compare.empty()
                                ? explore(program, search)
                                : explore_and_compare(program, search, options.compare);
  MAZURKA_CHECK(verdict.ok());  // the options were read with the same names
  line.conclude(*verdict);
  return std::move(*verdict);
}

// Where every access counts as one of an operation or of a transition, those that are not seen are
// named.
void name_unseen_calls(const CheckOptions& options, const Target& target, Verdict& verdict) {
  const bool matters = options.command.memory == MemoryMode::Visible ||
                       options.search.transitions == Transitions::Composed;
  if (!matters || !target.program().instrumented()) return;
  std::vector<std::string> names = target.unseen_calls();
  if (!names.empty()) verdict.assumptions.push_back({Assumption::UnseenCalls, 0, std::move(names)});
}

// What a person can find: code with lines, of the program's own.
void name_unseen_code(const Target& target, Verdict& verdict) {
  constexpr size_t kMostNamed = 3;
  if (!target.program().instrumented()) return;
  const std::vector<std::string> places = target.unseen_places();
  if (places.empty()) return;
  const size_t named = std::min(places.size(), kMostNamed);
  verdict.assumptions.push_back(
      {Assumption::UnseenCode, places.size() - named, {places.begin(), places.begin() + named}});
}

void name_unguarded_waits(const UnguardedWaits& waits, const CheckOptions& options, Target& target,
                          Verdict& verdict) {
  if (verdict.trouble) return;
  std::vector<std::string> places = waits.find(target, options.search.limits);
  if (!places.empty()) verdict.notes.push_back({Note::WaitsUnguarded, 0, std::move(places)});
}

// With the bound that was tried last, if it grew by itself.
Limits limits_of(const CheckOptions& options, const Verdict& verdict) {
  Limits limits = options.search.limits;
  if (verdict.bound > 0) limits.bound = verdict.bound;
  return limits;
}

// "philosophers.deadlock-1.schedule"
std::string schedule_name(const std::string& program, FindingKind kind, int number) {
  return fmt::format("{}.{}-{}.schedule", fs::path(program).filename().string(), name_of(kind),
                     number);
}

using AnnotationNames = std::vector<AnnotationName>;

std::vector<std::vector<ScheduledStep>> earlier_steps(const Finding& finding,
                                                      const Program& program,
                                                      const Describer& describer) {
  std::vector<std::vector<ScheduledStep>> all;
  for (const EarlierExecution& other : finding.earlier) {
    all.push_back(scheduled_steps(other.schedule, other.execution, program, describer));
  }
  return all;
}

// "" in place of the path of one that could not be written.
std::vector<std::string> write_schedules(const CheckOptions& options, const Verdict& verdict,
                                         const AnnotationNames& annotations, const Program& program,
                                         const Describer& describer) {
  std::vector<std::string> paths;
  std::map<FindingKind, int> numbers;
  std::error_code error;
  if (!verdict.findings.empty()) fs::create_directories(options.schedules, error);
  for (const Finding& finding : verdict.findings) {
    const int number = ++numbers[finding.kind()];
    const fs::path path = fs::path(options.schedules) /
                          schedule_name(options.command.argv[0], finding.kind(), number);
    const ScheduleFile file = {
        options.command.argv,
        fs::current_path(error).string(),
        options.command.stdin_file,
        finding.kind() == FindingKind::Tester ? options.tester : "",
        options.command.memory,
        options.command.discipline,
        options.command.atomics,
        annotations,
        options.command.channels,
        program.needs(),
        program.seen_accesses(),
        limits_of(options, verdict),
        finding.kind(),
        message(finding, describer),
        scheduled_steps(finding.schedule, finding.execution, program, describer),
        earlier_steps(finding, program, describer)};
    const Result<void> written = write_schedule(file, path.string());
    if (!written) complain(written.error().message);
    paths.push_back(written ? path.lexically_normal().string() : "");
  }
  return paths;
}

// What the search found is printed all the same. False after it has said what is wrong.
bool write_file(const std::string& file, const std::string& text) {
  return file.empty() || write_output(text, file) == ExitCode::Ok;
}

bool files_are_writable(const CheckOptions& options) {
  return output_is_writable(options.json) && output_is_writable(options.sarif) &&
         output_is_writable(options.junit) && output_is_writable(options.html) &&
         (options.checkpoint.empty() || output_is_writable(options.checkpoint + ".new"));
}

std::string html_page(const Report& report, const CheckOptions& options, Target& target,
                      Places& places, ObjectNames& names) {
  const Limits limits = limits_of(options, report.verdict);
  const auto learn = [&](const Execution& execution) {
    names.learn(execution, execution.transitions.size(), limits, target.files());
  };
  FindingRuns runs(target.program(), limits, options.search.tester, learn);
  return html_report(report, places, &runs);
}

// False: some of it could not be written.
bool report(const CheckOptions& options, const Verdict& verdict, const AnnotationNames& annotations,
            Target& target, Program& program, const std::shared_ptr<const Stop>& stop) {
  const std::unique_ptr<Places> places = target.places();
  ObjectNames names = target.object_names();
  names.stop_by(stop);
  program.stop_by(stop);
  for (const Finding& finding : verdict.findings) {
    names.learn(finding.execution,
                std::max<size_t>(finding.schedule.size(), finding.sighting.length),
                options.search.limits, target.files());
  }
  program.stop_by(nullptr);
  const Describer describer(program, places.get(), &names);
  const Report report = {verdict,
                         describer,
                         write_schedules(options, verdict, annotations, program, describer),
                         options.command.argv,
                         limits_of(options, verdict).bound,
                         MAZURKA_VERSION};
  fmt::print("{}", options.quiet ? verdict_text(verdict, options.style)
                                 : text_report(report, options.style));
  bool good = write_file(options.json, json_report(report));
  if (!options.sarif.empty())
    good &= write_file(options.sarif, sarif_report(report, MAZURKA_VERSION));
  if (!options.junit.empty()) good &= write_file(options.junit, junit_report(report));
  if (!options.html.empty())
    good &= write_file(options.html, html_page(report, options, target, *places, names));
  if (verdict.trouble) complain(verdict.trouble->message);
  return good;
}

}  // namespace

ExitCode check_command(const std::vector<std::string>& arguments) {
  ExitCode exit_code = ExitCode::Ok;
  std::optional<CheckOptions> options = read_check_options(arguments, exit_code);
  if (!options) return exit_code;
  const Result<ProgramFile> file = inspect(options->command);
  if (!file) {
    complain(file.error().message);
    return ExitCode::Usage;
  }
  std::string names;
  Result<Suppressions> suppressions = Suppressions();
  if (!options->suppressions.empty()) suppressions = Suppressions::read(options->suppressions);
  if (!suppressions) {
    complain(suppressions.error().message);
    return ExitCode::Usage;
  }
  if (!read_tester(*options) || !files_are_writable(*options) ||
      !read_resumed(*options, *file, names)) {
    return ExitCode::Usage;
  }
  const auto stop = std::make_shared<Stop>(&watch_interrupts(), options->search.timeout_s);
  const Clock::time_point begin = Clock::now();
  const Result<std::unique_ptr<Target>> target = launch(options->command, *file, stop);
  if (!target) {
    complain(target.error().message);
    return stop->is_overdue() ? ExitCode::Incomplete : ExitCode::Trouble;
  }
  Program& program = (*target)->program();
  if (options->search.transitions == Transitions::Composed && !program.instrumented()) {
    complain(
        fmt::format("--transitions=composed must see memory accesses, and {} does not tell them: "
                    "build it with mazurka-cc or "
                    "mazurka-c++",
                    options->command.argv[0]));
    return ExitCode::Usage;
  }
  if (!options->resume.empty()) {
    if (const Result<void> restored = program.restore_names(names); !restored) {
      complain(restored.error().message);
      return ExitCode::Trouble;
    }
  }
  Annotated annotated;
  if (!read_annotations(*options, **target, annotated)) return ExitCode::Usage;
  if (!options->suppressions.empty()) {
    options->search.is_suppressed = suppressor(*suppressions, **target, program);
  }
  options->search.race_key = race_key(**target, program);
  UnguardedWaits waits;
  Verdict verdict = search(*options, seconds_since(begin), program, waits);
  name_unguarded_waits(waits, *options, **target, verdict);
  name_unseen_calls(*options, **target, verdict);
  name_unseen_code(**target, verdict);
  if (std::vector<std::string> unused = suppressions->unused(); !unused.empty())
    verdict.notes.push_back({Note::SuppressionsUnused, 0, std::move(unused)});
  const bool is_written = report(*options, verdict, annotations_now(annotated, **target), **target,
                                 program, options->compare.empty() ? stop : nullptr);
  exit_code = exit_code_of(verdict);
  return is_written || exit_code == ExitCode::Found ? exit_code : ExitCode::Trouble;
}

}  // namespace mazurka
