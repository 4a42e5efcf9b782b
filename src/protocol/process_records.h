// The processes of the program, and how tool, server and processes call each other, in the shared
// segment.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "execution/modes.h"
#include "protocol/layout.h"

namespace mazurka {

inline constexpr uint32_t kMaxSharedMemories = 32;
inline constexpr uint32_t kMaxSharedFiles = 256;

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
static_assert(is_laid_out<ProcessSlot, 20>);

enum class Command : uint32_t { None, Run, Quit };

struct Control {
  uint32_t command;  // futex, tool -> server
  uint32_t done;     // futex, server -> tool: counts executions
  uint32_t ready;    // futex: 1: the server stands where the program's own code begins
  int32_t server_pid;
  uint32_t execution;      // its number
  uint8_t carrier;         // a Carrier
  uint8_t direct;          // run the one plan in this very process: no server (gdb)
  uint8_t reset;           // the Reset that is wanted
  uint8_t in_place;        // 1: executions are reset in place now
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
  uint32_t wanted_scan;    // futex, runtime -> tool: kept text: path of a module to be searched for
                           // locked instructions; 0: the tool has done so
  uint8_t atomics;         // Atomics
  uint8_t atomics_are_seen;  // some process has locked instructions that were replaced
  uint8_t atomics_happened;  // and one of them was an operation
  uint8_t loops_are_known;   // no more loops will be learned
  uint8_t stream_locks;      // 1: the locks of streams are operations
  uint8_t spurious;          // how often waits of a thread return for no reason, at most
  uint8_t unasked;           // bits of UnaskedOption: what the program did that they would change
  uint8_t watches;           // Watches
  uint8_t reuse;             // how often a thread may get what others have freed, at most
  uint8_t padding[7];
};
static_assert(is_laid_out<Control, 88>);

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
static_assert(is_laid_out<SharedMemory, 40>);

// A file whose inode says nothing that stays the same in the next execution (memfds): what names
// the objects in it.
struct SharedFile {
  uint64_t device;
  uint64_t inode;
  uint64_t identity;
};
static_assert(is_laid_out<SharedFile, 24>);

}  // namespace mazurka
