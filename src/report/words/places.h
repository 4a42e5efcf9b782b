// What the source knows about addresses of the program: the seam to source/, so that tests of the
// reports need no debug information.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "source/source_map.h"

namespace mazurka {

class Places {
 public:
  virtual ~Places() = default;

  // Of a call by its return addresses, innermost first: "bank.cpp:12 in deposit". Empty if nothing
  // is known.
  virtual std::string place(const std::vector<uint64_t>& stack) = 0;
  // The calls that led to it, in the user's code: innermost first, that place itself left out.
  virtual std::vector<std::string> callers(const std::vector<uint64_t>& stack) = 0;
  // "bank.cpp:12". Empty if it is not known.
  virtual std::string location(const std::vector<uint64_t>& stack) = 0;
  // The text of that line, without the spaces around it. Empty if the file cannot be read.
  virtual std::string source_text(const std::vector<uint64_t>&) { return ""; }
  // The function at a code address, if it is the user's: "philosopher". Empty otherwise.
  virtual std::string function(uint64_t) { return ""; }
  // The outermost function of the user's: the one that a thread runs, or main.
  virtual std::string outermost_function(const std::vector<uint64_t>&) { return ""; }
  // All functions of the stack, innermost first, inlined ones and the library's among them.
  virtual std::vector<Place> frames(const std::vector<uint64_t>&) { return {}; }
  // "forks[2]"
  virtual std::optional<std::string> variable(uint64_t address) = 0;
};

std::unique_ptr<Places> source_places(std::vector<LoadedFile> files);

}  // namespace mazurka
