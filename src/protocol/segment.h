// The shared segment between the tool and the runtime inside the program: plan in, log out. One
// memfd, mapped by every process of the program and by the tool. Fixed layout, no pointers, no std
// types. Only the thread that holds the baton touches it (or the tool, while no execution runs), so
// it needs no locks.
//
// The tool must survive whatever the program does to these bytes: it reads them through
// program/segment_reader.h, which validates.
//
// The format. One Segment, whose fields lie one behind the other without gaps. Integers are those
// of x86-64: little-endian, aligned to their size. Enums, flags (0 or 1) and small counts have one
// byte; ids of threads and processes two, 0xffff for none; ids of objects four, 0xffffffff for
// none. Records refer to each other by an index into an array of the Segment: `x_begin` with
// `x_count` or `x_end` is a range of it. A text is an offset in `text` (of this batch), `kept_text`
// (of the whole search) or `file_text`, where it ends with a zero; 0 is no text. `padding` is never
// read.
//
//   who and when   magic, version, size_of_world: written once, looked at by who attaches
//   the call       control: futexes, processes, modes (process_records.h)
//   the batch      batch, plan, log: of the execution that runs (plan_records.h, log_records.h)
//   counts         text_count .. mapped_count: elements in use of the arrays with such names
//   canary         and last_canary at the end: damaged where the program wrote beyond its memory
//   this execution processes .. file_text: what processes share, and what the runtime knows of its
//                  objects and files (process_records.h, object_records.h, file_records.h)
//   this search    modules, unmodelled, names (kept_records.h, name_records.h)
//   the models     world: all of their state, as objects/world.h has it
//   plans          plans .. planned_block_accesses; free_run: the rest of the plan that runs
//   logs           steps .. guards; logs[i] says what of it belongs to the i-th execution
//   this search    known_words, annotated, annotated_code, older_code; scanned, sites:
//                  patch_records.h
//   for people     frames, text, kept_text
//
// One batch: the tool writes the plans, sets Batch::plan_count and wakes the server by
// Control::command. For each plan the server makes `plan` and `log` of it, and an execution runs;
// its log is kept in `logs`. Then the server counts up Control::done and wakes the tool, which
// reads the first Batch::run_count logs. Names stay, all else begins anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "execution/annotated.h"
#include "objects/world.h"
#include "protocol/file_records.h"
#include "protocol/kept_records.h"
#include "protocol/layout.h"
#include "protocol/log_records.h"
#include "protocol/name_records.h"
#include "protocol/object_records.h"
#include "protocol/patch_records.h"
#include "protocol/plan_records.h"
#include "protocol/process_records.h"
#include "schedule/free_run.h"
#include "schedule/planned_step.h"

namespace mazurka {

inline constexpr uint64_t kSegmentMagic = 0x616b7275'7a614d31;
// To be bumped with each change that a tool and a runtime of different builds must not meet with:
// of a record or array here, of the World and what is in it, of the numbers of an enum (a kind of
// operation that is not the last), or of what a field means or who writes it. The asserts below and
// in the records notice the first; nothing notices the last. A runtime that finds another number
// does not attach.
inline constexpr uint32_t kVersion = 28;

// Where the segment is mapped in every process of the program. Below it lie the heaps, above it the
// kernel's own choice.
inline constexpr uint64_t kSegmentAddress = 0x7000'0000'0000;

// The environment of the first process (and of each exec) names the segment by these.
inline constexpr char kSegmentVariable[] = "MAZURKA_SEGMENT";  // a path: /proc/PID/fd/N of the tool

inline constexpr char kProcessVariable[] =
    "MAZURKA_PROCESS";  // after exec: the ProcessId that goes on
inline constexpr char kPaddingVariable[] =
    "MAZURKA_PADDING";  // so that all these have the same length every time

// The tool's watchdog sends it to a process whose invisible code runs for too long: it notes where
// it is, and ends.
inline constexpr int kInterruptSignal = 63;
// The same, earlier: whether it is a loop that waits for others is found out, and then learned.
inline constexpr int kTraceSignal = 62;

struct Segment {
  uint64_t magic;
  uint32_t version;
  uint32_t size_of_world;
  Control control;
  Batch batch;
  PlanHeader plan;  // of the execution that runs
  LogHeader log;
  uint32_t text_count;       // of this batch
  uint32_t kept_text_count;  // of the whole search
  uint32_t module_count;
  uint32_t unmodelled_count;
  uint32_t sem_set_count;  // this and the next: 0 at the start of an execution
  uint32_t shared_file_count;
  uint32_t descriptor_count;
  uint32_t queue_count;
  uint32_t annotated_count;  // of the whole search, and the next
  uint32_t annotated_code_count;
  uint32_t socket_count;
  uint32_t file_count;
  uint32_t opened_count;
  uint32_t closed_count;  // one more than fit: there were others
  uint32_t private_file_count;
  uint32_t file_name_count;
  uint32_t file_text_count;
  uint32_t directory_count;
  uint32_t mapped_count;   // one more than fit: there were others
  uint32_t scanned_count;  // of the whole search, and the next
  uint32_t site_count;
  uint32_t older_code_count;
  uint64_t canary;  // kSegmentMagic: overwritten means that the program wrote into us
  ProcessSlot processes[kMaxThreads];
  ThreadPlace places[kMaxThreads];
  SharedMemory shared_memories[kMaxSharedMemories];
  SharedFile shared_files[kMaxSharedFiles];
  SemSetRecord sem_sets[kMaxSemSets];
  DescriptorRecord descriptors[kMaxDescriptors];
  QueueRecord queues[kMaxQueues];
  SocketRecord sockets[kMaxSockets];
  FileRecord files[kMaxFiles];
  OpenedFile opened[kMaxOpenedFiles];
  ClosedFile closed[kMaxClosedFiles];
  int32_t file_memories[kMaxPrivateFiles];  // descriptors of the server, +1; made when they are
                                            // needed first
  PrivateFile private_files[kMaxPrivateFiles];
  FileNameRecord file_names[kMaxFileNames];
  uint32_t file_name_table[kFileNameTableSize];  // open addressing: place in `file_names` + 1
  uint8_t told_names[kMaxObjects];               // by object: 1 if the log knows of the name
  OpenedDirectory directories[kMaxOpenedDirectories];
  MappedFile mapped[kMaxMappedFiles];
  char file_text[kMaxFileText];
  Module modules[kMaxModules];
  Unmodelled unmodelled[kMaxUnmodelled];
  Names names;
  World world;
  PlanHeader plans[kMaxBatch];
  LogHeader logs[kMaxBatch];
  PlannedStep prefix[kMaxSteps];
  Choice planned_sleep[kMaxSleep];
  PlanBlock planned_blocks[kMaxBlocks];
  Access planned_block_accesses[kMaxBlockAccesses];
  FreeRun free_run;
  LoggedStep steps[kMaxSteps];
  Choice enabled[kMaxEnabled];
  Access accesses[kMaxAccesses];
  LoggedSetting settings[kMaxSettings];
  LoggedCreation creations[kMaxCreations];
  LoggedThread logged_threads[kMaxLoggedThreads];
  LoggedRace races[kMaxRaces];
  LoggedGuard guards[kMaxGuards];
  KnownWords known_words;
  AnnotatedMemory annotated[kMaxAnnotated];         // by `begin`; none overlap
  AnnotatedCode annotated_code[kMaxAnnotatedCode];  // so are these
  OlderCode older_code[kMaxOlderCode];
  ScannedModule scanned[kMaxScannedModules];
  PatchSite sites[kMaxPatchSites];
  LoopPlaces loop;  // of this execution
  AccessWatch watch;
  uint64_t frames[kMaxFrames];
  char text[kMaxText];
  char kept_text[kMaxKeptText];
  uint64_t last_canary;
};

// Where the rest of the tool and people with a debugger look first. What follows the world depends
// on how large a model is.
static_assert(std::is_standard_layout_v<Segment> && std::is_trivially_copyable_v<Segment>);
static_assert(offsetof(Segment, magic) == 0 && offsetof(Segment, version) == 8);
static_assert(offsetof(Segment, control) == 16 && offsetof(Segment, batch) == 104);
static_assert(offsetof(Segment, plan) == 144 && offsetof(Segment, log) == 216);
static_assert(offsetof(Segment, text_count) == 352 && offsetof(Segment, canary) == 440);
static_assert(offsetof(Segment, processes) == 448 && offsetof(Segment, names) == 3'542'208);
static_assert(offsetof(Segment, world) == 6'696'136);
static_assert(is_laid_out<MemoryWord, 16> && is_laid_out<ObjectPlace, 24>);
static_assert(is_laid_out<AnnotatedMemory, 24> && is_laid_out<AnnotatedCode, 32>);
static_assert(is_laid_out<OlderCode, 16>);
static_assert(is_laid_out<PlannedStep, 12> && is_laid_out<PlanBlock, 20>);
static_assert(is_laid_out<Choice, 4> && is_laid_out<Access, 12>);
static_assert(is_laid_out<Operation, 48> && is_laid_out<Effect, 16>);

}  // namespace mazurka
