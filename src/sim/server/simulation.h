// What the page can simulate: a program under schedules, or a network of labelled transition
// systems. The server (http_server.h) passes the page's questions on, one at a time, and the
// answers back.
#pragma once

#include <string>

#include "base/result.h"
#include "sim/server/json_type.h"

namespace mazurka {

class Simulation {
 public:
  virtual ~Simulation() = default;

  // The answer to one of the questions of docs/simulator.md. An error is a sentence for the page:
  // what it asked for is not there, or the world failed.
  virtual Result<Json> answer(const std::string& question, const Json& request) = 0;
};

inline Error no_such_question(const std::string& question) {
  return Error{"there is no question '" + question + "'"};
}

}  // namespace mazurka
