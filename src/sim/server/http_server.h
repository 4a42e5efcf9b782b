// Serves the page and answers its questions, on the loopback interface only (gate.h says to whom).
#pragma once

#include <csignal>
#include <memory>
#include <string>

#include "base/result.h"
#include "sim/server/simulation.h"
#include "sim/server/worker.h"

namespace mazurka {

class HttpServer {
 public:
  // The simulation answers on the worker, one question at a time. Both must outlive the server.
  HttpServer(Simulation& simulation, Worker& worker);
  ~HttpServer();

  // Port 0: any that is free.
  Result<void> open(int port);
  // Of the page, with the token. Requires that it is open.
  std::string address() const;
  // Until the flag is set.
  void serve(const volatile std::sig_atomic_t& interrupted);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mazurka
