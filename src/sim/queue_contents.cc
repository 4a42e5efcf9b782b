#include "sim/queue_contents.h"

#include <algorithm>

#include "report/data_text.h"

namespace mazurka {
namespace {

constexpr size_t kMostPiecesShown = 8;

}  // namespace

void QueueContents::step(const Transition& made, const World& after) {
  if (!is_on_channel(made.op.kind) || made.effect.error != 0 || made.op.object == kNoObject) return;
  const Object& object = after.object(made.op.object);
  if (object.kind != ObjectKind::Channel || object.channel.form == Channel::Form::Counter) return;
  std::deque<Piece>& queue = queues_[index(made.op.object)];
  const auto moved = static_cast<size_t>(std::max<int64_t>(made.effect.value, 0));
  if (made.op.kind == OpKind::ChannelWrite) {
    queue.push_back({shown_bytes(made.text), moved});
    return;
  }
  if ((made.op.flags & kPeek) != 0) return;
  if (object.channel.form == Channel::Form::Messages) {
    if (!queue.empty() && object.channel.used < queue.size()) queue.pop_front();
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

std::string QueueContents::text(ObjectId channel) const {
  const auto known = queues_.find(index(channel));
  if (known == queues_.end()) return "";
  std::string text;
  size_t shown = 0;
  for (const Piece& piece : known->second) {
    if (!text.empty()) text += ", ";
    if (shown++ == kMostPiecesShown) return text + "...";
    text += data_text(piece.bytes, piece.length);
  }
  return text;
}

}  // namespace mazurka
