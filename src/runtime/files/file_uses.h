// The operations of calls on files (kinds/files/file_use.h). What an operation uses must not depend
// on what others may still do before it happens: so the names on a path are those that it leads
// over on the disk as it was, and what is behind the last one the model knows. Where the program
// has changed a symbolic link on the way, the path leads elsewhere: then further operations follow,
// which use what is there.
#pragma once

#include <fcntl.h>
#include <limits.h>

#include "runtime/files/private_files.h"

namespace mazurka {

// What one operation uses.
struct Uses {
  OpPart parts[kMaxFileParts];
  uint32_t count = 0;

  void add(ObjectId object, FileUsage usage);
  bool covers(const Uses& others) const;
};

// Where a path leads.
struct Resolved {
  int error = 0;                 // something on the way is missing, or no directory
  bool is_outside = false;       // in a part of the system that keeps nothing: /proc, /dev, /sys
  bool wants_directory = false;  // a slash ends it
  char path[PATH_MAX];           // canonical
  FileLook look;
};
enum class LastLink : uint8_t { Follow, Keep };
inline LastLink last_link(int flags) {
  return (flags & AT_SYMLINK_NOFOLLOW) != 0 ? LastLink::Keep : LastLink::Follow;
}

// How a call uses the last name of a path, beside looking it up.
struct NameUse {
  bool makes = false;
  bool removes = false;
  bool replaces = false;
  bool lists = false;
  bool changes_links = false;
  bool reads_links = false;
  bool reads_data = false;
  bool writes_data = false;
};

struct PathCall {
  FileVerb verb;
  int directory;
  const char* path;
  LastLink last;
  NameUse use;
  bool sees_addresses = false;  // FIFOs and names of sockets, too: by an operation of its own
};

// The operations of a call on a path. Returns where it leads then: in memory that the next call of
// this process overwrites.
const Resolved& use_path(const PathCall& wanted, Call call);
// The same for a call on two.
struct TwoPaths {
  const Resolved* from;
  const Resolved* to;
};
TwoPaths use_paths(const PathCall& from, const PathCall& to, Call call);

// The operation of a call on a file that is open. The description is kNoObject where it is not
// known.
void use_file(FileVerb verb, int fd, const OpenFile& file, FileUsage usage, bool moves_offset,
              Call call);
// What is in two files.
void use_files(FileVerb verb, int from, const OpenFile& read, int to, const OpenFile& written,
               Call call);

// Whether the path leads into a part of the system that keeps nothing.
bool keeps_nothing(const char* path);

}  // namespace mazurka
