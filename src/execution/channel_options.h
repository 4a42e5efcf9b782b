// What users may ask for beyond what channels, conditions and atomics usually do.
#pragma once

#include <cstdint>

namespace mazurka {

struct ChannelOptions {
  bool lossy_udp = false;   // datagrams of UDP may be lost, and overtake each other
  bool partial_io = false;  // reads and writes of streams may transfer less than they could
  // How often in an execution a thread may wake up from a condition without a signal, or fail a
  // weak compare-exchange without a reason, at most.
  uint8_t spurious = 0;
  // How often in an execution a thread may get a block or a pthread_t that another one has given
  // back, at most.
  uint8_t reuse = 0;
};

// Those that were off, though the program did something that they would give more outcomes.
enum UnaskedOption : uint8_t {
  kUnaskedSpurious = 1,   // it waited for a condition
  kUnaskedWeak = 2,       // it made a weak compare-exchange
  kUnaskedPartialIo = 4,  // it transferred several bytes through a stream
  kUnaskedLossy = 8,      // it sent a datagram of UDP
  kUnaskedHandlers = 16,  // a handler of a signal shares memory with what it may interrupt
  kUnaskedReuse = 32,     // a thread got a new block while another had given back one that would do
};

}  // namespace mazurka
