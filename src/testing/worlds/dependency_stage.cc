#include "testing/worlds/dependency_stage.h"

#include <memory>
#include <utility>

#include "base/check.h"

namespace mazurka {
namespace {

World& shared_world() {
  static const std::unique_ptr<World> world = std::make_unique<World>();
  return *world;
}

const char* name_of_file_part(uint8_t part) {
  switch (part) {
    case kWhole:
      return "who has locked the file";
    case kReaders:
      return "who shares the file";
    case kRecords:
      return "who has locked records";
    case kRecordSharers:
      return "who shares records";
    default:
      return "its process's records";
  }
}

const char* name_of_description_part(const World& world, ObjectId id, uint8_t part) {
  const Description& description = world.object(id).description;
  if (part == kOwnLocks) return "what its description has locked";
  const bool is_hold = part >= kHolds;
  if (description.is_named())
    return is_hold ? "whether its process holds the socket" : "the state of the socket";
  if (kind_behind(world, description) == ObjectKind::FileData) {
    return is_hold ? "whether its process holds the description" : "the offset";
  }
  return is_hold ? "whether its process holds the end" : "whether the end blocks";
}

// As the table of files has them.
std::string name_of_name(ObjectId id) {
  if (id == kX) return "f";
  return id == kY ? "g" : "d";
}

}  // namespace

Stage::Stage(std::string object, std::string second)
    : world_(shared_world()), object_(std::move(object)), second_(std::move(second)) {
  world_.clear();
  world_.create_thread(kA, kNoThread, kA);
  world_.create_thread(kB, kA, kA);
  world_.create_thread(kChild, kA, kChild);
  for (uint32_t i = 0; i < world_.thread_limit; ++i) {
    world_.threads[i].status = ThreadStatus::AtOperation;
  }
}

Outcome Stage::outcome_of(ThreadId thread, const Operation& op) const {
  Outcome first = kOnlyOutcome;
  const bool none = each_outcome(world_, enabled(world_, thread, op), [&](Outcome outcome) {
    first = outcome;
    return false;
  });
  MAZURKA_CHECK(!none);
  return first;
}

void Stage::row(const std::string& operation, ThreadId thread, const Operation& op) {
  Access items[64];
  AccessList list{items, 64};
  accesses(world_, thread, op, outcome_of(thread, op), list);
  rows_.push_back({operation, thread, {items, items + list.count}});
}

Effect Stage::act(ThreadId thread, const Operation& op) {
  const Effect effect = apply(world_, thread, op, outcome_of(thread, op));
  if (world_.thread(thread).status == ThreadStatus::Running) {
    world_.thread(thread).status = ThreadStatus::AtOperation;
  }
  return effect;
}

Operation Stage::with_parts(Operation op, const std::vector<OpPart>& parts) {
  op.part_begin = world_.part_count;
  op.part_count = static_cast<uint32_t>(parts.size());
  for (const OpPart& part : parts) world_.parts[world_.part_count++] = part;
  return op;
}

// What every operation does is told once, in the text.
bool Stage::is_told(const Row& row, const Access& access) {
  switch (access.resource.kind) {
    case Resource::Kind::Moves:
      return access.mode == Mode::Add;
    case Resource::Kind::Thread:
      return access.resource == thread_resource(row.thread);
    case Resource::Kind::Process:
      return access.resource.part == kLife && access.mode == Mode::Read;
    default:
      return false;
  }
}

std::string Stage::name(const Row& row, Resource resource) const {
  switch (resource.kind) {
    case Resource::Kind::Moves:
      return "that somebody moved";
    case Resource::Kind::Thread:
      return "the life of the other";
    case Resource::Kind::Wake:
      return resource == wake_resource(row.thread) ? "its own wake-up" : "the waiter's wake-up";
    case Resource::Kind::Process:
      if (resource.part == kChildren) return "its process's children";
      if (resource.part == kReaped) return "that the child was waited for";
      if (resource.part == kNumbers) return "its process's descriptors";
      if (resource.index != index(world_.thread(row.thread).process)) return "the other process";
      return resource.part == kExits ? "who has left its process" : "its process";
    case Resource::Kind::Events:
      return "the order of events";
    case Resource::Kind::Memory:
      return "a piece of memory";
    case Resource::Kind::Object:
      break;
  }
  return name_of_object(resource);
}

std::string Stage::name_of_object(Resource resource) const {
  const ObjectId id{resource.index};
  const std::string& object = id == kX ? object_ : second_;
  switch (world_.object(id).kind) {
    case ObjectKind::File:
      return name_of_file_part(resource.part);
    case ObjectKind::FileName:
      return (resource.part == kDirectoryEntries ? "the entries of " : "the name ") +
             name_of_name(id);
    case ObjectKind::FileData:
      return resource.part == kLinkCount ? "how many names it has" : "its data";
    case ObjectKind::Channel:
      if (resource.part == kReadEnds) return "who can read " + object;
      if (resource.part == kWriteEnds) return "who can write " + object;
      break;
    case ObjectKind::Description:
      return name_of_description_part(world_, id, resource.part);
    default:
      break;
  }
  return (resource.part == kReaders ? "its readers" : "the " + object);
}

std::string Stage::words(const Row& row) const {
  std::string text;
  for (const Access& access : row.accesses) {
    if (is_told(row, access)) continue;
    const char* verb = access.mode == Mode::Read ? "reads " : "writes ";
    if (access.mode == Mode::Add) verb = "adds to ";
    text += (text.empty() ? "" : ", ") + (verb + name(row, access.resource));
  }
  return text.empty() ? "nothing" : text;
}

std::string Stage::partners(const Row& row) const {
  std::string text;
  for (const Row& other : rows_) {
    const bool depends =
        conflict(row.accesses.data(), static_cast<uint32_t>(row.accesses.size()),
                 other.accesses.data(), static_cast<uint32_t>(other.accesses.size()));
    if (!depends) text += (text.empty() ? "" : "; ") + other.operation;
  }
  return text.empty() ? "nothing" : text;
}

std::string Stage::finish() const {
  std::string text = "| " + object_ + " | accesses | commutes with |\n|---|---|---|\n";
  for (const Row& row : rows_) {
    text += "| " + row.operation + " | " + words(row) + " | " + partners(row) + " |\n";
  }
  return text;
}

}  // namespace mazurka
