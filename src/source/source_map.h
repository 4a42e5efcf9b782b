// Turns addresses of a program under test into the places and names its author knows. Called by the
// report. It reads files, never a process: whoever runs the program says which file lies where.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mazurka {

// A loaded file. A file whose segments are listed one by one may appear several times.
struct LoadedFile {
  std::string path;
  uint64_t base = 0;  // address in memory minus address in the file; 0 for a program that is not
                      // position independent
  uint64_t start = 0;
  uint64_t end = 0;
};

struct Place {
  std::string
      function;      // qualified, without parameters: "bank::Account::deposit", "main::{lambda}"
  std::string file;  // relative if it lies under the directory; empty if unknown
  int line = 0;
  std::string module;  // file name of the module
  bool in_user_code = false;

  bool operator==(const Place&) const = default;
};

// "bank.cpp:12 in deposit", and with less information "deposit in libbank.so".
std::string to_string(const Place& place);

// A global or static variable, as its author knows it.
struct StaticVariable {
  std::string name;  // qualified: "bank::accounts"
  std::string type;  // "struct account", "int"; empty if it has no name
  std::string file;  // that declares it; empty if unknown
  uint64_t address = 0;
  uint64_t size = 0;
};

// A function: its code out of line, or one copy of it that was inlined into another.
struct FunctionCode {
  std::string name;        // qualified, without parameters: "bank::Account::deposit"
  std::string class_name;  // "bank::Account"; empty if it is no member
  std::string file;        // that declares it; empty if unknown
  int around = -1;         // which of the list it was inlined into; -1: none
  uint64_t entry = 0;
  std::vector<std::pair<uint64_t, uint64_t>> ranges;  // of addresses, with what was inlined into it
};

// Not for use by several threads at once. A missing or damaged file costs information, never more.
class SourceMap {
 public:
  explicit SourceMap(std::vector<LoadedFile> modules);

  // File names are given relative to `directory`.
  SourceMap(std::vector<LoadedFile> modules, std::string directory);

  SourceMap(SourceMap&&) noexcept;
  SourceMap& operator=(SourceMap&&) noexcept;
  ~SourceMap();

  // All frames at a code address, innermost first: inlined functions, then the one that they were
  // inlined into. A return address belongs to the call before it. Empty outside of every module.
  std::vector<Place> frames(uint64_t pc, bool return_address);

  // Those of them that are user code. Costs nothing in modules of the system.
  std::vector<Place> user_frames(uint64_t pc, bool return_address);

  // The place to show a person: the first in the stack (return addresses, innermost first) that is
  // user code, if possible one with a line. Without any user code, the first function outside our
  // runtime.
  Place user_place(const std::vector<uint64_t>& stack);

  // The global or static variable at a data address: "forks[2]", "queue.mutex",
  // "bank::Account::count", "main::lock". Without debug information "symbol+0x10", without symbols
  // "module+0x1234". Nothing outside of every module.
  std::optional<std::string> variable(uint64_t address);

  // All of the loaded files. Of one that an optimiser has split, each piece.
  std::vector<StaticVariable> static_variables();

  // All of the loaded files, as far as there is debug information. A function comes after the one
  // that it was inlined into.
  std::vector<FunctionCode> functions();

  // Whether the module at this address was built with debug information that we can find.
  bool has_debug_info(uint64_t address);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mazurka
