#include "kinds/channels/stream_pieces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>

namespace mazurka {
namespace {

constexpr int64_t kLimit = 278 * kCostOfPiece;

TEST(StreamPieces, TakesAsManyShortWritesAsLinux) {
  StreamPieces stream = {};
  int writes = 0;
  while (stream.room(1, kLimit) == 1) {
    stream.put(1);
    ++writes;
  }
  EXPECT_EQ(writes, 278);
  EXPECT_EQ(stream.used, 1u);
}

TEST(StreamPieces, TakesPartOfALongWrite) {
  StreamPieces stream = {};
  const int64_t part = stream.room(1'000'000, kLimit);
  EXPECT_GT(part, 200'000);
  EXPECT_LT(part, 260'000);
  stream.put(part);
  EXPECT_EQ(stream.bytes(), part);
  EXPECT_EQ(stream.room(1, kLimit), 0);
}

TEST(StreamPieces, APieceIsGivenBackWithItsLastByte) {
  StreamPieces stream = {};
  stream.put(100);
  stream.put(5);
  EXPECT_EQ(stream.take(99), 99);
  EXPECT_EQ(stream.count(), 2);
  EXPECT_EQ(stream.cost(), 105 + 2 * kCostOfPiece);
  EXPECT_EQ(stream.take(1), 1);
  EXPECT_EQ(stream.cost(), 5 + kCostOfPiece);
  EXPECT_EQ(stream.take(10), 5);
  EXPECT_EQ(stream.cost(), 0);
}

// Against a list of all pieces: bytes and cost are exact for any lengths, and pieces are as long as
// there are runs enough.
TEST(StreamPieces, AreWhatAListOfThemIs) {
  for (uint32_t seed = 1; seed <= 300; ++seed) {
    std::mt19937_64 engine(seed);
    const auto below = [&engine](uint64_t n) { return static_cast<int64_t>(engine() % n); };
    const uint64_t lengths = 1 + seed % 4, most = seed % 8 < 4 ? kMostRuns : 100;
    StreamPieces stream = {};
    std::deque<int64_t> list;
    int64_t taken = 0;
    for (int step = 0; step < 200; ++step) {
      if (list.size() < most && below(2) == 0) {
        list.push_back(1 + 1000 * below(lengths));
        stream.put(list.back());
      } else {
        int64_t wanted = 1 + below(1500), left = wanted;
        for (; left > 0 && !list.empty();) {
          const int64_t part = std::min(left, list.front() - taken);
          taken += part;
          left -= part;
          if (taken == list.front()) taken = 0, list.pop_front();
        }
        ASSERT_EQ(stream.take(wanted), wanted - left);
      }
      int64_t bytes = -taken;
      for (const int64_t length : list) bytes += length;
      ASSERT_EQ(stream.bytes(), bytes) << "seed " << seed << ", step " << step;
      if (most == kMostRuns) {
        ASSERT_EQ(stream.count(), static_cast<int64_t>(list.size()));
      }
      ASSERT_GE(stream.bytes() + stream.taken, stream.count());
    }
  }
}

}  // namespace
}  // namespace mazurka
