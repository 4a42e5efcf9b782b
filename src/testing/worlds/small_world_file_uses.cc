// The worlds of files on disk, for accesses_test.cc: names in a directory, data, and descriptions
// that two processes share.
#include <signal.h>

#include "testing/worlds/small_world.h"

namespace mazurka {
namespace {

constexpr ThreadId kA{0};
constexpr ThreadId kB{1};
constexpr ThreadId kC{2};
constexpr ObjectId kDirectory{0};
constexpr ObjectId kF{1};
constexpr ObjectId kG{2};
constexpr ObjectId kData{3};
constexpr ObjectId kOtherData{4};
constexpr ObjectId kFile{5};
constexpr ObjectId kInherited{6};  // a description that both processes hold
constexpr ObjectId kOwn{7};        // one that the child does not

constexpr uint32_t kParents = 0b011;

void set_up(World& world) {
  world.create_thread(kA, kNoThread, kA);
  for (const ObjectId name : {kDirectory, kF, kG})
    world.create_object(name, ObjectKind::FileName, kNoProcess);
  world.object(kDirectory).file_name.exists = true;
  for (const ObjectId data : {kData, kOtherData})
    world.create_object(data, ObjectKind::FileData, kNoProcess);
  world.create_object(kFile, ObjectKind::File, kNoProcess);
  Description& inherited =
      world.create_object(kInherited, ObjectKind::Description, kNoProcess).description;
  inherited.reads = inherited.writes = kFile;
  inherited.add_holder(kA);
  world.create_thread(kB, kA, kA);
  world.create_thread(kC, kA, kC);
  Description& own = world.create_object(kOwn, ObjectKind::Description, kNoProcess).description;
  own.reads = kFile;
  own.add_holder(kA);
}

OpPart part(FileUsage usage, ObjectId object) { return used(object, usage); }

// A case whose operations have parts: they are where the set-up puts them.
class Builder {
 public:
  explicit Builder(const char* name) { made_.name = name; }

  MenuItem& use(const char* name, const std::vector<OpPart>& parts) {
    Operation op{.kind = OpKind::FileUse, .object = parts.back().object};
    op.part_begin = static_cast<uint32_t>(parts_.size());
    op.part_count = static_cast<uint32_t>(parts.size());
    parts_.insert(parts_.end(), parts.begin(), parts.end());
    return add(name, op);
  }
  MenuItem& add(const char* name, const Operation& op, Then then = Then::GoesOn) {
    made_.menu.push_back({name, op, then});
    return made_.menu.back();
  }
  SmallWorldCase finish(std::function<void(World&)> then = [](World&) {}) {
    made_.set_up = [parts = parts_, then](World& world) {
      set_up(world);
      for (const OpPart& part : parts) world.parts[world.part_count++] = part;
      then(world);
    };
    return made_;
  }

 private:
  SmallWorldCase made_;
  std::vector<OpPart> parts_;
};

using enum FileUsage;

// Paths in a directory that stays. A rename of a name to itself is one part after the other.
SmallWorldCase names() {
  Builder made("names of files");
  made.use("look at f", {part(LooksUp, kDirectory), part(LooksUp, kF)});
  made.use("create f",
           {part(LooksUp, kDirectory), part(ChangesEntries, kDirectory), part(Makes, kF)});
  made.use("create g",
           {part(LooksUp, kDirectory), part(ChangesEntries, kDirectory), part(Makes, kG)});
  made.use("unlink f", {part(ChangesEntries, kDirectory), part(Removes, kF)});
  made.use("rename f to g",
           {part(ChangesEntries, kDirectory), part(Removes, kF), part(Replaces, kG)});
  made.use("rename g to f",
           {part(ChangesEntries, kDirectory), part(Removes, kG), part(Replaces, kF)});
  made.use("put g in its place", {part(Makes, kF), part(Removes, kF), part(Replaces, kG)});
  made.use("list", {part(LooksUp, kDirectory), part(Lists, kDirectory)});
  return made.finish();
}

SmallWorldCase directories() {
  Builder made("directories");
  made.use("mkdir", {part(Makes, kDirectory)});
  made.use("rmdir", {part(Lists, kDirectory), part(Removes, kDirectory)});
  made.use("create f",
           {part(LooksUp, kDirectory), part(ChangesEntries, kDirectory), part(Makes, kF)});
  made.use("unlink f",
           {part(LooksUp, kDirectory), part(ChangesEntries, kDirectory), part(Removes, kF)});
  made.use("list and make", {part(Lists, kDirectory), part(ChangesEntries, kDirectory)});
  made.use("list", {part(Lists, kDirectory)});
  made.use("enter", {part(LooksUp, kDirectory)});
  made.add("crash", {.kind = OpKind::Crash, .value = SIGSEGV});
  return made.finish();
}

SmallWorldCase data() {
  Builder made("data of files");
  made.use("create", {part(Makes, kF), part(WritesData, kData)});
  made.use("open", {part(LooksUp, kF)});
  made.use("unlink", {part(Removes, kF), part(ChangesLinks, kData)});
  made.use("link", {part(LooksUp, kF), part(Makes, kG), part(ChangesLinks, kData)});
  made.use("stat", {part(LooksUp, kF), part(ReadsData, kData), part(ReadsLinks, kData)});
  made.use("read", {part(ReadsData, kData)});
  made.use("write", {part(WritesData, kData)});
  made.use("copy", {part(ReadsData, kData), part(WritesData, kOtherData)});
  made.use("read the copy", {part(ReadsData, kOtherData)});
  return made.finish();
}

// What f and g lead to changes with each rename.
SmallWorldCase data_behind_names() {
  Builder made("data behind names");
  made.use("rename f to g", {part(ChangesLinksBehind, kG), part(Removes, kF), part(Replaces, kG)});
  made.use("rename g to f", {part(ReadsLinksBehind, kG), part(Removes, kG), part(Replaces, kF)});
  made.use("create f", {part(WritesDataBehind, kF), part(Makes, kF)});
  made.use("stat f", {part(ReadsDataBehind, kF), part(ReadsLinksBehind, kF)});
  made.use("truncate g", {part(WritesDataBehind, kG)});
  made.use("read", {part(ReadsData, kData)});
  made.use("write", {part(WritesData, kOtherData)});
  return made.finish([](World& world) {
    for (const ObjectId name : {kF, kG}) {
      world.object(name).file_name.exists = true;
      world.object(name).file_name.target = name == kF ? kData : kOtherData;
    }
  });
}

void add_offsets(Builder& made) {
  made.use("read on", {part(MovesOffset, kInherited), part(ReadsData, kData)});
  made.use("append", {part(MovesOffset, kInherited), part(WritesData, kData)});
  made.use("pread", {part(UsesDescription, kInherited), part(ReadsData, kData)});
  made.use("read on of its own", {part(MovesOffset, kOwn), part(ReadsData, kData)}).who = kParents;
  made.use("pwrite of its own", {part(UsesDescription, kOwn), part(WritesData, kData)}).who =
      kParents;
  made.add("close", {.kind = OpKind::DescriptionClose, .object = kInherited});
  made.add("close of its own", {.kind = OpKind::DescriptionClose, .object = kOwn}).who = kParents;
}

SmallWorldCase offsets() {
  Builder made("offsets");
  add_offsets(made);
  made.add("toss, leave", {.kind = OpKind::Toss}, Then::EndsProcess);
  made.add("crash", {.kind = OpKind::Crash, .value = SIGSEGV});
  return made.finish();
}

SmallWorldCase offsets_and_locks() {
  Builder made("offsets and locks");
  add_offsets(made);
  made.add("flock", {.kind = OpKind::FileLock, .object = kFile, .second = kInherited});
  made.add("share of its own",
           {.kind = OpKind::FileLock, .flags = kShared, .object = kFile, .second = kOwn})
      .who = kParents;
  made.add("unlock", {.kind = OpKind::FileUnlock, .object = kFile, .second = kInherited});
  made.add("lock a record", {.kind = OpKind::FileLock,
                             .flags = kRecord | kTry,
                             .object = kFile,
                             .second = kInherited,
                             .value = 0,
                             .desired = 1});
  made.add("set non-blocking", {.kind = OpKind::DescriptionSet,
                                .object = kInherited,
                                .value = static_cast<int64_t>(DescriptionChange::NonBlocking)});
  return made.finish();
}

SmallWorldCase interrupted() {
  Builder made("files and signals");
  made.use("create", {part(Makes, kF), part(ChangesEntries, kDirectory)});
  made.use("unlink", {part(Removes, kF), part(ChangesEntries, kDirectory)});
  made.use("list", {part(Lists, kDirectory)});
  made.use("append", {part(MovesOffset, kInherited), part(WritesData, kData)});
  made.add("send", {.kind = OpKind::SignalSend, .target = kA, .value = SIGUSR1});
  return made.finish([](World& world) {
    apply(world, kA, {.kind = OpKind::SignalAction, .flags = kHandles, .value = SIGUSR1},
          kOnlyOutcome);
  });
}

}  // namespace

std::vector<SmallWorldCase> small_world_file_uses() {
  return {names(),   directories(),       data(),       data_behind_names(),
          offsets(), offsets_and_locks(), interrupted()};
}

}  // namespace mazurka
