// The model of files on disk, for executions that have private copies of the files that the program
// makes or changes. Each call that uses names or data of files is one operation, FileUse, and its
// parts name all that it uses. The model knows who conflicts with whom, and which names exist; what
// the call gives, its caller knows, who does it on the copies after the operation has happened. It
// is never disabled and never fails here.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

inline constexpr uint32_t kMaxFileParts =
    64;  // of one operation; with more it depends on everything

// Operation::value: what people call it.
enum class FileVerb : int64_t {
  Open,
  Create,
  Look,
  Read,
  Write,
  Truncate,
  Unlink,
  Rename,
  Link,
  Symlink,
  MakeDirectory,
  RemoveDirectory,
  List,
  Change,  // mode, owner, times
  Enter,   // chdir
};

// OpPart::file: how the operation uses the object of the part. Parts count one
// after the other: a name that one part makes exists for the next ones. Where the call turns out to
// fail after all (there is no such directory), its caller sets right which of the names that it
// wrote exist, before anybody else moves.
enum class FileUsage : int32_t {
  LooksUp,   // FileName: reads the name
  Makes,     // FileName: writes the name if it does not exist (it exists then), otherwise reads it
  Removes,   // FileName: writes the name if it exists (it does not then), otherwise reads it
  Replaces,  // FileName: writes the name, and it exists then; only reads it where an earlier part
             // Removes what did not exist
  Lists,     // FileName: reads which entries the directory has
  ChangesEntries,  // FileName: adds to the entries: those who make or remove different names
                   // commute
  ReadsData,       // FileData: its bytes, size, mode, times
  WritesData,
  ReadsLinks,  // FileData: how many names it has
  ChangesLinks,
  MovesOffset,      // Description: writes it, and needs it open
  UsesDescription,  // Description: needs it open: what reads or writes elsewhere than at the offset
  // FileName: LooksUp, and the same for what the name leads to, whatever that is by then (its
  // `target`), if there is such a thing.
  ReadsDataBehind,
  WritesDataBehind,
  ReadsLinksBehind,
  ChangesLinksBehind,
};

// A path, existing or not: as a name, and as a directory with entries.
struct FileName {
  bool exists = false;
  ThreadId changed_by = kNoThread;  // who made, removed or replaced it last
  // The data of the file that it leads to. What a Replaces puts there is what the name that an
  // earlier part Removes led to; whoever makes a name sets it.
  ObjectId target = kNoObject;
  uint64_t entries_changed_by = 0;  // which threads did (ids modulo 64), but not who came first
  int64_t entries_clock_ns =
      0;  // as with reader-writer locks, those who add must not see each other's time
};
static_assert(std::is_trivially_copyable_v<FileName>);

// What is in a file, and how many names it has.
struct FileData {
  ThreadId written_by = kNoThread;  // the last one
  ThreadId links_changed_by = kNoThread;
  uint32_t padding = 0;
  int64_t links_clock_ns = 0;
};
static_assert(std::is_trivially_copyable_v<FileData>);

// The value of the effect stands for all that the operation found: 0 where no name exists, nothing
// has been changed, and descriptions are open.

constexpr bool is_behind_name(FileUsage usage) { return usage >= FileUsage::ReadsDataBehind; }
inline bool is_behind_name(const OpPart& part) { return is_behind_name(part.file.usage); }
// Of a part that is about what is behind a name: the name.
inline OpPart name_before(OpPart part) {
  part.file.usage = FileUsage::LooksUp;
  return part;
}
// The part on what is behind its name, if it is about that.
OpPart looked_behind(const World& world, OpPart part);

// Which parts change what they name, in this state: one bit for each. Those that add to entries do.
uint64_t changing_parts(const World& before, const Operation& op);

// "rename": for reports.
const char* name_of(FileVerb verb);

namespace on_files {

ApplyFunction use;
AccessFunction use_accesses;
MentionFunction use_mentions;
StateFunction name_state, data_state;

}  // namespace on_files

}  // namespace mazurka
