// The model of a channel: one direction of a pipe, of a FIFO or of a pair of sockets, or the
// counter of an eventfd. The kernel carries the bytes; the model knows how many there are, how much
// more fits, and who could still read or write, so that it can say which call would wait, and what
// it would transfer.
//
// A pipe is Linux's, to the byte: it has room for a number of pages, and a write goes on in the
// last one only if all that does not fill pages fits there (fs/pipe.c). A stream of a socket takes
// what Linux's default for local sockets lets it take (stream_pieces.h); for TCP that is less than
// Linux can grow to.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "kinds/channels/stream_pieces.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

inline constexpr uint32_t kPageBytes =
    4096;  // a page of a pipe; up to so many a write is atomic (PIPE_BUF)
inline constexpr uint8_t kPipePages = 16;
inline constexpr uint16_t kSocketPieces = 278;   // short ones: 213 KB, net.core.wmem_default
inline constexpr uint16_t kSocketMessages = 11;  // as with the kernel's max_dgram_qlen of 10
inline constexpr uint32_t kMostMessageBytes =
    65536;  // together, but one message may always be there
inline constexpr uint32_t kMostPieces = 32;
inline constexpr int64_t kMostCounted = INT64_MAX - 1;  // by an eventfd, here

struct Channel {
  enum class Form : uint8_t {
    Pipe,         // bytes in pages
    Stream,       // bytes in runs of pieces
    Messages,     // each is read as a whole; `lengths` are in units of 16 bytes
    Counter,      // an eventfd: a write adds, a read takes all, or 1 if `slots` is 1
    Connections,  // of a socket that listens: `lengths` are the descriptions of those who connected
                  // (kinds/sockets/socket.h)
  };
  Form form = Form::Pipe;
  uint16_t slots = kPipePages;
  uint8_t used = 0;  // of `lengths`
  bool is_socket = false;
  bool never_ends = false;  // datagrams: that nobody can write any more is not seen by a reader
  bool shut = false;        // shutdown: no more is written, and what is there is the rest
  bool reset =
      false;  // a socket was closed before it had read everything: its peer's next read fails
  bool is_outside =
      false;  // somebody outside of the program uses it, too: no model (the runtime sees to it)
  // TCP: the first write that nobody can read any more is lost, and only the next one fails; who
  // reads no more (shutdown) is not noticed by the writer.
  bool is_internet = false;  // TCP, or UDP where it never ends
  bool is_deaf = false;      // TCP: its reader said that it reads no more
  bool is_deserted = false;  // TCP: its reader has shut both directions: like a closed one
  bool has_refused = false;  // TCP: a write was lost
  uint16_t readers = 0;      // open descriptions that can read it, and write it
  uint16_t writers = 0;
  uint16_t taken = 0;  // Pipe: bytes of the first page that have been read
  union {
    StreamPieces stream = {};       // Stream
    uint16_t lengths[kMostPieces];  // all others
  };
  uint16_t reader_opens = 0;  // FIFO: how often it was opened for reading, and for writing
  uint16_t writer_opens = 0;
  // For who is told of changes only (EPOLLET): how often something was put there, and how often
  // whoever waits for room was woken by what was taken.
  uint16_t arrivals = 0;
  uint16_t departures = 0;
  int64_t count = 0;  // Counter
  // The latest time of a close. Closing commutes, so one must not see the time of another.
  int64_t readers_clock_ns = 0;
  int64_t writers_clock_ns = 0;

  bool is_fifo() const { return reader_opens + writer_opens > 0; }
  bool is_empty() const;
  // Whether a read that finds nothing does not wait for more.
  bool is_at_end() const { return shut || reset || is_deaf || (writers == 0 && !never_ends); }
  // As poll says it: a pipe when a page is free, a socket when three quarters of it are.
  bool is_writable() const;
  bool is_broken() const { return shut || readers == 0 || is_deserted; }
  // TCP: a write that is lost without an error.
  bool loses_write() const { return is_internet && !shut && !has_refused && is_broken(); }
  int64_t bytes() const;
  int64_t limit() const { return slots * kCostOfPiece; }  // Stream: of the cost

  // How many of `wanted` bytes a write transfers now; 0: it must wait. `goes_on`: it has
  // transferred some before.
  int64_t room(int64_t wanted, bool goes_on) const;
  // Requires 0 < moved <= room.
  void put(int64_t moved, bool goes_on);
  // Takes up to `wanted` bytes, one message, or the count. Returns how many bytes (the count).
  // Requires that it is not empty.
  int64_t take(int64_t wanted);
  // Messages: takes this one.
  int64_t take_message(uint32_t place);

 private:
  // What is given back one by one: pieces, pages, messages.
  int64_t parts() const { return form == Form::Stream ? stream.count() : used; }
  int64_t take_any(int64_t wanted);
};
static_assert(std::is_trivially_copyable_v<Channel>);

// Operations on channels: `object` is the channel, `second` the description
// (kinds/channels/description.h), `value` the bytes wanted. The effect's value: how many were
// transferred; of a read with kLossy, which message it was.
// What the operation would return now: 0, or an errno value (EAGAIN: it would wait, or fails
// because it must not). The number of bytes is in `moved` then: 0 for a read is the end.
int channel_result(const World& world, ThreadId thread, const Operation& op, int64_t& moved);

namespace on_channel {

EnabledFunction enabled;
ApplyFunction read, write;
AccessFunction read_accesses, write_accesses;
CommuteFunction commute;
StateFunction state;

}  // namespace on_channel

}  // namespace mazurka
