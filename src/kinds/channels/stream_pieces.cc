#include "kinds/channels/stream_pieces.h"

namespace mazurka {
namespace {

int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

// Of the first run a part may have been read, so it is not one of these.
void merge_last_two(StreamPieces& stream) {
  static_assert(kMostRuns > 2);
  const PieceRun last = stream.runs[--stream.used];
  PieceRun& before = stream.runs[stream.used - 1];
  before = {before.bytes + last.bytes, before.pieces + last.pieces};
  stream.runs[stream.used] = {};
}

void put_piece(StreamPieces& stream, uint32_t length) {
  if (stream.used > 0) {
    PieceRun& last = stream.runs[stream.used - 1];
    if (last.bytes == length * last.pieces) {
      last = {last.bytes + length, last.pieces + 1};
      return;
    }
  }
  if (stream.used == kMostRuns) merge_last_two(stream);
  stream.runs[stream.used++] = {length, 1};
}

// The first piece has been read.
void give_back(StreamPieces& stream, uint32_t length) {
  PieceRun& first = stream.runs[0];
  stream.taken = 0;
  first = {first.bytes - length, first.pieces - 1};
  if (first.pieces > 0) return;
  --stream.used;
  for (uint32_t i = 0; i < stream.used; ++i) stream.runs[i] = stream.runs[i + 1];
  stream.runs[stream.used] = {};
}

}  // namespace

int64_t StreamPieces::bytes() const {
  int64_t sum = 0;
  for (uint32_t i = 0; i < used; ++i) sum += runs[i].bytes;
  return sum - taken;
}

int64_t StreamPieces::count() const {
  int64_t sum = 0;
  for (uint32_t i = 0; i < used; ++i) sum += runs[i].pieces;
  return sum;
}

int64_t StreamPieces::cost() const { return bytes() + taken + count() * kCostOfPiece; }

int64_t StreamPieces::room(int64_t wanted, int64_t limit) const {
  int64_t moved = 0;
  for (int64_t paid = cost(); paid < limit && moved < wanted;) {
    const int64_t piece = least(wanted - moved, kMostBytesOfPiece);
    moved += piece;
    paid += piece + kCostOfPiece;
  }
  return moved;
}

void StreamPieces::put(int64_t moved) {
  for (; moved > 0; moved -= kMostBytesOfPiece)
    put_piece(*this, static_cast<uint32_t>(least(moved, kMostBytesOfPiece)));
}

int64_t StreamPieces::take(int64_t wanted) {
  int64_t got = 0;
  while (got < wanted && used > 0) {
    const uint32_t length = runs[0].first_length();
    const int64_t part = least(wanted - got, length - taken);
    got += part;
    taken += static_cast<uint32_t>(part);
    if (taken == length) give_back(*this, length);
  }
  return got;
}

}  // namespace mazurka
