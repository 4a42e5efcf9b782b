// Sockets that find each other by name, for random scripts (random_script.h).
#pragma once

#include "testing/scripts/script_writer.h"

namespace mazurka {

class RandomSockets {
 public:
  explicit RandomSockets(ScriptWriter& out) : out_(out) {}
  // One that listens and one that connects, or one that gets datagrams and one that sends them.
  void make();

  // Before anybody else is there.
  void open_server();
  // One statement.
  void socket_operation();

 private:
  struct Socket {
    ObjectId reads = kNoObject;
    ObjectId writes = kNoObject;
    ObjectId description = kNoObject;
  };

  ObjectId socket_channel(SocketStage stage, bool is_open_for_reading);
  Socket make_socket(SocketStage stage);
  int64_t address_flags() const;
  void bind_server();
  void listen();
  void poll_sockets();
  void datagram_operation();
  void stream_operation(uint32_t chosen);
  void transfer(OpKind kind, ObjectId channel, ObjectId socket);
  void accept();

  ScriptWriter& out_;
  ObjectId address_ = kNoObject;
  Socket server_;
  Socket client_;
  bool is_internet_ = false;
  bool is_for_datagrams_ = false;
};

}  // namespace mazurka
