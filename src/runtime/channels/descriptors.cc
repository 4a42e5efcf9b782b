#include "runtime/channels/descriptors.h"

#include <cstdio>
#include <initializer_list>

#include "base/check.h"
#include "runtime/core/limits.h"
#include "runtime/files/files.h"
#include "runtime/reset/server.h"

namespace mazurka {
namespace {

DescriptorRecord* find(int fd) {
  Segment& s = segment();
  for (uint32_t i = 0; i < s.descriptor_count; ++i) {
    DescriptorRecord& record = s.descriptors[i];
    if (record.fd == fd && record.process == current_process()) return &record;
  }
  return nullptr;
}

void add(const DescriptorRecord& record) {
  Segment& s = segment();
  if (s.descriptor_count == kMaxDescriptors)
    limit_reached("the program has more than 4096 descriptors of pipes and sockets");
  s.descriptors[s.descriptor_count++] = record;
}

void remove(DescriptorRecord& record) {
  Segment& s = segment();
  record = s.descriptors[--s.descriptor_count];
}

const Description& at(ObjectId id) { return world().object(id).description; }

bool is_outside(ObjectId id) {
  return id != kNoObject && world().object(id).kind == ObjectKind::Channel &&
         world().object(id).channel.is_outside;
}

bool is_file(ObjectId description) {
  return kind_behind(world(), at(description)) == ObjectKind::File;
}

uint32_t count_of(ObjectId description) {
  uint32_t count = 0;
  each_descriptor(
      [&](const DescriptorRecord& record) { count += record.description == description; });
  return count;
}

// What closing changes beside the description.
struct TouchedByClose {
  ObjectId ids[3 + 2 * kMostPieces];
  uint32_t count = 0;

  explicit TouchedByClose(const Description& closed) {
    add(closed.reads);
    add(closed.writes);
    add(closed.address);
    if (closed.stage != SocketStage::Listening) return;
    const Channel& queue = world().object(closed.reads).channel;
    for (uint32_t i = 0; i < queue.used; ++i) {
      add(at(ObjectId{queue.lengths[i]}).reads);
      add(at(ObjectId{queue.lengths[i]}).writes);
    }
  }
  void add(ObjectId id) {
    if (id != kNoObject) ids[count++] = id;
  }
};

// The log must know of that where it is no operation.
void close_last(ObjectId description, Call call) {
  const Operation op{.kind = OpKind::DescriptionClose, .object = description};
  // That locks are given up is written nowhere but in operations.
  const bool may_unlock = is_file(description) && world().file_lock_count > 0;
  if (may_unlock || !world().alone(current_thread())) {
    reach(op, call);
    return;
  }
  const TouchedByClose touched(at(description));
  happen_at_once(op, call);
  for (uint32_t i = 0; i < touched.count; ++i) world().touch(touched.ids[i]);
}

}  // namespace

ObjectId any_description_of(int fd) {
  const DescriptorRecord* const record = find(fd);
  return record == nullptr ? kNoObject : record->description;
}

ObjectId description_of(int fd) {
  const ObjectId id = pollable_description_of(fd);
  return id != kNoObject && kind_behind(world(), at(id)) != ObjectKind::Channel ? kNoObject : id;
}

ObjectId pollable_description_of(int fd) {
  const ObjectId id = any_description_of(fd);
  if (id == kNoObject || is_outside(at(id).reads) || is_outside(at(id).writes)) return kNoObject;
  return is_file(id) ? kNoObject : id;
}

void add_descriptor(int fd, ObjectId description, bool closes_on_exec) {
  add({current_process(), closes_on_exec, 0, fd, description});
}

void set_closes_on_exec(int fd, bool closes) {
  if (DescriptorRecord* const record = find(fd)) record->closes_on_exec = closes;
}

void close_descriptor(int fd, Call call) {
  const DescriptorRecord* const record = find(fd);
  if (record == nullptr) return close_file_descriptor(fd, call);
  const ObjectId description = record->description;
  if (count_of(description) == 1) {
    close_last(description, call);
  } else if (is_file(description)) {
    close_file_descriptor(fd, call);
  } else if (has_unseen_threads(world(), current_thread())) {
    name_unmodelled(
        "close of one of several descriptors of a pipe or socket, while other threads may use it",
        call);
  }
  if (DescriptorRecord* const closed = find(fd)) remove(*closed);
}

// The table is everybody's: others may move its entries while this process closes one.
const DescriptorRecord* next_descriptor(int from) {
  const DescriptorRecord* next = nullptr;
  each_descriptor([&](const DescriptorRecord& record) {
    if (record.fd >= from && (next == nullptr || record.fd < next->fd)) next = &record;
  });
  return next;
}

void close_on_exec(Call call) {
  close_other_files(0, UINT32_MAX, true, call);
  int from = 0;
  while (const DescriptorRecord* const record = next_descriptor(from)) {
    from = record->fd + 1;
    if (record->closes_on_exec) close_descriptor(record->fd, call);
  }
}

void copy_descriptors_for_fork(ProcessId parent, ProcessId child) {
  MAZURKA_CHECK(world().process(child).exists);
  Segment& s = segment();
  const uint32_t count = s.descriptor_count;
  for (uint32_t i = 0; i < count; ++i) {
    DescriptorRecord record = s.descriptors[i];
    if (record.process != parent) continue;
    if (!at(record.description).is_held_by(child)) {
      if (is_file(record.description)) {
        name_unmodelled("a file that more than 30 processes share", {});
        continue;
      }
      limit_reached("more than 30 processes share a pipe or socket");
    }
    record.process = child;
    add(record);
  }
}

void give_up_model(ObjectId description, const char* why, Call call) {
  name_unmodelled(why, call);
  if (is_file(description)) return;
  for (const ObjectId id : {at(description).reads, at(description).writes}) {
    if (id != kNoObject) world().object(id).channel.is_outside = true;
  }
}

// --- making descriptions

ObjectId named_object(const char* kind, uint32_t number, const char* part, ObjectKind object_kind) {
  char text[64];
  const ThreadId me = current_thread();
  if (me == kMainThread) {
    snprintf(text, sizeof text, "%s %u%s", kind, number, part);
  } else {
    snprintf(text, sizeof text, "%s %u%s of %d", kind, number, part, virtual_pid(me));
  }
  return object_by_name(text, 0, object_kind, Storage::Name);
}

uint32_t next_number() {
  begin_executions();
  return ++world().thread(current_thread()).made;
}

ObjectId make_channel(const char* kind, uint32_t number, const char* part,
                      const NewChannel& wanted) {
  const ObjectId id = named_object(kind, number, part, ObjectKind::Channel);
  Channel& channel = world().object(id).channel;
  channel.form = wanted.form;
  channel.slots = wanted.slots;
  channel.is_socket = wanted.is_socket;
  channel.never_ends = wanted.never_ends;
  channel.is_internet = wanted.is_internet;
  channel.count = wanted.count;
  return id;
}

ObjectId make_description(const char* kind, uint32_t number, const char* part, ObjectId reads,
                          ObjectId writes) {
  const ObjectId id = named_object(kind, number, part, ObjectKind::Description);
  Description& description = world().object(id).description;
  description.reads = reads;
  description.writes = writes;
  return id;
}

void open_descriptions(ObjectId first, ObjectId second, Call call) {
  const Operation op{.kind = OpKind::DescriptionOpen, .object = first, .second = second};
  const ThreadId me = current_thread();
  if (has_unseen_threads(world(), me)) {
    reach(op, call);
    return;
  }
  for (const ObjectId id : {first, second}) {
    if (id == kNoObject) continue;
    Description& description = world().object(id).description;
    description.born_by = me;
    description.born_after = world().thread(me).children;
  }
  happen_at_once(op, call);
}

}  // namespace mazurka
