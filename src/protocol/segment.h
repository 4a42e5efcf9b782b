// The shared segment between the tool and the runtime inside the program: plan in, log out. One
// memfd, mapped by every process of the program and by the tool. Fixed layout, no pointers, no std
// types. Only the thread that holds the baton touches it (or the tool, while no execution runs), so
// it needs no locks.
//
// A change of layout or meaning bumps kVersion. The tool must survive whatever the program does to
// these bytes: it reads them through program/segment_reader.h, which validates.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "objects/free_run.h"
#include "objects/operation.h"
#include "objects/planned_step.h"
#include "objects/world.h"

namespace mazurka {

inline constexpr uint64_t kSegmentMagic = 0x616b7275'7a614d31;
inline constexpr uint32_t kVersion = 19;

// Where the segment is mapped in every process of the program. Below it lie the heaps, above it the
// kernel's own choice.
inline constexpr uint64_t kSegmentAddress = 0x7000'0000'0000;

inline constexpr uint32_t kMaxSteps = 1u << 20;
inline constexpr uint32_t kMaxEnabled = 1u << 22;
inline constexpr uint32_t kMaxAccesses = 1u << 22;
inline constexpr uint32_t kMaxSettings = 1u << 16;
inline constexpr uint32_t kMaxCreations = 1u << 14;
inline constexpr uint32_t kMaxLoggedThreads = 1u << 14;
inline constexpr uint32_t kMaxBatch = 64;  // plans that are handed over at a time
inline constexpr uint32_t kMaxRaces = 1u << 12;
inline constexpr uint32_t kMaxGuards = 1u << 15;
inline constexpr uint32_t kMaxFrames = 1u << 20;
inline constexpr uint32_t kMaxText = 1u << 20;
inline constexpr uint32_t kMaxKeptText = 1u << 17;
inline constexpr uint32_t kMaxModules = 256;
inline constexpr uint32_t kMaxUnmodelled = 64;
inline constexpr uint32_t kMaxSharedMemories = 32;
inline constexpr uint32_t kMaxSharedFiles = 256;
inline constexpr uint32_t kMaxSemSets = 1024;
inline constexpr uint32_t kMaxQueues = 256;
inline constexpr uint32_t kMaxDescriptors = 4096;
inline constexpr uint32_t kMaxSockets = 1024;
inline constexpr uint32_t kMaxFiles = 1024;
inline constexpr uint32_t kMaxOpenedFiles = 1024;
inline constexpr uint32_t kMaxClosedFiles = 256;
inline constexpr uint32_t kMaxPrivateFiles = 256;
inline constexpr uint32_t kMaxFileNames = 1u << 14;
inline constexpr uint32_t kFileNameTableSize = kMaxFileNames * 2;
inline constexpr uint32_t kMaxFileText = 1u << 21;
inline constexpr uint32_t kMaxOpenedDirectories = 1024;
inline constexpr uint32_t kMaxMappedFiles = 256;
inline constexpr uint32_t kNameTableSize = kMaxObjects * 2;

// The environment of the first process (and of each exec) names the segment by these.
inline constexpr char kSegmentVariable[] = "MAZURKA_SEGMENT";  // a path: /proc/PID/fd/N of the tool
inline constexpr char kProcessVariable[] =
    "MAZURKA_PROCESS";  // after exec: the ProcessId that goes on
inline constexpr char kPaddingVariable[] =
    "MAZURKA_PADDING";  // so that all these have the same length every time

// The tool's watchdog sends it to a process whose invisible code runs for too long: it notes where
// it is, and ends.
inline constexpr int kInterruptSignal = 63;

// --- names that stay the same for a whole search

// A thread is (parent, how many it had created). `slot` derives from that path alone: it gives the
// thread's virtual pid, its heap and its stack.
struct ThreadName {
  ThreadId parent;
  uint16_t slot;
  uint32_t ordinal;  // 1 for the first that its parent created
};

// Where an object lives.
struct ObjectName {
  uint32_t
      space;  // a process's private memory (its id, and its execs above), or kSharedSpace + a hash
  uint32_t generation;  // how many objects lived there before
  uint64_t address;     // or the offset in a shared mapping, or the hash of a name
};
inline constexpr uint32_t kSharedSpace = 0x8000'0000;

// Where that is, for people.
enum class Storage : uint8_t { Unknown, Module, Stack, Heap, Shared, Name, Kernel };
struct ObjectPlace {
  Storage storage;
  uint8_t padding;
  ThreadId thread;  // Heap, Stack: whose
  uint32_t count;   // Heap: which of its allocations
  uint64_t offset;  // Heap: in the block
  uint32_t text;    // Name: its kept text, 0 for none
  uint32_t number;  // System V: which semaphore of the set
};

struct Names {
  uint32_t thread_count;
  uint32_t object_count;
  ThreadName threads[kMaxThreads];
  ObjectName objects[kMaxObjects];
  ObjectPlace places[kMaxObjects];
  uint32_t table[kNameTableSize];  // open addressing: object id + 1
};

// --- the plan

enum class Carrier : uint8_t { Fibers, KernelThreads };
// What becomes of plain memory accesses that we see: checked for races, or operations themselves.
enum class MemoryMode : uint8_t { Races, Visible };
// Stoller's locking discipline: one lock protects a variable in each execution, or the same one in
// all of them (his section 8).
enum class Discipline : uint8_t { Unchecked, Checked, Strict };
enum class Reset : uint8_t { Fork, InPlace };
// Whether what an execution does to files is its own (runtime/private_files.h), which is visible
// then; and whether FIFOs and sockets may be among them, for which each path is looked up a second
// time. Only ever more.
enum class PrivateFiles : uint8_t { None, Plain, WithAddresses };

struct PlanHeader {
  uint32_t prefix_begin;
  uint32_t prefix_length;
  uint32_t depth;     // transitions of an execution at most
  uint32_t bound;     // transitions of a thread at most; 0: no bound
  uint32_t livelock;  // successive global states in which a thread may be disabled; 0: do not look
  uint8_t stacks;     // log call stacks, too (slow)
  uint8_t show_output;  // the program's own output goes through
  // What goes into FreeRun.
  uint8_t conditional;
  uint8_t lists_enabled;  // what was enabled before each step after the prefix is logged, too
  ThreadId forced;
  uint8_t invisible_first;
  uint8_t composed;
  uint32_t sleep_begin, sleep_count;
  uint32_t block_begin, block_count;
  uint32_t block_access_begin, block_access_count;
  uint64_t random;  // after the prefix, choices are made at random from this seed; 0: the first one
                    // always
  uint64_t watched;  // with stacks: accesses to the word at this address are remembered with
                     // theirs; 0: none
};

// Several plans at a time, so that a hand-over between tool and program costs little. Their parts
// lie one after another; the logs of their executions, too.
struct Batch {
  uint32_t plan_count;
  uint32_t run_count;     // executions that are over, and whose logs are in Segment::logs
  uint32_t is_over;       // the tool should look at the last one before the next is run
  uint32_t thread_names;  // known when the batch began
  uint32_t object_names;
  uint32_t is_unverified;  // 1: whether memory was reset has still to be asked; until then only the
                           // first log counts
  uint64_t start;          // in cycles
};

// --- the log

enum class Ending : uint8_t {
  None,      // still running
  Finished,  // every thread stands at exit
  Deadlock,
  Bounded,  // somebody stands at the bound, nobody is enabled
  DepthReached,
  NeedsFork,   // it would leave a trace that a reset in place does not undo: `text`
  NeedsFiles,  // it is about to change a file, and has no private ones, or not of that kind: the
               // next PrivateFiles
  Blocked,     // only sleeping transitions are enabled
  Livelock,    // `culprit` was disabled for too long
  Nondeterminism,  // step `position` did not do what the plan says
  RuntimeError,    // our own trouble inside the program: `text`
};

// The log of an execution in a batch. What has a begin belongs to it alone; other ends are places
// in the arrays.
struct LogHeader {
  Ending ending;
  uint8_t first_process_ended;
  ThreadId culprit;
  uint32_t step_begin;
  uint32_t step_count;
  uint32_t setting_begin;
  uint32_t setting_end;
  uint32_t creation_begin;
  uint32_t creation_end;
  uint32_t thread_begin;  // filled in at its end
  uint32_t thread_end;
  uint32_t race_begin;
  uint32_t race_end;
  uint32_t remembered;  // accesses to the watched word (race_log.cc)
  uint32_t guard_begin;
  uint32_t guard_end;
  uint32_t enabled_end;
  uint32_t frame_end;
  uint32_t access_end;
  uint32_t word_begin;  // of the known words, those that this execution met first
  uint32_t word_end;
  uint32_t position;
  uint32_t text;
  int32_t wait_status;  // of the first process, if it ended
  Operation got;        // Nondeterminism: what came instead
};

struct LoggedStep {
  Choice choice;
  ProcessId process;
  uint16_t frame_count;
  uint32_t frame_begin;
  uint32_t enabled_begin;  // choices that were enabled, after the prefix only, with lists_enabled
  uint32_t enabled_count;
  uint32_t access_begin;
  uint32_t access_count;
  uint16_t accesses_everything;  // more than fit
  uint16_t is_hurried;           // with invisible_first: it belongs to the transition before
  uint32_t text;                 // assertion text, misuse details; 0 for none
  Operation op;
  Effect effect;
  uint64_t pc;             // return address of the call
  uint64_t output_before;  // with show_output: bytes that the program had written when the step was
                           // chosen
};

// What invisible code did to the world: step `position` was the next after it.
struct LoggedSetting {
  uint32_t position;
  ObjectId object;
  Object state;
};
struct LoggedCreation {
  uint32_t position;
  ThreadId created;
  ThreadId creator;
  ProcessId process;
  uint16_t forgotten;  // it has ended already, and nobody may wait for it (a spawn that failed)
};

// Where a thread stands at the end, beside World::threads.
struct ThreadPlace {
  uint64_t pc;
  uint64_t start_routine;
  uint32_t frame_begin;
  uint16_t frame_count;
  uint8_t starting;  // runs up to its first visible operation, then its creator goes on
  uint8_t padding;
  uint32_t text;
  char name[16];  // pthread_setname_np
};

// A thread as it is when the execution ends.
struct LoggedThread {
  ThreadId id;
  ProcessId process;
  ThreadStatus status;
  uint8_t killed;
  uint16_t frame_count;
  uint32_t frame_begin;
  uint32_t access_begin;  // that its pending operation may make
  uint32_t access_count;
  uint64_t pc;
  uint64_t start_routine;
  Operation pending;
  char name[16];
};

struct Module {
  uint64_t base;  // load bias
  uint64_t start;
  uint64_t end;
  uint32_t path;  // kept text
  ProcessId process;
  uint16_t padding;
};

// Two accesses to the same bytes that nothing orders.
struct LoggedAccess {
  ThreadId thread;
  ProcessId process;
  uint8_t is_write;
  uint8_t is_atomic;
  uint8_t is_free;     // the block was freed
  uint8_t lock_count;  // with stacks only, as the next ones
  uint16_t frame_count;
  uint8_t is_in_call;  // Torn: it belongs to a call that is annotated as one operation
  uint8_t padding;
  uint32_t frame_begin;
  uint64_t pc;
  ObjectId locks[6];  // that the thread held
};
enum class ConflictKind : uint8_t {
  Race,
  Discipline,  // no lock protects them both (Stoller's MLD')
  Strict,      // the same, and the first was in another execution
  Unshared,    // the memory was said to be of one thread
  Tentative,   // it was taken to be of one thread, and is not
  Torn,        // one belongs to a call that was said to be one operation, and nothing orders them
  InsideCall,  // no two accesses: the second is an operation inside such a call, the first says
               // where that is
};
struct LoggedRace {
  ConflictKind kind;
  OpKind op;  // InsideCall: what it does
  uint8_t padding[2];
  uint32_t position;  // transitions before it was seen
  uint32_t size;      // in bytes
  uint64_t address;
  ObjectPlace place;
  LoggedAccess first;
  LoggedAccess second;  // when it was seen
};

// With Discipline::Strict: several threads use these bytes, one of them to write, and these locks
// were held at every access, this one included. Logged when that begins, and whenever a lock drops
// out.
inline constexpr uint32_t kMostDisciplineLocks = 15;
struct LoggedGuard {
  uint32_t position;  // transitions before it was seen
  uint8_t bytes;      // of the word, as a mask
  uint8_t lock_count;
  uint16_t padding;
  uint32_t space;  // where the word is, as in ObjectName
  uint32_t more_padding;
  uint64_t offset;   // in that space
  uint64_t address;  // of the word, in the process of the access
  ObjectPlace place;
  LoggedAccess access;
  ObjectId locks[kMostDisciplineLocks];
};

// What the user says about static memory (Stoller's section 10).
enum class Sharing : uint8_t {
  Shared,     // nothing
  Unshared,   // one thread uses it, or else that is an error
  Tentative,  // one thread uses it, as far as is known
};
struct AnnotatedMemory {
  uint64_t begin;
  uint64_t end;
  Sharing sharing;
  uint8_t padding[7];
};
inline constexpr uint32_t kMaxAnnotated = 1u << 12;

// And about code (the same section).
enum class Granularity : uint8_t {
  Fields,     // nothing
  Callee,     // inlined into a method: called by it, but no part of its operation
  Method,     // what it does to memory belongs to one operation
  Atomic,     // so does what the functions do that it calls
  Commuting,  // and two such operations may be swapped
};
struct AnnotatedCode {
  uint64_t begin;
  uint64_t end;
  uint64_t entry;  // of the function that it belongs to, for people
  Granularity granularity;
  Sharing allocates;  // heap blocks that are allocated in calls of it
  Sharing starts;     // stacks of the threads that begin here
  uint8_t is_main;
  uint32_t name;  // the same for all code of functions with one name
};
inline constexpr uint32_t kMaxAnnotatedCode = 1u << 12;

// Memory that several threads use (known_words.h).
struct MemoryWord {
  uint64_t address;  // as in ObjectName, and the next
  uint32_t space;
  uint16_t cuts;      // bytes, as a mask, at which accesses to it begin, or end before
  uint16_t new_cuts;  // those, and what this execution has seen
};
inline constexpr uint32_t kMaxKnownWords = 1u << 14;
inline constexpr uint32_t kKnownWordTableSize = kMaxKnownWords * 4;
struct KnownWords {
  uint64_t version;  // of what the tool knows; 0: nothing yet
  uint32_t count;
  uint32_t padding;
  MemoryWord words[kMaxKnownWords];
  uint32_t table[kKnownWordTableSize];  // open addressing: place in `words` + 1
};

// A call that no model covers.
struct Unmodelled {
  uint64_t pc;
  uint32_t text;  // its name, kept text
  uint32_t count;
  uint8_t costs_complete;
  uint8_t padding[7];
};

// --- processes

struct ProcessSlot {
  uint32_t baton;       // futex: 1 when this process may go on
  int32_t real_pid;     // 0 before it runs and after it was reaped
  ThreadId running;     // the thread that the baton is for
  uint16_t execs;       // how many images it has had
  uint8_t alive;        // the real process exists
  uint8_t attached;     // its image has our runtime
  uint16_t left_group;  // it has changed its process group
  uint32_t directory;   // the working directory, in Segment::file_text; 0: the kernel's
};

enum class Command : uint32_t { None, Run, Quit };

struct Control {
  uint32_t command;  // futex, tool -> server
  uint32_t done;     // futex, server -> tool: counts executions
  uint32_t ready;    // futex: 1: the server stands where the program's own code begins
  int32_t server_pid;
  uint32_t execution;  // its number
  uint8_t carrier;
  uint8_t direct;          // run the one plan in this very process: no server (gdb)
  uint8_t reset;           // wanted
  uint8_t in_place;        // what it is
  uint8_t memory_is_seen;  // some module of the program was built to tell us its memory accesses
  uint8_t weak_orders;     // an atomic operation asked for less than sequential consistency
  uint8_t memory;          // MemoryMode
  uint8_t discipline;      // Discipline
  uint8_t lossy_udp;       // 1: datagrams of UDP may be lost and overtake each other
  uint8_t partial_io;      // 1: reads and writes of streams may transfer less than they could
  uint8_t private_files;   // a PrivateFiles
  uint8_t names_used;  // what the program has done with names of files while they were not private
                       // (sockets.cc)
  uint64_t progress;   // counts reaches: stands still while invisible code runs
  ProcessId baton_holder;
  ThreadId running;        // the thread that moves
  int32_t lost_status;     // wait status of a process that died with the baton in its hand
  uint32_t lost;           // 1: that happened
  uint32_t verifies_each;  // 1: whether memory was reset is asked after each execution
  uint32_t cpus;           // processors that the program is told of
  uint32_t stdin_text;     // kept text: path of its standard input
  uint32_t output_text;    // kept text: path of the file for its output, with show_output
};

struct SharedMemory {  // memory that System V or POSIX names lead to; made by the server before the
                       // program runs
  int32_t server_fd;
  uint32_t used;      // in this execution; the rest means nothing before
  uint64_t identity;  // names the objects in it
  uint64_t size;      // shmget
  int32_t id;         // shmget: what the program knows it by; 0 for the POSIX ones
  int32_t key;
  uint32_t attached;  // shmat and fork, less shmdt
  uint32_t removed;   // IPC_RMID
};

// A file whose inode says nothing that stays the same in the next execution (memfds): what names
// the objects in it.
struct SharedFile {
  uint64_t device;
  uint64_t inode;
  uint64_t identity;
};

struct SemSetRecord {  // a System V semaphore set of this execution
  int32_t id;
  int32_t key;
  ObjectId set;
  ObjectId name;   // kNoObject: IPC_PRIVATE
  uint32_t count;  // semaphores
  uint32_t mode;
};

struct QueueRecord {  // a System V message queue of this execution
  int32_t id;
  int32_t key;
  ObjectId queue;
  ObjectId name;  // kNoObject: IPC_PRIVATE
  uint32_t mode;
};

// A descriptor of a process that leads to a description with a model; the kernel has it, too.
struct DescriptorRecord {
  ProcessId process;
  uint8_t closes_on_exec;
  uint8_t padding;
  int32_t fd;
  ObjectId description;
};

// A file that the program has opened to change it, or locked.
struct FileRecord {
  uint64_t device;
  uint64_t inode;
  ObjectId object;
  uint32_t padding;
};
// A descriptor of a file that was opened for reading only, which leads to no description, by a
// process that had one thread.
struct OpenedFile {
  ProcessId process;
  ThreadId thread;
  int32_t fd;
  uint32_t children;  // that the thread had created by then
};
// A file of which a process with several threads has closed such a descriptor.
struct ClosedFile {
  ProcessId process;
  uint16_t padding;
  uint32_t padding2;
  uint64_t device;
  uint64_t inode;
};

// A file of this execution's own: the program has made it, or opened it to change it
// (runtime/private_files.h). What is in a regular one lies in the memory at the same place of
// Segment::file_memories.
struct PrivateFile {
  enum class Kind : uint8_t { Regular, Directory, Symlink };
  Kind kind;
  uint8_t is_copy;  // of one that the kernel has
  uint16_t padding;
  uint32_t mode;  // as stat has it, and the next
  uint32_t owner;
  uint32_t group;
  uint32_t links;
  uint32_t text;  // Symlink: where it leads; Directory: where the kernel has the rest of its
                  // entries, 0: nowhere
  uint32_t name;  // a path that led to it, 0: none ever did
  uint32_t more_padding;
  uint64_t device;
  uint64_t inode;
  uint64_t memory_device;  // what the kernel says of the memory
  uint64_t memory_inode;
  int64_t read_ns;
  int64_t changed_ns;
  int64_t status_ns;
};
// A canonical path that was looked up.
struct FileNameRecord {
  uint64_t hash;
  uint32_t path;  // in Segment::file_text, as all texts of files
  ObjectId object;
  uint32_t file;        // a private one, +1
  uint32_t is_changed;  // by the program: it leads to that file, or, if there is none, nowhere
};
// A directory that is open, and how far it has been listed.
struct OpenedDirectory {
  ObjectId description;
  uint32_t path;
  uint32_t position;  // entries of the kernel's; or, from kFirstMadeEntry on, the record of the
                      // last made one above it
};
inline constexpr uint32_t kFirstMadeEntry = 1u << 24;
struct MappedFile {
  uint64_t device;
  uint64_t inode;
};

// Of a socket that finds others by name, what its model does not know.
struct StoredAddress {
  uint32_t length;
  uint32_t padding;
  char bytes[112];
};
struct SocketOption {
  int32_t level;
  int32_t name;
  uint32_t length;
  char value[16];
};
struct SocketRecord {
  static constexpr uint32_t kMaxOptions = 12;
  ObjectId description;
  uint32_t birth;  // says which ports it tries
  uint16_t domain;
  uint16_t type;
  uint8_t reuses;    // SO_REUSEADDR
  uint8_t only_ip6;  // IPV6_V6ONLY
  uint16_t option_count;
  StoredAddress local;
  StoredAddress peer;
  SocketOption options[kMaxOptions];
};

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
