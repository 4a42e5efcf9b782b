// For the tables of docs/dependency.md: a world in which one object is looked at, and the rows of
// its table.
#pragma once

#include <string>
#include <vector>

#include "objects/accesses.h"
#include "objects/world.h"

namespace mazurka {

inline constexpr ThreadId kA{0};
inline constexpr ThreadId kB{1};
inline constexpr ThreadId kChild{2};  // a process
inline constexpr ObjectId kX{0};
inline constexpr ObjectId kY{1};

// A world in which one object is looked at. Threads a and b are of one process, which has a child.
class Stage {
 public:
  explicit Stage(std::string object, std::string second = "");

  World& world() { return world_; }
  Object& make(ObjectId id, ObjectKind kind) { return world_.create_object(id, kind, kNoProcess); }

  // The first of its outcomes.
  Outcome outcome_of(ThreadId thread, const Operation& op) const;
  // The operation in the present state.
  void row(const std::string& operation, ThreadId thread, const Operation& op);
  Effect act(ThreadId thread, const Operation& op);
  // The operation with these parts.
  Operation with_parts(Operation op, const std::vector<OpPart>& parts);

  std::string finish() const;

 private:
  struct Row {
    std::string operation;
    ThreadId thread;
    std::vector<Access> accesses;
  };

  static bool is_told(const Row& row, const Access& access);
  std::string words(const Row& row) const;
  std::string name_of_object(Resource resource) const;
  std::string name(const Row& row, Resource resource) const;
  std::string partners(const Row& row) const;

  World& world_;
  std::string object_;
  std::string second_;
  std::vector<Row> rows_;
};

inline Operation on(OpKind kind, uint8_t flags = 0) {
  return {.kind = kind, .flags = flags, .object = kX};
}

}  // namespace mazurka
