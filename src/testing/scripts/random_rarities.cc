#include "testing/scripts/random_rarities.h"

#include <vector>

namespace mazurka {

void RandomRarities::make() {
  path_ = out_.script.add({.kind = ObjectKind::Address});
  fifo_ = out_.script.add({.kind = ObjectKind::Channel, .value = 1, .is_held = false});
}

ObjectId RandomRarities::any(ObjectKind kind) {
  std::vector<ObjectId> found;
  for (uint32_t i = 0; i < out_.script.objects.size(); ++i) {
    const ScriptObject& object = out_.script.objects[i];
    if (object.kind == kind && object.is_held) found.push_back(ObjectId{i});
  }
  if (found.empty()) return kNoObject;
  return found[out_.dice.below(static_cast<uint32_t>(found.size()))];
}

void RandomRarities::operation() {
  switch (out_.dice.below(8)) {
    case 0:
      return destroy();
    case 1:
    case 2:
      return change();
    case 3:
      return pipe();
    default:
      return fifo();
  }
}

void RandomRarities::destroy() {
  constexpr std::pair<ObjectKind, OpKind> kDestroys[] = {
      {ObjectKind::Condition, OpKind::CondDestroy},
      {ObjectKind::RwLock, OpKind::RwDestroy},
      {ObjectKind::Barrier, OpKind::BarrierDestroy}};
  const auto& [kind, op] = kDestroys[out_.dice.below(3)];
  const ObjectId object = any(kind);
  if (object == kNoObject) return fifo();
  out_.operation({.kind = op, .object = object});
}

// A socket may be shut, whatever it is doing; the size of a queue of System V changes.
void RandomRarities::change() {
  const ObjectId queue = any(ObjectKind::Queue);
  if (queue != kNoObject && out_.script.objects[index(queue)].value < 0) {
    return out_.operation(
        {.kind = OpKind::QueueSet, .object = queue, .value = 1 + out_.dice.below(4)});
  }
  const ObjectId end = any(ObjectKind::Description);
  if (end == kNoObject) return pipe();
  const bool is_socket = out_.script.objects[index(end)].stage == SocketStage::Fresh;
  out_.operation(
      {.kind = OpKind::DescriptionSet, .object = end, .value = out_.dice.below(is_socket ? 6 : 2)});
  out_.maybe_branch(Instruction::Test::ValueIs, 0);
}

void RandomRarities::transfer(bool reads, ObjectId channel, ObjectId end) {
  out_.operation({.kind = reads ? OpKind::ChannelRead : OpKind::ChannelWrite,
                  .flags = kTry,
                  .object = channel,
                  .second = end,
                  .value = 4096});
}

// One of its own: nobody else can know the descriptors before they are there.
void RandomRarities::pipe() {
  const ObjectId channel =
      out_.script.add({.kind = ObjectKind::Channel, .value = 1, .is_held = false});
  const auto place = static_cast<int64_t>(index(channel));
  const ObjectId read_end =
      out_.script.add({.kind = ObjectKind::Description, .value = 1 + place, .is_held = false});
  const ObjectId write_end =
      out_.script.add({.kind = ObjectKind::Description, .value = -1 - place, .is_held = false});
  out_.operation({.kind = OpKind::DescriptionOpen, .object = read_end, .second = write_end});
  if (out_.dice.one_in(2)) transfer(false, channel, write_end);
  out_.operation(
      {.kind = OpKind::DescriptionClose, .object = out_.dice.one_in(2) ? read_end : write_end});
}

void RandomRarities::fifo() {
  const uint32_t chosen = out_.dice.below(8);
  if (chosen < 2)
    return out_.operation({.kind = OpKind::FifoMake, .object = path_, .second = fifo_});
  if (chosen == 2) return out_.operation({.kind = OpKind::AddressUnlink, .object = path_});
  open_fifo();
}

void RandomRarities::open_fifo() {
  constexpr int64_t kModes[] = {kOpensToRead, kOpensToRead, kOpensToWrite,
                                kOpensToRead | kOpensAtOnce, kOpensToWrite | kOpensAtOnce};
  const int64_t mode = kModes[out_.dice.below(5)];
  const ObjectId end = out_.script.add({.kind = ObjectKind::Description, .is_held = false});
  out_.operation({.kind = OpKind::FifoOpen, .object = path_, .second = end, .value = mode});
  const uint32_t over = out_.open(Instruction::Test::ValueIsNot, 1);
  out_.operation({.kind = OpKind::FifoWait, .object = fifo_, .second = end});
  out_.close(over);
  if (out_.dice.one_in(2)) transfer((mode & kOpensToRead) != 0, fifo_, end);
  if (out_.dice.one_in(2)) out_.operation({.kind = OpKind::DescriptionClose, .object = end});
}

}  // namespace mazurka
