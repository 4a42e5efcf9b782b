#include "kinds/channels/queue_contents.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "kinds/channels/data_text.h"

namespace mazurka {
namespace {

constexpr size_t kMostPiecesShown = 8;

}  // namespace

void QueueContents::step(const Operation& op, const Effect& effect, const std::string& said,
                         const World& after) {
  if (effect.error != 0 || op.object == kNoObject) return;
  const Object& object = after.object(op.object);
  const Piece whole{shown_bytes(said), static_cast<size_t>(std::max<int64_t>(op.value, 0))};
  if (op.kind == OpKind::QueueSend) {
    messages_[after.last_message] = whole;
  } else if (op.kind == OpKind::DatagramSend) {
    if (effect.value < 0) return;  // it was lost
    const Description& receiver =
        after.object(ObjectId(static_cast<uint32_t>(effect.value))).description;
    channels_[index(receiver.reads)].push_back(whole);
  } else if (is_on_channel(op.kind) && object.kind == ObjectKind::Channel &&
             object.channel.form != Channel::Form::Counter) {
    step_on_channel(op, effect, said, object.channel);
  }
}

void QueueContents::step_on_channel(const Operation& op, const Effect& effect,
                                    const std::string& said, const Channel& channel) {
  std::deque<Piece>& queue = channels_[index(op.object)];
  const auto moved = static_cast<size_t>(std::max<int64_t>(effect.value, 0));
  if (channel.is_empty())
    return queue.clear();  // all was read, or nobody is left to read what was written
  if (op.kind == OpKind::ChannelWrite) {
    queue.push_back({shown_bytes(said), moved});
    return;
  }
  if ((op.flags & kPeek) != 0) return;
  if (channel.form == Channel::Form::Messages) {
    // One that has overtaken others is not the first.
    const size_t place = (op.flags & kLossy) != 0 ? moved : 0;
    if (place < queue.size() && channel.used < queue.size())
      queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(place));
    return;
  }
  for (size_t left = moved; left > 0 && !queue.empty();) {
    Piece& first = queue.front();
    const size_t taken = std::min(left, first.length);
    first.bytes.erase(0, taken);
    first.length -= taken;
    left -= taken;
    if (first.length == 0) queue.pop_front();
  }
}

std::deque<QueueContents::Piece> QueueContents::messages_in(const World& now,
                                                            ObjectId queue) const {
  std::vector<std::pair<uint64_t, const Piece*>> found;  // by age
  for (uint32_t i = 0; i < now.message_limit; ++i) {
    const auto known = messages_.find(i);
    if (now.messages[i].queue == queue && known != messages_.end())
      found.emplace_back(now.messages[i].order, &known->second);
  }
  std::sort(found.begin(), found.end());
  std::deque<Piece> pieces;
  for (const auto& [order, piece] : found) pieces.push_back(*piece);
  return pieces;
}

std::string QueueContents::text(const World& now, ObjectId id) const {
  const auto known = channels_.find(index(id));
  const bool is_queue = now.object(id).kind == ObjectKind::Queue;
  const std::deque<Piece> pieces = is_queue                   ? messages_in(now, id)
                                   : known != channels_.end() ? known->second
                                                              : std::deque<Piece>();
  std::string text;
  size_t shown = 0;
  for (const Piece& piece : pieces) {
    if (!text.empty()) text += ", ";
    if (shown++ == kMostPiecesShown) return text + "...";
    text += data_text(piece.bytes, piece.length);
  }
  return text;
}

}  // namespace mazurka
