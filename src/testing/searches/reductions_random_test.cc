// Every search with reduction against `none`, on random scripted programs: the same deadlock
// states, the same end states, the same findings.
//
// MAZURKA_RANDOM_PROGRAMS=200000 runs more of them, MAZURKA_RANDOM_SEED=17 that one alone,
// MAZURKA_RANDOM_SEARCH=dpor only that search.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "explore/engine/search.h"
#include "explore/trace/end_states.h"
#include "objects/state_sink.h"
#include "testing/scripts/random_script.h"
#include "testing/scripts/scripted_program.h"

namespace mazurka {
namespace {

constexpr uint64_t kPrograms = 20'000;
// Of `none`: what takes more is passed over.
constexpr uint64_t kMostExecutions = 300;

// The objects as the last execution left them; without their clocks.
uint64_t object_states(const ScriptedProgram& program) {
  uint64_t print = 0;
  const auto put = [](void* to, int64_t value) {
    auto& so_far = *static_cast<uint64_t*>(to);
    so_far = (so_far ^ static_cast<uint64_t>(value)) * 0x100000001b3 + 0x9e3779b97f4a7c15;
  };
  StateSink sink{put, &print, false};
  const World& world = program.world();
  for (uint32_t i = 0; i < world.object_limit; ++i) add_object_state(world, ObjectId(i), sink);
  return print;
}

struct Found {
  Verdict verdict;
  std::map<uint64_t, std::vector<Choice>> states;
  std::set<uint64_t> deadlocks;
  std::set<Sighting> sightings;
};

Found search(const Script& script, const SearchOptions& options, ObjectId forgotten = kNoObject) {
  ScriptedProgram program(script);
  program.forget_accesses_to(forgotten);
  EndStates ends(program);
  ends.more = [&program] { return object_states(program); };
  Result<Verdict> verdict = explore(ends, options);
  EXPECT_TRUE(verdict);
  Found found{std::move(*verdict), ends.all(), ends.deadlocks(), {}};
  for (const Finding& finding : found.verdict.findings) found.sightings.insert(finding.sighting);
  return found;
}

// The schedule of an end state that is only in `a`.
std::string lost(const Found& a, const Found& b) {
  for (const auto& [state, schedule] : a.states) {
    if (b.states.count(state) > 0) continue;
    std::string text = "end states: none of";
    for (const Choice& choice : schedule) {
      text.append(" ").append(std::to_string(index(choice.thread)));
      text.append(":").append(std::to_string(choice.outcome));
    }
    return text;
  }
  return "";
}

// What differs, or nothing.
std::string difference(const Found& truth, const Found& found) {
  if (found.verdict.trouble) return found.verdict.trouble->message;
  if (found.verdict.guarantee != truth.verdict.guarantee) return "guarantee";
  if (const std::string missing = lost(truth, found); !missing.empty()) return missing;
  if (!lost(found, truth).empty()) return "end states that there should not be";
  if (found.deadlocks != truth.deadlocks) return "deadlock states";
  if (found.sightings != truth.sightings) return "findings";
  if (found.verdict.counts.executions > truth.verdict.counts.executions) return "more executions";
  return "";
}

struct Reduction {
  std::string search;
  bool conditional = false;
  Transitions transitions = Transitions::Visible;
};

bool wants_one_search() { return std::getenv("MAZURKA_RANDOM_SEARCH") != nullptr; }

std::vector<Reduction> reductions() {
  const char* only = std::getenv("MAZURKA_RANDOM_SEARCH");
  std::vector<Reduction> all;
  for (const std::string& name : search_names()) {
    if (name == "none" || (only != nullptr && name != only)) continue;
    all.push_back({name, false});
    if (takes_conditional(name)) all.push_back({name, true});
  }
  return all;
}

// Scripts from here on have pipes, too; or message queues; or timers; or signals; or locks of
// files; or uses of files; or what is rarely done.
constexpr uint64_t kChannelSeeds = uint64_t{1} << 32;
constexpr uint64_t kQueueSeeds = uint64_t{1} << 33;
constexpr uint64_t kTimerSeeds = uint64_t{1} << 34;
constexpr uint64_t kSignalSeeds = uint64_t{1} << 35;
constexpr uint64_t kFileLockSeeds = uint64_t{1} << 36;
constexpr uint64_t kFileUseSeeds = uint64_t{1} << 37;
constexpr uint64_t kRaritySeeds = uint64_t{1} << 38;

// Kinds of programs in turn, so that each gets its share.
RandomScriptOptions kind_of_script(uint64_t seed) {
  RandomScriptOptions options;
  switch (seed % 4) {
    case 0:
      options.max_operations = 7;
      break;
    case 1:  // few things, and deeper into them
      options.features =
          kMutexes | kConditions | kRwLocks | kSemaphores | kVariables | kTries | kTosses;
      options.max_threads = 3;
      options.max_operations = 9;
      break;
    case 2:
      options.features &= ~(kEnds | kMisuses);
      break;
    default:
      options.features |= kWaitsForOthers | kPauses;
      options.max_operations = 6;
      break;
  }
  const uint32_t talking = seed % 2 == 0 ? kChannels : kSockets;
  if (seed >= kRaritySeeds) {
    constexpr uint32_t kBeside[] = {0, kSignals, kQueues, kChannels, kSockets};
    options.features |= kRarities | kBeside[seed / 4 % 5];
  } else if (seed >= kFileUseSeeds) {
    constexpr uint32_t kBeside[] = {0, kSignals, kFileLocks, kChannels};
    options.features |= kFileUses | kBeside[seed / 4 % 4];
  } else if (seed >= kFileLockSeeds) {
    options.features |= kFileLocks | (seed % 8 == 1 ? kSignals : 0);
  } else if (seed >= kSignalSeeds) {
    options.features |= kSignals;
    options.max_threads = 3;
  } else if (seed >= kTimerSeeds) {
    options.features |= kTimers;
  } else if (seed >= kChannelSeeds) {
    options.features |= seed >= kQueueSeeds ? kQueues : talking;
  }
  return options;
}

uint64_t from_environment(const char* name, uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::strtoull(value, nullptr, 10) : otherwise;
}

SearchOptions search_options(const Reduction& reduction) {
  SearchOptions options;
  options.search = reduction.search;
  options.conditional = reduction.conditional;
  options.transitions = reduction.transitions;
  options.keep_going = true;
  return options;
}

std::string how_to_repeat(uint64_t seed, const Reduction& reduction, const Script& script) {
  return "search " + reduction.search + (reduction.conditional ? " --conditional" : "") +
         "\nrepeat: MAZURKA_RANDOM_SEED=" + std::to_string(seed) + " reductions_random_test\n" +
         to_string(script);
}

// Returns whether it was small enough to be compared.
bool compare_all(uint64_t seed, uint32_t bound) {
  const Script script = random_script(seed, kind_of_script(seed));
  SearchOptions plain = search_options({"none"});
  plain.limits.bound = bound;
  plain.max_executions = kMostExecutions;
  const Found truth = search(script, plain);
  if (truth.verdict.guarantee == Guarantee::Sampled) return false;
  for (const Reduction& reduction : reductions()) {
    // A search that begins by making worlds takes longer for that than for these programs, and
    // random_search_test has more of them for it.
    if (!takes_conditional(reduction.search) && seed % 5 != 0 && !wants_one_search()) continue;
    SearchOptions options = search_options(reduction);
    options.limits.bound = bound;
    const std::string differs = difference(truth, search(script, options));
    EXPECT_EQ(differs, "") << how_to_repeat(seed, reduction, script) << "bound " << bound;
    if (!differs.empty()) return false;
  }
  return true;
}

TEST(ReductionsRandom, FindWhatThePlainSearchFinds) {
  const uint64_t one = from_environment("MAZURKA_RANDOM_SEED", UINT64_MAX);
  if (one != UINT64_MAX) {
    for (const uint32_t bound : {0u, 2u}) compare_all(one, bound);
    return;
  }
  const uint64_t wanted = from_environment("MAZURKA_RANDOM_PROGRAMS", kPrograms);
  uint64_t compared = 0;
  for (uint64_t seed = 0; compared < wanted && !HasFailure(); ++seed) {
    compared += compare_all(seed, seed % 8 == 7 ? 2 : 0);
  }
}

void compare_tenth_from(uint64_t first) {
  const uint64_t wanted = from_environment("MAZURKA_RANDOM_PROGRAMS", kPrograms) / 10;
  uint64_t compared = 0;
  for (uint64_t seed = first; compared < wanted && !testing::Test::HasFailure(); ++seed) {
    compared += compare_all(seed, seed % 8 == 7 ? 2 : 0);
  }
}

TEST(ReductionsRandom, FindWhatThePlainSearchFindsInPipes) { compare_tenth_from(kChannelSeeds); }

TEST(ReductionsRandom, FindWhatThePlainSearchFindsInQueues) { compare_tenth_from(kQueueSeeds); }

TEST(ReductionsRandom, FindWhatThePlainSearchFindsOfTimers) { compare_tenth_from(kTimerSeeds); }

TEST(ReductionsRandom, FindWhatThePlainSearchFindsOfLocksOfFiles) {
  compare_tenth_from(kFileLockSeeds);
}

TEST(ReductionsRandom, FindWhatThePlainSearchFindsInFiles) { compare_tenth_from(kFileUseSeeds); }

TEST(ReductionsRandom, FindWhatThePlainSearchFindsOfRarities) { compare_tenth_from(kRaritySeeds); }

TEST(ReductionsRandom, FindWhatThePlainSearchFindsWithSignals) {
  const uint64_t wanted = from_environment("MAZURKA_RANDOM_PROGRAMS", kPrograms) / 20;
  uint64_t compared = 0;
  for (uint64_t seed = kSignalSeeds; compared < wanted && !HasFailure(); ++seed) {
    compared += compare_all(seed, seed % 8 == 7 ? 2 : 0);
  }
}

// --- releases that are invisible

const Reduction kByRules[] = {
    {"none", false, Transitions::First},         {"sleep", false, Transitions::First},
    {"persistent", false, Transitions::First},   {"dpor", false, Transitions::First},
    {"none", false, Transitions::Composed},      {"sleep", false, Transitions::Composed},
    {"persistent", false, Transitions::Composed}};

RandomScriptOptions kind_with_locks(uint64_t seed) {
  RandomScriptOptions options;
  options.features = kMutexes | kRwLocks | kJoins;
  if (seed % 2 == 0) options.features |= kConditions | kSemaphores;
  if (seed % 3 == 0) options.features |= kVariables | kTosses;
  if (seed % 5 == 0) options.features |= kTries;
  if (seed % 7 == 0) options.features |= kWaitsForOthers;
  if (seed % 3 == 1) options.features |= kPauses;
  if (seed % 11 == 0) options.features |= kProcesses | kRobust;
  options.max_operations = seed % 4 == 0 ? 10 : 8;
  return options;
}

// Without those that kill threads.
struct Quiet {
  Verdict verdict;
  std::set<uint64_t> states;
  std::set<Sighting> sightings;
};

Quiet search_quietly(const Script& script, SearchOptions options) {
  ScriptedProgram program(script);
  Quiet found;
  options.on_execution = [&](const Execution& execution) {
    if (!has_end_state(execution) || kills(execution)) return;
    found.states.insert(end_state(execution) ^ object_states(program) * 0x9e3779b97f4a7c15);
  };
  Result<Verdict> verdict = explore(program, options);
  EXPECT_TRUE(verdict);
  found.verdict = std::move(*verdict);
  for (const Finding& finding : found.verdict.findings) found.sightings.insert(finding.sighting);
  return found;
}

std::string difference(const Quiet& truth, const Quiet& found) {
  if (found.verdict.trouble) return found.verdict.trouble->message;
  if (found.verdict.guarantee != truth.verdict.guarantee) return "guarantee";
  if (found.states != truth.states) return "end states";
  if (found.sightings != truth.sightings) return "findings";
  return found.verdict.counts.executions > truth.verdict.counts.executions ? "more executions" : "";
}

bool compare_by_rules(uint64_t seed, bool with_ends) {
  RandomScriptOptions kind = kind_with_locks(seed);
  if (with_ends) kind.features |= kEnds | kMisuses;
  const Script script = random_script(seed, kind);
  SearchOptions plain = search_options({"none"});
  plain.limits.bound = seed % 8 == 7 ? 3 : 0;
  plain.max_executions = kMostExecutions;
  const Quiet truth = search_quietly(script, plain);
  if (truth.verdict.guarantee == Guarantee::Sampled) return false;
  for (const Reduction& reduction : kByRules) {
    SearchOptions options = search_options(reduction);
    options.limits.bound = plain.limits.bound;
    const std::string differs = difference(truth, search_quietly(script, options));
    EXPECT_EQ(differs, "") << "--transitions=" << name_of(reduction.transitions)
                           << ", ends: " << with_ends << ", "
                           << how_to_repeat(seed, reduction, script);
    if (!differs.empty()) return false;
  }
  return true;
}

TEST(ReductionsRandom, FindTheSameWhenReleasesAreInvisible) {
  const uint64_t one = from_environment("MAZURKA_RANDOM_SEED", UINT64_MAX);
  if (one != UINT64_MAX) {
    for (const bool with_ends : {false, true}) compare_by_rules(one, with_ends);
    return;
  }
  const uint64_t wanted = from_environment("MAZURKA_RANDOM_PROGRAMS", kPrograms) / 8;
  for (const bool with_ends : {false, true}) {
    uint64_t compared = 0;
    for (uint64_t seed = 0; compared < wanted && !HasFailure(); ++seed) {
      compared += compare_by_rules(seed, with_ends);
    }
  }
}

// If the log forgets what is done to an object, each search differs from `none` soon.
void notice_forgotten_object(uint64_t first_seed, bool (*is_forgotten)(const ScriptObject&)) {
  for (const Reduction& reduction : reductions()) {
    bool differs = false;
    for (uint64_t seed = first_seed; !differs && seed < first_seed + 200; ++seed) {
      const Script script = random_script(seed, kind_of_script(seed));
      const auto forgotten =
          std::find_if(script.objects.begin(), script.objects.end(), is_forgotten);
      if (forgotten == script.objects.end()) continue;
      SearchOptions plain = search_options({"none"});
      plain.max_executions = kMostExecutions;
      const Found truth = search(script, plain);
      if (truth.verdict.guarantee == Guarantee::Sampled) continue;
      const auto id = static_cast<uint32_t>(forgotten - script.objects.begin());
      const Found found = search(script, search_options(reduction), ObjectId{id});
      differs = !difference(truth, found).empty();
    }
    EXPECT_TRUE(differs) << reduction.search;
  }
}

TEST(ReductionsRandom, NoticeAWrongDependency) {
  notice_forgotten_object(0, [](const ScriptObject&) { return true; });
}

TEST(ReductionsRandom, NoticeAWrongDependencyOfFiles) {
  notice_forgotten_object(kFileUseSeeds, [](const ScriptObject& object) {
    return object.kind == ObjectKind::FileData;
  });
}

}  // namespace
}  // namespace mazurka
