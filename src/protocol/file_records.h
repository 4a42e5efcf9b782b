// Files of an execution in the shared segment: which ones it has open, and those of its own
// (runtime/files/private_files.h).
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "protocol/layout.h"

namespace mazurka {

inline constexpr uint32_t kMaxFiles = 1024;
inline constexpr uint32_t kMaxOpenedFiles = 1024;
inline constexpr uint32_t kMaxClosedFiles = 256;
inline constexpr uint32_t kMaxPrivateFiles = 256;
inline constexpr uint32_t kMaxFileNames = 1u << 14;
inline constexpr uint32_t kFileNameTableSize = kMaxFileNames * 2;
inline constexpr uint32_t kMaxFileText = 1u << 21;
inline constexpr uint32_t kMaxOpenedDirectories = 1024;
inline constexpr uint32_t kMaxMappedFiles = 256;

// A file that the program has opened to change it, or locked.
struct FileRecord {
  uint64_t device;
  uint64_t inode;
  ObjectId object;
  uint32_t padding;
};
static_assert(is_laid_out<FileRecord, 24>);

// A descriptor of a file that was opened for reading only, which leads to no description, by a
// process that had one thread.
struct OpenedFile {
  ProcessId process;
  ThreadId thread;
  int32_t fd;
  uint32_t children;  // that the thread had created by then
};
static_assert(is_laid_out<OpenedFile, 12>);

// A file of which a process with several threads has closed such a descriptor.
struct ClosedFile {
  ProcessId process;
  uint16_t padding;
  uint32_t padding2;
  uint64_t device;
  uint64_t inode;
};
static_assert(is_laid_out<ClosedFile, 24>);

// A file of this execution's own: the program has made it, or opened it to change it
// (runtime/files/private_files.h). What is in a regular one lies in the memory at the same place of
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
static_assert(is_laid_out<PrivateFile, 88>);

// A canonical path that was looked up.
struct FileNameRecord {
  uint64_t hash;
  uint32_t path;  // in Segment::file_text, as all texts of files
  ObjectId object;
  uint32_t file;        // a private one, +1
  uint32_t is_changed;  // by the program: it leads to that file, or, if there is none, nowhere
};
static_assert(is_laid_out<FileNameRecord, 24>);

// A directory that is open, and how far it has been listed.
struct OpenedDirectory {
  ObjectId description;
  uint32_t path;
  uint32_t position;  // entries of the kernel's; or, from kFirstMadeEntry on, the record of the
                      // last made one above it
};
static_assert(is_laid_out<OpenedDirectory, 12>);

inline constexpr uint32_t kFirstMadeEntry = 1u << 24;

struct MappedFile {
  uint64_t device;
  uint64_t inode;
};
static_assert(is_laid_out<MappedFile, 16>);

}  // namespace mazurka
