#include "cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "base/processors.h"
#include "cli/terminal.h"

namespace mazurka {
namespace {

constexpr size_t kMostJobs = 256;

// The groups of options in the help.
constexpr char kSearching[] = "The search";
constexpr char kLimits[] = "Limits";
constexpr char kReports[] = "Reports";
constexpr char kRunning[] = "How the program is run";

constexpr char kExitCodes[] =
    "\nExit codes: 0 nothing found, and the search is complete; 1 something found; 2 wrong usage "
    "or\n"
    "input; 3 nothing found, but not complete; 4 the world or Mazurka failed.\n";

// Unless the user says how many workers there should be: a short search is over before others could
// help, and this way it comes to the same first finding every time.
constexpr uint64_t kAlone = 500;

CLI::Validator one_of(std::vector<std::string> names) {
  const auto check = [names = std::move(names)](const std::string& text) -> std::string {
    if (std::find(names.begin(), names.end(), text) != names.end()) return "";
    return fmt::format("there is no search '{}'; the searches are: {}", text,
                       fmt::join(names, ", "));
  };
  return CLI::Validator(check, "");
}

void add_carrier(CLI::App& app, Carrier& carrier) {
  const std::map<std::string, Carrier> names = {{"fibers", Carrier::Fibers},
                                                {"threads", Carrier::KernelThreads}};
  const auto known = [names](const std::string& text) -> std::string {
    return names.count(text) > 0 ? "" : fmt::format("'{}' is neither fibers nor threads", text);
  };
  app.add_option_function<std::string>(
         "--carrier", [names, &carrier](const std::string& text) { carrier = names.at(text); },
         "What carries a thread: fibers (the default), or kernel threads, for sanitizers")
      ->check(CLI::Validator(known, ""))
      ->type_name("fibers|threads")
      ->group(kRunning);
}

void add_reset(CLI::App& app, Invocation& command) {
  const auto known = [](const std::string& text) -> std::string {
    const bool good = text == "auto" || text == "in-place" || text == "fork";
    return good ? "" : fmt::format("'{}' is none of auto, in-place, fork", text);
  };
  const auto take = [&command](const std::string& text) {
    command.reset = text == "fork" ? Reset::Fork : Reset::InPlace;
    command.only_this_reset = text == "in-place";
  };
  app.add_option_function<std::string>(
         "--reset", take,
         "How each execution begins: in the same process with its memory put back (in-place), in a "
         "new one (fork), or in place as long as that is enough (auto, the default)")
      ->check(CLI::Validator(known, ""))
      ->type_name("auto|in-place|fork")
      ->group(kRunning);
}

void add_memory(CLI::App& app, MemoryMode& memory) {
  const auto known = [](const std::string& text) -> std::string {
    return memory_mode_of(text) ? "" : fmt::format("'{}' is neither races nor visible", text);
  };
  app.add_option_function<std::string>(
         "--memory", [&memory](const std::string& text) { memory = *memory_mode_of(text); },
         "Plain memory accesses of a program that was built with mazurka-cc: checked for data "
         "races (races, the default), or "
         "operations themselves (visible)")
      ->check(CLI::Validator(known, ""))
      ->type_name("races|visible")
      ->group(kRunning);
}

void add_atomics(CLI::App& app, Atomics& atomics) {
  const auto known = [](const std::string& text) -> std::string {
    return text == "on" || text == "off" ? "" : fmt::format("'{}' is neither on nor off", text);
  };
  const auto take = [&atomics](const std::string& text) {
    atomics = text == "on" ? Atomics::Seen : Atomics::Unseen;
  };
  app.add_option_function<std::string>("--atomics", take,
                                       "Locked instructions of code that was not built with "
                                       "mazurka-c++: operations (on, the default), or "
                                       "not seen (off)")
      ->check(CLI::Validator(known, ""))
      ->type_name("on|off")
      ->group(kRunning);
}

// A flag, so that the word after it is not its value; without one it is "true".
void add_discipline(CLI::App& app, Discipline& discipline) {
  const auto read = [](const std::string& text) {
    return discipline_of(text == "true" ? "checked" : text);
  };
  const auto known = [read](const std::string& text) -> std::string {
    return read(text) ? "" : fmt::format("'{}' is neither checked nor strict", text);
  };
  const std::string help =
      "Check the locking discipline of a program that was built with mazurka-cc: shared memory is "
      "only read, or the same "
      "lock is held at every access of an execution (--discipline=checked, or nothing) or of all "
      "of them "
      "(--discipline=strict)";
  app.add_flag("--discipline", help)
      ->check(CLI::Validator(known, ""))
      ->each([read, &discipline](const std::string& text) { discipline = *read(text); })
      ->group(kRunning);
}

// What CLI11 left over is PROGRAM and its arguments, untouched: as a positional option it would
// take "[a,b]" apart. An unknown flag is left over, too, and only a "--" before it makes it a
// program.
bool take_program(const CLI::App& app, const std::string& command, std::vector<std::string>& argv) {
  argv = app.remaining();
  const bool marked = !argv.empty() && argv[0] == "--";
  if (marked) argv.erase(argv.begin());
  if (argv.empty()) {
    complain(fmt::format("there is no program: mazurka {} [options] [--] PROGRAM [ARGS]", command));
    return false;
  }
  if (argv[0].size() > 1 && argv[0][0] == '-' && !marked) {
    complain(no_such_option(app, argv[0], command));
    return false;
  }
  return true;
}

// What CLI11 left over after "--". gdb steps through threads, so it needs real ones.
bool take_gdb_arguments(const CLI::App& app, ReplayOptions& options) {
  std::vector<std::string> rest = app.remaining();
  const bool marked = !rest.empty() && rest[0] == "--";
  if (marked) rest.erase(rest.begin());
  if (!rest.empty() && !marked && rest[0].size() > 1 && rest[0][0] == '-') {
    complain(no_such_option(app, rest[0], "replay"));
    return false;
  }
  if (!rest.empty() && !(marked && options.gdb)) {
    complain(fmt::format("there is nothing to do with '{}'; see 'mazurka replay --help'", rest[0]));
    return false;
  }
  options.gdb_arguments = rest;
  if (options.gdb) options.carrier = Carrier::KernelThreads;
  return true;
}

CLI::Option* add_search(CLI::App& app, SearchOptions& search, const std::vector<std::string>& names,
                        const std::string& help) {
  return app.add_option("--search", search.search, help)
      ->check(one_of(names))
      ->type_name(fmt::format("{}", fmt::join(names, "|")))
      ->group(kSearching);
}

void add_seed(CLI::App& app, SearchOptions& search) {
  app.add_option("--seed", search.seed, "Of executions that are drawn at random (1)")
      ->transform(whole_number(0, std::numeric_limits<uint64_t>::max()))
      ->type_name("N")
      ->group(kSearching);
}

CLI::Option* add_searches(CLI::App& app, SearchOptions& search) {
  search.search = "auto";
  std::vector<std::string> names = search_names();
  for (std::string& name : sampler_names()) names.push_back(std::move(name));
  add_seed(app, search);
  app.add_option("--bug-depth", search.bug_depth,
                 "Orders of two steps that the bugs need for which pct looks (3)")
      ->transform(whole_number(1, kMostChanges + 1))
      ->type_name("D")
      ->group(kSearching);
  return add_search(app, search, names,
                    "How to search (auto, the default: optimal, with samples in between where it "
                    "takes long; optimal: once for each trace; none: every interleaving; random, "
                    "pct, pos, surw, lag: samples only)");
}

CLI::Option* add_transitions(CLI::App& app, SearchOptions& search) {
  const auto known = [](const std::string& text) -> std::string {
    return transitions_of(text) ? ""
                                : fmt::format("'{}' is none of visible, first, composed", text);
  };
  return app
      .add_option_function<std::string>(
          "--transitions",
          [&search](const std::string& text) { search.transitions = *transitions_of(text); },
          "What is one transition: each operation on a lock (visible, the default); with the "
          "releases after it (first); with all "
          "that it reads and writes, so that critical sections may commute (composed: with the "
          "searches none, sleep and "
          "persistent, of which sleep is the default then)")
      ->check(CLI::Validator(known, ""))
      ->type_name("visible|first|composed")
      ->group(kSearching);
}

void add_stops(CLI::App& app, SearchOptions& search) {
  app.add_option("--max-executions", search.max_executions, "Stop after so many")
      ->transform(whole_number(1, std::numeric_limits<uint64_t>::max()))
      ->type_name("N")
      ->group(kLimits);
  app.add_option("--timeout", search.timeout_s, "Stop after so many seconds")
      ->check(seconds())
      ->type_name("SECONDS")
      ->group(kLimits);
}

void add_channels(CLI::App& app, ChannelOptions& channels) {
  const auto known = [](const std::string& text) -> std::string {
    return text == "reliable" || text == "lossy"
               ? ""
               : fmt::format("'{}' is neither reliable nor lossy", text);
  };
  app.add_option_function<std::string>(
         "--udp", [&channels](const std::string& text) { channels.lossy_udp = text == "lossy"; },
         "Datagrams of UDP arrive in their order (reliable, the default), or each may be lost, or "
         "overtake others (lossy)")
      ->check(CLI::Validator(known, ""))
      ->type_name("reliable|lossy")
      ->group(kRunning);
  app.add_flag(
         "--partial-io", channels.partial_io,
         "Reads and writes of pipes and streams may transfer one byte, or half, of what they could")
      ->group(kRunning);
  app.add_flag("--spurious{1}", channels.spurious,
               "Waits for conditions may wake up without a signal, and weak compare-exchanges fail "
               "without a reason, once in each thread (--spurious=N: N times)")
      ->transform(whole_number(0, 100))
      ->group(kRunning);
  app.add_flag("--reuse{1}", channels.reuse,
               "Each thread may get one heap block or pthread_t that another has given back "
               "(--reuse=N: N of them)")
      ->transform(whole_number(0, 100))
      ->group(kRunning);
}

void add_program(CLI::App& app, Invocation& command) {
  app.add_option("--stdin", command.stdin_file, "The program's standard input (nothing)")
      ->type_name("FILE")
      ->group(kRunning);
  add_carrier(app, command.carrier);
  add_reset(app, command);
  add_memory(app, command.memory);
  add_discipline(app, command.discipline);
  add_atomics(app, command.atomics);
  add_channels(app, command.channels);
}

void add_limits(CLI::App& app, Limits& limits) {
  const uint64_t most = std::numeric_limits<uint32_t>::max();
  app.add_option("--depth", limits.depth, "Transitions of an execution, at most (10000)")
      ->transform(whole_number(1, kMaxSteps))
      ->type_name("N")
      ->group(kLimits);
  app.add_option("--bound", limits.bound,
                 "Transitions of each thread, at most (no bound; for programs that do not end one "
                 "that grows)")
      ->transform(whole_number(0, most))
      ->type_name("N")
      ->group(kLimits);
  app.add_option("--livelock", limits.livelock,
                 "Successive global states in which a thread may be disabled (not looked for)")
      ->transform(whole_number(0, most))
      ->type_name("N")
      ->group(kLimits);
  app.add_option("--divergence", limits.divergence_s, "Seconds of invisible running, at most (5)")
      ->check(seconds())
      ->type_name("SECONDS")
      ->group(kLimits);
}

void add_style(CLI::App& app, TextStyle& style) {
  style = terminal_style();
  app.add_flag("--full", style.is_full, "Print all steps of schedules, not only those that matter")
      ->group(kReports);
  const auto known = [](const std::string& text) -> std::string {
    const bool good = text == "auto" || text == "always" || text == "never";
    return good ? "" : fmt::format("'{}' is none of auto, always, never", text);
  };
  const auto take = [&style](const std::string& text) {
    if (text != "auto") style.colours = text == "always";
  };
  app.add_option_function<std::string>("--color", take,
                                       "Colours: on a terminal (auto, the default), always, never")
      ->check(CLI::Validator(known, ""))
      ->type_name("auto|always|never")
      ->group(kReports);
}

void add_checkpoints(CLI::App& app, CheckOptions& options) {
  app.add_option("--checkpoint", options.checkpoint,
                 "Save the search now and then, and when it stops")
      ->type_name("FILE")
      ->group(kSearching);
  app.add_option("--checkpoint-interval", options.search.checkpoints.interval_s,
                 "Seconds between two checkpoints (10)")
      ->check(seconds())
      ->type_name("SECONDS")
      ->group(kSearching);
  app.add_option("--resume", options.resume, "Go on with a search that was saved")
      ->type_name("FILE")
      ->group(kSearching);
}

bool can_be_saved(const CheckOptions& options) {
  if (options.checkpoint.empty() && options.resume.empty()) return true;
  if (options.command.discipline == Discipline::Strict) {
    complain(
        "--discipline=strict compares executions of the whole search, which goes with neither "
        "--checkpoint nor --resume");
    return false;
  }
  if (!options.annotations.empty()) {
    complain(
        "a search with --annotations may start anew, which goes with neither --checkpoint nor "
        "--resume");
    return false;
  }
  if (options.compare.empty()) return true;
  complain("--compare searches twice, so it goes with neither --checkpoint nor --resume");
  return false;
}

// Composed transitions are right where the locking discipline is kept.
void compose(CheckOptions& options, bool search_is_chosen) {
  if (!search_is_chosen) options.search.search = "sleep";
  if (options.command.discipline == Discipline::Unchecked)
    options.command.discipline = Discipline::Checked;
}

bool can_be_composed(const CheckOptions& options) {
  const SearchOptions& search = options.search;
  if (search.transitions == Transitions::Visible) return true;
  if (!options.checkpoint.empty() || !options.resume.empty()) {
    complain(fmt::format("a search with --transitions={} learns as it goes, and cannot be saved",
                         name_of(search.transitions)));
    return false;
  }
  if (search.transitions != Transitions::Composed) return true;
  if (options.command.memory == MemoryMode::Visible) {
    complain(
        "--transitions=composed is for plain accesses that are no operations: it does not go with "
        "--memory=visible");
    return false;
  }
  const std::string why = contradiction(search);
  if (!why.empty()) complain(fmt::format("--transitions=composed: {}", why));
  return why.empty();
}

// A search of its own.
bool can_be_within_preemptions(CheckOptions& options, bool search_is_chosen) {
  SearchOptions& search = options.search;
  if (!search.preemptions && !search.deepen) return true;
  const char* option = search.preemptions ? "--preemptions" : "--deepen";
  if (search_is_chosen || !options.compare.empty() || search.transitions != Transitions::Visible) {
    complain(
        fmt::format("{} is a search of its own: it goes with none of --search, --compare and "
                    "--transitions",
                    option));
    return false;
  }
  search.search = "preemptions";
  search.grows_bound = search.grows_bound && !search.deepen;
  return true;
}

bool can_be_conditional(const SearchOptions& search) {
  if (!search.conditional || takes_conditional(search.search)) return true;
  complain(
      fmt::format("--conditional is for searches with sleep sets, and {} has none", search.search));
  return false;
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a list of options
std::optional<CheckOptions> read_check_options(const std::vector<std::string>& arguments,
                                               ExitCode& exit_code) {
  CheckOptions options;
  SearchOptions& search = options.search;
  search.jobs = std::min(processor_count(), kMostJobs);
  const auto app = make_app("Explores every behaviour of a concurrent program.",
                            "mazurka check [options] [--] PROGRAM [ARGS]");
  app->prefix_command();
  const CLI::Option* searches = add_searches(*app, search);
  app->add_option(
         "--preemptions", search.preemptions,
         "All schedules with at most K preemptions: steps that take the turn from a thread "
         "that could go on")
      ->transform(whole_number(0, std::numeric_limits<uint32_t>::max() - 1))
      ->type_name("K")
      ->group(kSearching);
  app->add_flag(
         "--deepen", search.deepen,
         "First those without preemptions, then with one, and so on, until there are no others "
         "(or up to --preemptions)")
      ->group(kSearching);
  add_transitions(*app, search);
  app->add_flag("--conditional", search.conditional,
                "Let operations sleep that commute in the state where they meet (sleep, "
                "persistent, dpor)")
      ->group(kSearching);
  app->add_option("--compare", options.compare,
                  "Search once more, with this search, and compare what both found")
      ->check(one_of(search_names()))
      ->type_name(fmt::format("{}", fmt::join(search_names(), "|")))
      ->group(kSearching);
  app->add_option(
         "--suppressions", options.suppressions,
         "Races that are known: function:, file:, variable: or race: and a pattern on each line")
      ->type_name("FILE")
      ->group(kSearching);
  app->add_option("--annotations", options.annotations,
                  "Memory that only one thread uses and calls that are single operations: on each "
                  "line a word such as unshared or "
                  "atomic, then variable:, class: or their like and a pattern")
      ->type_name("FILE")
      ->group(kSearching);
  app->add_option("--tester", options.tester, "What the program's events must not do")
      ->type_name("FILE")
      ->group(kSearching);
  add_limits(*app, search.limits);
  app->add_flag("--keep-going", search.keep_going,
                "Find everything, do not stop at the first finding")
      ->group(kSearching);
  search.minimize = true;
  app->footer(kExitCodes);
  app->add_flag_callback(
         "--no-minimize", [&search] { search.minimize = false; },
         "Report the schedules as they were found: do not look for shorter ones")
      ->group(kReports);
  const CLI::Option* jobs =
      app->add_option("--jobs", search.jobs, "Workers (as many as there are processors)")
          ->transform(whole_number(1, kMostJobs))
          ->type_name("N")
          ->group(kSearching);
  add_stops(*app, search);
  add_checkpoints(*app, options);
  app->add_option("--json", options.json, "Write the verdict as JSON, too")
      ->type_name("FILE")
      ->group(kReports);
  app->add_option("--sarif", options.sarif, "Write it as SARIF 2.1.0, for code review tools")
      ->type_name("FILE")
      ->group(kReports);
  app->add_option("--junit", options.junit, "Write it as JUnit XML, for CI servers")
      ->type_name("FILE")
      ->group(kReports);
  app->add_option("--html", options.html, "Write it as a page with the schedules step by step")
      ->type_name("FILE")
      ->group(kReports);
  app->add_option("--schedules", options.schedules, "Where the schedules of findings go (.)")
      ->type_name("DIR")
      ->group(kReports);
  add_program(*app, options.command);
  app->add_flag("--quiet", options.quiet, "Print the verdict only")->group(kReports);
  add_style(*app, options.style);

  if (!parse(*app, arguments, exit_code)) return std::nullopt;
  search.alone = jobs->count() == 0 ? kAlone : 0;
  // What samples see must not make up for what a search has lost.
  if (!options.compare.empty() && search.search == "auto") search.search = "optimal";
  const bool wants_own_limits = app->count("--depth") > 0 || app->count("--bound") > 0;
  const bool is_saved = !options.checkpoint.empty() || !options.resume.empty();
  search.grows_bound = !wants_own_limits && !is_saved && options.compare.empty();
  if (search.transitions == Transitions::Composed) compose(options, searches->count() > 0);
  if (!take_program(*app, "check", options.command.argv) ||
      !can_be_within_preemptions(options, searches->count() > 0) || !can_be_conditional(search) ||
      !can_be_saved(options) || !can_be_composed(options)) {
    exit_code = ExitCode::Usage;
    return std::nullopt;
  }
  return options;
}

std::optional<EstimateOptions> read_estimate_options(const std::vector<std::string>& arguments,
                                                     ExitCode& exit_code) {
  EstimateOptions options;
  SearchOptions& search = options.search;
  search.timeout_s = 10;
  const auto app = make_app("Tells how large the search of a program is.",
                            "mazurka estimate [options] [--] PROGRAM [ARGS]");
  app->prefix_command();
  app->add_option("--timeout", search.timeout_s, "Refine it for so many seconds (10)")
      ->check(seconds())
      ->type_name("SECONDS")
      ->group(kLimits);
  add_limits(*app, search.limits);
  add_seed(*app, search);
  app->add_option("--json", options.json, "Write it as JSON, too")
      ->type_name("FILE")
      ->group(kReports);
  add_program(*app, options.command);
  options.style = terminal_style();
  if (!parse(*app, arguments, exit_code)) return std::nullopt;
  if (!take_program(*app, "estimate", options.command.argv)) {
    exit_code = ExitCode::Usage;
    return std::nullopt;
  }
  return options;
}

std::optional<ExtractOptions> read_extract_options(const std::vector<std::string>& arguments,
                                                   ExitCode& exit_code) {
  ExtractOptions options;
  const auto app = make_app("Writes the tree of a program's events (mz_event) as an .aut file.",
                            "mazurka lts extract [options] [--] PROGRAM [ARGS]");
  app->prefix_command();
  app->add_option("-o,--output", options.output, "Where to write (standard output)")
      ->type_name("FILE");
  options.search.search = "optimal";
  add_search(*app, options.search, search_names(),
             "How to search (optimal: once for each trace; none: every interleaving)");
  add_limits(*app, options.search.limits);
  add_stops(*app, options.search);
  add_program(*app, options.command);
  if (!parse(*app, arguments, exit_code)) return std::nullopt;
  if (!take_program(*app, "lts extract", options.command.argv)) {
    exit_code = ExitCode::Usage;
    return std::nullopt;
  }
  return options;
}

std::optional<ReplayOptions> read_replay_options(const std::vector<std::string>& arguments,
                                                 ExitCode& exit_code) {
  ReplayOptions options;
  const auto app =
      make_app("Runs the schedule of a finding again, and shows it with what the program wrote.",
               "mazurka replay [options] FILE [-- GDB ARGS]");
  app->allow_extras();
  app->add_option("FILE", options.file, "A schedule that mazurka check wrote")->required();
  app->add_flag("--gdb", options.gdb, "Run under gdb, stopped where the finding is");
  add_style(*app, options.style);
  add_carrier(*app, options.carrier);
  if (!parse(*app, arguments, exit_code)) return std::nullopt;
  if (!take_gdb_arguments(*app, options)) {
    exit_code = ExitCode::Usage;
    return std::nullopt;
  }
  return options;
}

namespace {

// What stands behind the name of a network is for us, not for it.
bool take_network_tester(SimOptions& options) {
  std::vector<std::string>& words = options.command.argv;
  const std::string& name = words[0];
  if (!name.ends_with(".net") && !name.ends_with(".aut")) return true;
  if (words.size() == 1) return true;
  const std::string flag = "--tester";
  if (words.size() == 3 && words[1] == flag) {
    options.tester = words[2];
  } else if (words.size() == 2 && words[1].rfind(flag + "=", 0) == 0) {
    options.tester = words[1].substr(flag.size() + 1);
  } else {
    complain(fmt::format(
        "there is nothing to do with '{}': mazurka sim [options] SYSTEM.net [--tester FILE]",
        words[1]));
    return false;
  }
  words.resize(1);
  return true;
}

}  // namespace

std::optional<SimOptions> read_sim_options(const std::vector<std::string>& arguments,
                                           ExitCode& exit_code) {
  SimOptions options;
  const auto app = make_app(
      "Serves a page on which a program, or a network of LTSs (SYSTEM.net), is run step by step.",
      "mazurka sim [options] [--] PROGRAM [ARGS]");
  app->prefix_command();
  app->add_option("--schedule", options.schedule,
                  "Begin with a schedule that mazurka check wrote; it knows its program")
      ->type_name("FILE");
  app->add_option("--tester", options.tester, "Show this tester's states beside the program's")
      ->type_name("FILE");
  app->add_option("--port", options.port, "The port to listen on (any that is free)")
      ->transform(whole_number(0, 65535))
      ->type_name("N");
  app->add_flag_callback(
      "--no-open", [&options] { options.opens = false; }, "Do not open the browser");
  app->add_option("--editor", options.editor,
                  "Open lines of the source with this, such as 'code -g {file}:{line}'")
      ->type_name("COMMAND");
  add_limits(*app, options.limits);
  add_program(*app, options.command);
  if (!parse(*app, arguments, exit_code)) return std::nullopt;
  const bool knows_program = !options.schedule.empty() && app->remaining().empty();
  if (!knows_program &&
      !(take_program(*app, "sim", options.command.argv) && take_network_tester(options))) {
    exit_code = ExitCode::Usage;
    return std::nullopt;
  }
  return options;
}

}  // namespace mazurka
