// The shared segment between the tool and the runtime inside the program: plan in, log out. One
// memfd, mapped by every process of the program and by the tool. Fixed layout, no pointers, no std
// types. Only the thread that holds the baton touches it (or the tool, while no execution runs), so
// it needs no locks.
//
// A change of layout or meaning bumps kVersion. The tool must survive whatever the program does to
// these bytes: it reads them through program/segment_reader.h, which validates.
#pragma once

#include <cstdint>

#include "execution/annotated.h"
#include "objects/world.h"
#include "protocol/file_records.h"
#include "protocol/kept_records.h"
#include "protocol/log_records.h"
#include "protocol/name_records.h"
#include "protocol/object_records.h"
#include "protocol/plan_records.h"
#include "protocol/process_records.h"
#include "schedule/free_run.h"
#include "schedule/planned_step.h"

namespace mazurka {

inline constexpr uint64_t kSegmentMagic = 0x616b7275'7a614d31;
inline constexpr uint32_t kVersion = 19;

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
  uint32_t mapped_count;  // one more than fit: there were others
  uint64_t canary;        // kSegmentMagic: overwritten means that the program wrote into us
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
  uint64_t frames[kMaxFrames];
  char text[kMaxText];
  char kept_text[kMaxKeptText];
  uint64_t last_canary;
};

}  // namespace mazurka
