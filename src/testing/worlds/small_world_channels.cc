// The worlds of channels and descriptions, for accesses_test.cc.
#include <poll.h>

#include "testing/worlds/small_world.h"

namespace mazurka {
namespace {

using Menu = std::vector<MenuItem>;

constexpr ThreadId kA{0};
constexpr ThreadId kB{1};
constexpr ThreadId kC{2};
// A channel there, one back, and a description at each side; of a pipe only the first channel is
// there.
constexpr ObjectId kThere{0};
constexpr ObjectId kBack{1};
constexpr ObjectId kNear{2};
constexpr ObjectId kFar{3};

struct Kind {
  const char* name;
  Channel::Form form;
  uint8_t slots;
  bool is_socket;
  bool never_ends;
  int64_t written;    // by a write of the menu
  uint8_t flags = 0;  // of reads and writes
};

Channel& make_channel(World& world, ObjectId id, const Kind& kind) {
  Channel& channel = world.create_object(id, ObjectKind::Channel, kNoProcess).channel;
  channel.form = kind.form;
  channel.slots = kind.slots;
  channel.is_socket = kind.is_socket;
  channel.never_ends = kind.never_ends;
  channel.readers = channel.writers = kind.form == Channel::Form::Counter ? 2 : 1;
  return channel;
}

Description& make_description(World& world, ObjectId id, ObjectId reads, ObjectId writes) {
  Description& made = world.create_object(id, ObjectKind::Description, kNoProcess).description;
  made.reads = reads;
  made.writes = writes;
  made.add_holder(kA);
  return made;
}

void set_up(World& world, const Kind& kind, bool both_directions) {
  world.create_thread(kA, kNoThread, kA);
  make_channel(world, kThere, kind);
  if (both_directions) make_channel(world, kBack, kind);
  if (!both_directions) world.create_object(kBack, ObjectKind::Event, kNoProcess);
  const bool is_counter = kind.form == Channel::Form::Counter;
  make_description(world, kNear, both_directions ? kBack : is_counter ? kThere : kNoObject, kThere);
  make_description(world, kFar, kThere, both_directions ? kBack : is_counter ? kThere : kNoObject);
  world.create_thread(kB, kA, kA);
  world.create_thread(kC, kA, kC);  // has both, too
}

MenuItem item(const std::string& name, const Operation& op, Then then = Then::GoesOn) {
  return {keep(name), op, then};
}

constexpr uint32_t bit(ThreadId thread) { return 1u << index(thread); }

void transfers(Menu& menu, ObjectId channel, ObjectId from, ObjectId to, const Kind& kind,
               bool all_forms) {
  const Operation write{.kind = OpKind::ChannelWrite,
                        .flags = kind.flags,
                        .object = channel,
                        .second = from,
                        .value = kind.written};
  const Operation read{.kind = OpKind::ChannelRead,
                       .flags = kind.flags,
                       .object = channel,
                       .second = to,
                       .value = kind.written};
  Operation try_write = write;
  Operation try_read = read;
  Operation peek = read;
  try_write.flags = try_read.flags = kTry;
  peek.flags = kPeek;
  menu.push_back(item("write", write));
  menu.push_back(item("read", read));
  menu.push_back(item("try read", try_read));
  if (!all_forms) return;
  menu.push_back(item("try write", try_write));
  menu.push_back(item("peek", peek));
}

void closes(Menu& menu) {
  for (const ObjectId id : {kNear, kFar}) {
    menu.push_back(item(id == kNear ? "close near" : "close far",
                        {.kind = OpKind::DescriptionClose, .object = id}));
  }
}

Operation set(ObjectId id, DescriptionChange change) {
  return {.kind = OpKind::DescriptionSet, .object = id, .value = static_cast<int64_t>(change)};
}

// Each poll looks at one description, or at both.
void polls(Menu& menu, std::vector<OpPart>& parts) {
  const auto add = [&](const std::string& name, std::initializer_list<OpPart> looked_at,
                       uint8_t flags) {
    Operation op{.kind = OpKind::Poll, .flags = flags};
    op.part_begin = static_cast<uint32_t>(parts.size());
    op.part_count = static_cast<uint32_t>(looked_at.size());
    parts.insert(parts.end(), looked_at);
    menu.push_back(item(name, op));
  };
  add("poll for input", {polled(kFar, POLLIN)}, 0);
  add("poll for both", {polled(kFar, POLLIN), polled(kNear, POLLOUT)}, 0);
  add("poll for nothing", {polled(kNear, 0)}, kTry);
}

SmallWorldCase one_way(const Kind& kind, bool with_ends, bool with_polls) {
  SmallWorldCase made;
  made.name = std::string(kind.name) + (with_ends ? ", ends" : "") + (with_polls ? ", polls" : "");
  std::vector<OpPart> parts;
  if (with_polls) polls(made.menu, parts);
  transfers(made.menu, kThere, kNear, kFar, kind, !with_ends && !with_polls);
  closes(made.menu);
  if (!with_polls)
    made.menu.push_back(item("do not block", set(kFar, DescriptionChange::NonBlocking)));
  if (with_ends) {
    made.menu.push_back(item("toss, leave", {.kind = OpKind::Toss}, Then::EndsProcess));
    made.menu.push_back(item("toss, fork", {.kind = OpKind::Toss}, Then::Forks));
    made.menu.back().who = bit(kC);
    made.menu.push_back(item("crash", {.kind = OpKind::Crash, .value = 11}));
  }
  made.set_up = [=](World& world) {
    set_up(world, kind, false);
    for (const OpPart& part : parts) world.parts[world.part_count++] = part;
  };
  return made;
}

SmallWorldCase both_ways(const Kind& kind, bool with_polls) {
  SmallWorldCase made;
  made.name = std::string(kind.name) + (with_polls ? ", both ways, polls" : ", both ways");
  std::vector<OpPart> parts;
  if (with_polls) polls(made.menu, parts);
  transfers(made.menu, kThere, kNear, kFar, kind, false);
  const Operation back{
      .kind = OpKind::ChannelWrite, .object = kBack, .second = kFar, .value = kind.written};
  const Operation read_back{
      .kind = OpKind::ChannelRead, .object = kBack, .second = kNear, .value = kind.written};
  const Operation read{
      .kind = OpKind::ChannelRead, .object = kThere, .second = kFar, .value = kind.written};
  made.menu.push_back(item("write back", back));
  made.menu.push_back(item("read back", read_back));
  closes(made.menu);
  made.menu.push_back(item("shut writing", set(kNear, DescriptionChange::ShutWrite)));
  made.menu.push_back(item("shut reading", set(kNear, DescriptionChange::ShutRead)));
  if (!with_polls) {
    for (Operation peek : {read_back, read}) {
      peek.flags = kPeek;
      made.menu.push_back(item(peek.object == kBack ? "peek back" : "peek", peek));
    }
    made.menu.push_back(item("shut both", set(kNear, DescriptionChange::ShutBoth)));
    made.menu.push_back(item("take error", set(kFar, DescriptionChange::TakeError)));
  }
  made.set_up = [=](World& world) {
    set_up(world, kind, true);
    for (const OpPart& part : parts) world.parts[world.part_count++] = part;
  };
  return made;
}

// Each thread makes a descriptor or two of its own beside the others, and closes them. Nobody else
// uses them: before they are there, nobody can.
SmallWorldCase numbers() {
  SmallWorldCase made;
  made.name = "numbers of descriptors";
  made.set_up = [](World& world) {
    world.create_thread(kA, kNoThread, kA);
    for (uint32_t i = 0; i < 4; ++i)
      world.create_object(ObjectId{i}, ObjectKind::Description, kNoProcess);
    world.create_thread(kB, kA, kA);
    world.create_thread(kC, kA, kC);
  };
  const auto add = [&](const char* name, OpKind kind, ThreadId who, ObjectId object,
                       ObjectId second = kNoObject) {
    made.menu.push_back(item(name, {.kind = kind, .object = object, .second = second}));
    made.menu.back().who = bit(who);
  };
  add("open two", OpKind::DescriptionOpen, kA, ObjectId{0}, ObjectId{1});
  add("close the first", OpKind::DescriptionClose, kA, ObjectId{0});
  add("open one", OpKind::DescriptionOpen, kB, ObjectId{2});
  add("close it", OpKind::DescriptionClose, kB, ObjectId{2});
  add("open in a child", OpKind::DescriptionOpen, kC, ObjectId{3});
  return made;
}

}  // namespace

std::vector<SmallWorldCase> small_world_channels() {
  const Kind pipe{"pipe", Channel::Form::Pipe, 2, false, false, 4096};
  const Kind small{"pipe, short writes", Channel::Form::Pipe, 1, false, false, 1500};
  const Kind cut{"pipe, long writes", Channel::Form::Pipe, 2, false, false, 6000};
  const Kind counter{"counter", Channel::Form::Counter, 0, false, false, 1};
  const Kind single{"counter that gives one", Channel::Form::Counter, 1, false, false, 1};
  const Kind stream{"stream", Channel::Form::Stream, 1, true, false, 100};
  const Kind messages{"messages", Channel::Form::Messages, 1, true, false, 100};
  const Kind datagrams{"datagrams", Channel::Form::Messages, 1, true, true, 0};
  const Kind parts{"stream, parts of writes", Channel::Form::Stream, 1, true, false, 2, kPartial};
  return {one_way(pipe, false, false),    one_way(parts, false, false),
          one_way(pipe, true, false),     one_way(pipe, false, true),
          one_way(small, false, false),   one_way(cut, false, false),
          one_way(counter, false, false), one_way(counter, false, true),
          one_way(single, false, false),  both_ways(stream, false),
          both_ways(stream, true),        both_ways(messages, false),
          both_ways(datagrams, false),    numbers()};
}

}  // namespace mazurka
