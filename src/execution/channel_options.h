// What users may ask for beyond what pipes and sockets usually do.
#pragma once

namespace mazurka {

struct ChannelOptions {
  bool lossy_udp = false;   // datagrams of UDP may be lost, and overtake each other
  bool partial_io = false;  // reads and writes of streams may transfer less than they could
};

}  // namespace mazurka
