// The variables that a stopped function's frame has in scope, in the user's own code: those of
// inlined functions, too.
#pragma once

#include <elfutils/libdw.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "source/debug_file.h"
#include "source/dies.h"
#include "source/frame_state.h"
#include "source/location.h"
#include "source/source_map.h"
#include "source/type_path.h"

namespace mazurka {

// A module's debug information, as names of objects need it.
struct NamedModule {
  explicit NamedModule(const std::string& path);

  DebugFile file;
  Scopes scopes;
  TypePaths types{file, scopes};
  std::vector<Unit> units;

  struct Code {
    uint64_t begin;
    uint64_t end;
    size_t unit;
    Dwarf_Die function;
  };
  std::vector<Code> functions;  // out of line, by `begin`
  bool has_functions = false;
};

struct FrameVariable {
  std::string name;
  Dwarf_Die type;
  Location location;
  NamedModule* module = nullptr;
};

// A function that a frame is in, with what is in scope there: the one that the frame is of, and
// those inlined into it.
struct FrameCall {
  struct Variable {
    std::string name;
    Dwarf_Die type;
    std::optional<Location> location;  // nothing: optimised out here
  };
  std::string function;  // "Pool::run"
  bool is_users = false;
  std::vector<Variable> variables;  // one that is hidden by another is left out
};

// Not for use by several threads at once.
class FrameVariables {
 public:
  explicit FrameVariables(std::vector<LoadedFile> modules) : modules_(std::move(modules)) {}

  // Innermost first. What is declared only behind the line where the frame stands is not made yet,
  // and is left out; so is what belongs to functions of the library.
  std::vector<FrameVariable> of(const FrameState& frame, const ReadMemory& memory);
  // The same by function, innermost first: of the user's own modules, the library's inlined
  // functions among them.
  std::vector<FrameCall> calls(const FrameState& frame, const ReadMemory& memory);
  // At namespace scope and static, declared by the user's files.
  std::vector<FrameVariable> globals(const ReadMemory& memory);

 private:
  const LoadedFile* module_at(uint64_t address) const;
  NamedModule& known(const LoadedFile& module);
  static const NamedModule::Code* function_at(NamedModule& module, uint64_t address);

  std::vector<LoadedFile> modules_;
  std::map<std::string, std::unique_ptr<NamedModule>> known_;
};

}  // namespace mazurka
