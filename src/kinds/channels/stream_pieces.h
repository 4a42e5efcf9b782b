// What is on its way in a stream of a socket, as Linux accounts for it: each write is a piece of
// its own, or several if it is long; a piece costs its bytes and what the kernel needs to manage
// it, and is given back when its last byte has been read. Pieces that follow each other and are of
// one length are a run. Of runs there is room for few: where more would be needed, the last two
// become one of pieces of about the same length: bytes and cost stay what they are.
#pragma once

#include <cstdint>

namespace mazurka {

struct PieceRun {
  uint32_t bytes;  // of all its pieces, also those of the first that have been read
  uint32_t pieces;

  bool operator==(const PieceRun&) const = default;
  uint32_t first_length() const { return (bytes + pieces - 1) / pieces; }
};

inline constexpr uint32_t kMostRuns = 7;
inline constexpr uint32_t kMostBytesOfPiece = 32768;
inline constexpr int64_t kCostOfPiece = 768;  // beside its bytes

struct StreamPieces {
  PieceRun runs[kMostRuns];
  uint32_t used;   // of them
  uint32_t taken;  // bytes of the first piece that have been read

  bool operator==(const StreamPieces&) const = default;
  int64_t bytes() const;
  int64_t count() const;
  int64_t cost() const;
  // How many of `wanted` bytes go in: a piece may, while what is there costs less than the limit.
  int64_t room(int64_t wanted, int64_t limit) const;
  void put(int64_t moved);
  // Returns how many.
  int64_t take(int64_t wanted);
};

}  // namespace mazurka
