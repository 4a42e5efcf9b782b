#include "kinds/files/file_use.h"

#include "objects/clock.h"
#include "objects/state_sink.h"

namespace mazurka {
namespace {

uint32_t parts_of(const Operation& op) {
  return op.part_count < kMaxFileParts ? op.part_count : kMaxFileParts;
}

OpPart part_at(const World& world, const Operation& op, uint32_t i) {
  return looked_behind(world, world.parts[op.part_begin + i]);
}

FileUsage usage_behind(FileUsage usage) {
  switch (usage) {
    case FileUsage::ReadsDataBehind:
      return FileUsage::ReadsData;
    case FileUsage::WritesDataBehind:
      return FileUsage::WritesData;
    case FileUsage::ReadsLinksBehind:
      return FileUsage::ReadsLinks;
    case FileUsage::ChangesLinksBehind:
      return FileUsage::ChangesLinks;
    default:
      return usage;
  }
}

// What the parts of one operation do to names, one after the other, while the world stays as it is.
class NamesSoFar {
 public:
  NamesSoFar(const World& before, const Operation& op) : before_(before), op_(op) {}

  // Requires that it is asked for each part in turn.
  bool changes(uint32_t i) {
    const OpPart part = part_at(before_, op_, i);
    const FileUsage usage = part.file.usage;
    const bool is_about_name = usage <= FileUsage::Replaces;
    const bool exists = is_about_name && exists_now(part.object, i);
    if (usage == FileUsage::Removes && !exists) has_missed_ = true;
    const bool changes = is_change(usage, exists);
    exists_after_[i] = changes ? usage != FileUsage::Removes : exists;
    return changes;
  }

 private:
  bool is_change(FileUsage usage, bool exists) const {
    switch (usage) {
      case FileUsage::LooksUp:
      case FileUsage::Lists:
      case FileUsage::ReadsData:
      case FileUsage::ReadsLinks:
      case FileUsage::UsesDescription:
      case FileUsage::ReadsDataBehind:
      case FileUsage::ReadsLinksBehind:
        return false;
      case FileUsage::Makes:
        return !exists;
      case FileUsage::Removes:
        return exists;
      case FileUsage::Replaces:
        return !has_missed_;
      case FileUsage::ChangesEntries:
      case FileUsage::WritesData:
      case FileUsage::ChangesLinks:
      case FileUsage::MovesOffset:
      case FileUsage::WritesDataBehind:
      case FileUsage::ChangesLinksBehind:
        break;
    }
    return true;
  }

  bool exists_now(ObjectId name, uint32_t i) const {
    while (i > 0) {
      const OpPart earlier = part_at(before_, op_, --i);
      if (earlier.object == name && earlier.file.usage <= FileUsage::Replaces)
        return exists_after_[i];
    }
    return before_.object(name).file_name.exists;
  }

  const World& before_;
  const Operation& op_;
  bool has_missed_ = false;  // something that was to be removed did not exist
  bool exists_after_[kMaxFileParts] = {};
};

// The clock of what the part uses, or nullptr where it has no time of its own.
int64_t* clock_of(World& world, const OpPart& part) {
  Object& object = world.object(part.object);
  switch (part.file.usage) {
    case FileUsage::Lists:
    case FileUsage::ChangesEntries:
      return &object.file_name.entries_clock_ns;
    case FileUsage::ReadsLinks:
    case FileUsage::ChangesLinks:
      return &object.file_data.links_clock_ns;
    case FileUsage::UsesDescription:
      return nullptr;
    default:
      return &object.clock_ns;
  }
}

uint64_t number_of(ThreadId changer) {
  return changer == kNoThread ? 0 : index(changer) + uint64_t{1};
}

// What there is to see of it.
uint64_t found_by(const World& world, ThreadId thread, const OpPart& part) {
  const Object& object = world.object(part.object);
  switch (part.file.usage) {
    case FileUsage::LooksUp:
    case FileUsage::Makes:
    case FileUsage::Removes:
    case FileUsage::Replaces:
      return 2 * number_of(object.file_name.changed_by) + object.file_name.exists;
    case FileUsage::Lists:
      return object.file_name.entries_changed_by;
    case FileUsage::ReadsData:
    case FileUsage::WritesData:
      return number_of(object.file_data.written_by);
    case FileUsage::ReadsLinks:
    case FileUsage::ChangesLinks:
      return number_of(object.file_data.links_changed_by);
    case FileUsage::MovesOffset:
    case FileUsage::UsesDescription:
      return object.description.is_held_by(world.thread(thread).process) ? 0 : 1;
    default:
      break;
  }
  return 0;
}

void change_name(FileName& name, ThreadId thread, bool exists) {
  name.exists = exists;
  name.changed_by = thread;
}

void change(World& world, ThreadId thread, const OpPart& part) {
  Object& object = world.object(part.object);
  switch (part.file.usage) {
    case FileUsage::Makes:
    case FileUsage::Replaces:
      change_name(object.file_name, thread, true);
      break;
    case FileUsage::Removes:
      change_name(object.file_name, thread, false);
      break;
    case FileUsage::ChangesEntries:
      object.file_name.entries_changed_by |= uint64_t{1} << (index(thread) % 64);
      break;
    case FileUsage::WritesData:
      object.file_data.written_by = thread;
      break;
    case FileUsage::ChangesLinks:
      object.file_data.links_changed_by = thread;
      break;
    default:
      break;
  }
}

}  // namespace

OpPart looked_behind(const World& world, OpPart part) {
  if (!is_behind_name(part)) return part;
  const ObjectId target = world.object(part.object).file_name.target;
  if (index(target) >= kMaxObjects)
    return name_before(part);  // none; or the program has written over it
  part.object = target;
  part.file.usage = usage_behind(part.file.usage);
  return part;
}

uint64_t changing_parts(const World& before, const Operation& op) {
  NamesSoFar names(before, op);
  uint64_t changing = 0;
  for (uint32_t i = 0; i < parts_of(op); ++i) {
    if (names.changes(i)) changing |= uint64_t{1} << i;
  }
  return changing;
}

namespace {

// All that an operation uses, as it is before the operation.
struct AllParts {
  AllParts(const World& before, const Operation& op)
      : count(parts_of(op)), changing(changing_parts(before, op)) {
    for (uint32_t i = 0; i < count; ++i) items[i] = part_at(before, op, i);
  }
  bool changes(uint32_t i) const { return (changing >> i & 1) != 0; }
  // What is there in place of `replaced` then: what the name that was removed led to.
  ObjectId target_of(const World& world, uint32_t replaced) const {
    for (uint32_t i = replaced; i-- > 0;) {
      if (items[i].file.usage == FileUsage::Removes)
        return world.object(items[i].object).file_name.target;
    }
    return kNoObject;
  }

  OpPart items[kMaxFileParts];
  const uint32_t count;
  const uint64_t changing;
};

uint64_t look(World& world, ThreadId thread, const OpPart& part) {
  const int64_t* const clock_ns = clock_of(world, part);
  if (clock_ns != nullptr && part.file.usage != FileUsage::ChangesEntries)
    see(world.thread(thread), *clock_ns);
  return found_by(world, thread, part);
}

}  // namespace

// It sees all before it shows itself anywhere.
Effect on_files::use(World& world, ThreadId thread, const Operation& op, Outcome) {
  const AllParts parts(world, op);
  uint64_t found = 0;
  for (uint32_t i = 0; i < parts.count; ++i) {
    const OpPart& named = world.parts[op.part_begin + i];
    if (is_behind_name(named)) found = found * 31 + look(world, thread, name_before(named));
    found = found * 31 + look(world, thread, parts.items[i]);
  }
  for (uint32_t i = 0; i < parts.count; ++i) {
    if (!parts.changes(i)) continue;
    const OpPart& part = parts.items[i];
    change(world, thread, part);
    if (part.file.usage == FileUsage::Replaces)
      world.object(part.object).file_name.target = parts.target_of(world, i);
    show(world.thread(thread), *clock_of(world, part));
  }
  return {.value = static_cast<int64_t>(found)};
}

const char* name_of(FileVerb verb) {
  switch (verb) {
    case FileVerb::Open:
      return "open";
    case FileVerb::Create:
      return "create";
    case FileVerb::Look:
      return "look at";
    case FileVerb::Read:
      return "read";
    case FileVerb::Write:
      return "write";
    case FileVerb::Truncate:
      return "truncate";
    case FileVerb::Unlink:
      return "unlink";
    case FileVerb::Rename:
      return "rename";
    case FileVerb::Link:
      return "link";
    case FileVerb::Symlink:
      return "symlink";
    case FileVerb::MakeDirectory:
      return "mkdir";
    case FileVerb::RemoveDirectory:
      return "rmdir";
    case FileVerb::List:
      return "list";
    case FileVerb::Change:
      return "change";
    case FileVerb::Enter:
      return "enter";
  }
  return "use";
}

namespace on_files {

void name_state(const World& world, ObjectId id, StateSink& sink) {
  const FileName& name = world.object(id).file_name;
  sink.add({name.exists, index(name.changed_by), index(name.target),
            static_cast<int64_t>(name.entries_changed_by)});
  sink.add_clock(name.entries_clock_ns);
}

void data_state(const World& world, ObjectId id, StateSink& sink) {
  const FileData& data = world.object(id).file_data;
  sink.add({index(data.written_by), index(data.links_changed_by)});
  sink.add_clock(data.links_clock_ns);
}

}  // namespace on_files

}  // namespace mazurka
