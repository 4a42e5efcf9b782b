#include "source/variables.h"

#include <dwarf.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "source/debug_file.h"
#include "source/dies.h"
#include "source/names.h"
#include "source/value_text.h"
#include "source/values/library_values.h"
#include "source/values/watch_parser.h"

namespace mazurka {
namespace {

constexpr char kGone[] = "<optimised out>";
constexpr size_t kMostGlobals = 300;

// At an address, or at a place in each thread's block.
bool is_fixed(const Dwarf_Op* ops, size_t count) {
  if (count == 1) return ops[0].atom == DW_OP_addr || ops[0].atom == DW_OP_addrx;
  return count == 2 &&
         (ops[1].atom == DW_OP_form_tls_address || ops[1].atom == DW_OP_GNU_push_tls_address);
}

}  // namespace

class Variables::Impl {
 public:
  explicit Impl(std::vector<LoadedFile> modules)
      : modules_(std::move(modules)), frames_(modules_) {}

  std::vector<FrameCall> calls(const FrameState& frame, const ReadMemory& memory) {
    std::vector<FrameCall> all = frames_.calls(frame, memory);
    std::erase_if(all, [](const FrameCall& call) { return !call.is_users; });
    return all;
  }

  std::vector<FrameCall::Variable> globals(const FrameState* frame, const ReadMemory& memory) {
    std::vector<FrameCall::Variable> all;
    for (const LoadedFile& module : modules_) {
      if (is_system_module(module.path) || is_runtime_module(module.path)) continue;
      LocationContext context{nullptr, 0, module.base, &memory, std::nullopt};
      const uint64_t block = known(module).file.thread_block_size();
      if (frame != nullptr && frame->thread_pointer != 0 && block != 0)
        context.thread_block = frame->thread_pointer - block;
      for (const auto& [name, die] : global_dies(module)) {
        const auto type = reference(die, DW_AT_type);
        const auto location = type ? location_of(die, context) : std::nullopt;
        if (location && location->address) all.push_back({name, *type, location});
      }
    }
    return all;
  }

 private:
  using Globals = std::vector<std::pair<std::string, Dwarf_Die>>;

  struct Known {
    explicit Known(const std::string& path) : file(path) {}
    DebugFile file;
    std::vector<Unit> units;
    Scopes scopes;
    std::optional<Globals> globals;
  };

  Known& known(const LoadedFile& module) {
    std::unique_ptr<Known>& entry = known_[module.path];
    if (!entry) {
      entry = std::make_unique<Known>(module.path);
      if (entry->file.dwarf() != nullptr) entry->units = all_units(entry->file.dwarf());
    }
    return *entry;
  }

  // Those that a file of the user's declares. Each module's are looked for once.
  const Globals& global_dies(const LoadedFile& module) {
    Known& all = known(module);
    if (all.globals) return *all.globals;
    all.globals.emplace();
    std::set<std::string> seen;
    for (const Unit& unit : all.units) {
      auto visit = [&](Dwarf_Die die, Dwarf_Die) {
        const int tag = dwarf_tag(&die);
        if (tag != DW_TAG_variable)
          return tag == DW_TAG_namespace || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block;
        const auto file = number(die, DW_AT_decl_file);
        const bool is_users = file && !is_system_file(file_in_table(unit.lines, *file));
        Dwarf_Attribute location;
        if (!is_users || dwarf_attr(&die, DW_AT_location, &location) == nullptr) return false;
        Dwarf_Op* ops = nullptr;
        size_t count = 0;
        const bool fixed = dwarf_getlocation(&location, &ops, &count) == 0 && is_fixed(ops, count);
        const std::string name = fixed ? all.scopes.qualified_name(die) : "";
        if (!name.empty() && all.globals->size() < kMostGlobals && seen.insert(name).second) {
          all.globals->emplace_back(name, die);
        }
        return false;
      };
      visit_below(unit.root, visit);
    }
    return *all.globals;
  }

  std::vector<LoadedFile> modules_;
  FrameVariables frames_;
  std::map<std::string, std::unique_ptr<Known>> known_;
};

namespace {

using Found = FrameCall::Variable;

constexpr size_t kMostParts = 100;
constexpr size_t kMostShown = 2000;  // parts in one answer
constexpr int kDeepestOpen = 40;

// Writes variables, and their parts where they are open.
class Shower {
 public:
  Shower(const ReadMemory& memory, const Opened& opened) : memory_(memory), opened_(opened) {}

  ShownVariable show(const Found& found, const std::string& scope) {
    if (found.location) return show({found.name, {*found.location, found.type}}, scope, 0);
    return {found.name, type_of(found.type), kGone, scope + found.name};
  }

  // A pointer that is itself constant, as `this`, is written without that.
  static std::string type_of(Dwarf_Die type) {
    const auto inner =
        dwarf_tag(&type) == DW_TAG_const_type ? reference(type, DW_AT_type) : std::nullopt;
    Dwarf_Die target = inner ? *inner : type;
    return short_type(type_name(dwarf_tag(&target) == DW_TAG_pointer_type ? target : type));
  }

  ShownVariable show(const NamedPlace& part, const std::string& scope, int depth) {
    ShownVariable shown = {part.name, type_of(part.place.type), value_text(part.place, memory_),
                           scope + part.name};
    ++count_;
    shown.has_parts = !parts_of(part.place, memory_, 1).empty();
    if (!shown.has_parts || opened_.count(shown.path) == 0 || depth > kDeepestOpen) return shown;
    for (const NamedPlace& inner : parts_of(part.place, memory_, kMostParts)) {
      if (count_ > kMostShown) break;
      shown.parts.push_back(show(inner, shown.path + kPathSeparator, depth + 1));
    }
    return shown;
  }

 private:
  const ReadMemory& memory_;
  const Opened& opened_;
  size_t count_ = 0;
};

// Follows the way that a watch expression describes.
class Watcher {
 public:
  Watcher(const std::vector<Found>& variables, const ReadMemory& memory)
      : variables_(variables), memory_(memory) {}

  // Nothing if it cannot be said: `why` has the sentence.
  std::optional<TypedPlace> find(const std::string& expression) {
    const auto watch = parse_watch(expression);
    why_ = "<this is no variable, field or element>";
    if (!watch) return std::nullopt;
    auto place = variable(watch->variable);
    for (const WatchStep& step : watch->steps) {
      if (place) place = follow(*place, step);
    }
    for (int i = 0; i < watch->dereferences && place; ++i) place = pointee(*place, memory_);
    return place;
  }
  const std::string& why() const { return why_; }

 private:
  std::optional<TypedPlace> variable(const std::string& name) {
    for (const Found& found : variables_) {
      const bool same = found.name == name || found.name.ends_with("::" + name);
      if (!same) continue;
      if (found.location) return TypedPlace{*found.location, found.type};
      why_ = kGone;
      return std::nullopt;
    }
    why_ = "<there is no variable " + name + " here>";
    return name == "this" ? std::nullopt : member_of_this(name);
  }

  std::optional<TypedPlace> member_of_this(const std::string& name) {
    const std::string why = why_;
    const auto self = variable("this");
    const auto object = self ? pointee(*self, memory_) : std::nullopt;
    why_ = why;
    return object ? member(*object, name) : std::nullopt;
  }

  std::optional<TypedPlace> follow(const TypedPlace& from, const WatchStep& step) {
    why_ = "<it has no such part>";
    if (step.kind == WatchStep::Kind::Member) return member(from, step.name);
    if (step.kind == WatchStep::Kind::PointerMember) {
      const auto there = target(from);
      return there ? member(*there, step.name) : std::nullopt;
    }
    std::optional<uint64_t> place = step.place;
    if (!place) {
      const auto index = variable(step.name);
      place = index ? scalar(*index, memory_) : std::nullopt;
    }
    return place ? part(from, *place) : std::nullopt;
  }

  // Of a smart pointer, too.
  std::optional<TypedPlace> target(const TypedPlace& from) {
    const auto known = library_value(from, memory_, 1);
    const bool is_pointer = known && known->shape == LibraryValue::Shape::Pointer;
    return pointee(is_pointer ? known->parts[0] : from, memory_);
  }

  // Of a container, too.
  std::optional<TypedPlace> part(const TypedPlace& from, uint64_t place) {
    const auto known = library_value(from, memory_, place + 1);
    if (!known) return element(from, place, memory_);
    if (known->shape == LibraryValue::Shape::Inner) return part(known->parts[0], place);
    if (known->shape != LibraryValue::Shape::List || place >= known->parts.size())
      return std::nullopt;
    return known->parts[place];
  }

  const std::vector<Found>& variables_;
  const ReadMemory& memory_;
  std::string why_;
};

}  // namespace

Variables::Variables(std::vector<LoadedFile> modules)
    : impl_(std::make_unique<Impl>(std::move(modules))) {}
Variables::~Variables() = default;

std::vector<FrameCall> Variables::calls(const FrameState& frame, const ReadMemory& memory) {
  return impl_->calls(frame, memory);
}

std::vector<ShownVariable> Variables::locals(const FrameCall& call, const std::string& scope,
                                             const ReadMemory& memory, const Opened& opened) {
  std::vector<ShownVariable> all;
  Shower shower(memory, opened);
  for (const Found& found : call.variables) all.push_back(shower.show(found, scope));
  std::stable_partition(all.begin(), all.end(),
                        [](const ShownVariable& shown) { return shown.name == "this"; });
  return all;
}

std::vector<ShownVariable> Variables::globals(const FrameState* frame, const std::string& scope,
                                              const ReadMemory& memory, const Opened& opened) {
  std::vector<ShownVariable> all;
  Shower shower(memory, opened);
  for (const Found& found : impl_->globals(frame, memory)) all.push_back(shower.show(found, scope));
  return all;
}

ShownVariable Variables::evaluate(const std::string& expression, const FrameCall* call,
                                  const FrameState* frame, const std::string& scope,
                                  const ReadMemory& memory, const Opened& opened) {
  std::vector<Found> all;
  if (call != nullptr) all = call->variables;
  for (Found& found : impl_->globals(frame, memory)) all.push_back(std::move(found));
  Watcher watcher(all, memory);
  const auto place = watcher.find(expression);
  if (!place) return {expression, "", watcher.why(), scope + expression};
  return Shower(memory, opened).show({expression, *place}, scope, 0);
}

}  // namespace mazurka
