// A part of an operation: a further object that it names, and what it means to do with that. The
// kind of the operation says which payload counts.
//
// Plain data with a fixed layout: parts travel through the shared segment, and are compared byte by
// byte, so no byte is without a name. Payloads have no initialisers of their own: members of a
// union that had any would leave it without a constructor.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"

namespace mazurka {

enum class FileUsage : int32_t;  // kinds/files/file_use.h

// A semaphore of a System V set: Semop, SemctlSet, SemctlGet.
struct SemPart {
  int32_t delta;    // Semop: 0 waits for zero. SemctlSet: the new value
  uint8_t no_wait;  // IPC_NOWAIT
  uint8_t undo;     // SEM_UNDO
  uint16_t number;  // its place in the set, for people
};

// Another variable of an operation on a variable: one that lies in the same bytes, or, with
// kSpinning, one that the thread has looked at.
struct VariablePart {
  uint32_t known;  // the change of it that the thread knows of
  uint8_t same_bytes;
  uint8_t padding[3];
};

// A description of a Poll.
struct PollPart {
  int32_t events;
  // Told of changes only (EPOLLET): what it was told last, by with_edges().
  uint8_t told_ends;
  uint8_t changes_only;
  uint16_t told_changes;
};

// What a FileUse uses.
struct FilePart {
  FileUsage usage;
  uint32_t padding;
};

struct OpPart {
  ObjectId object = kNoObject;
  union {
    SemPart sem = {};
    VariablePart variable;
    PollPart poll;
    FilePart file;
  };
};
static_assert(sizeof(OpPart) == 12 && std::is_trivially_copyable_v<OpPart>);
static_assert(std::has_unique_object_representations_v<SemPart> &&
              std::has_unique_object_representations_v<VariablePart> &&
              std::has_unique_object_representations_v<PollPart> &&
              std::has_unique_object_representations_v<FilePart>);

constexpr OpPart semaphore_part(ObjectId semaphore, int32_t delta, bool no_wait = false,
                                bool undo = false, uint16_t number = 0) {
  return {.object = semaphore, .sem = {delta, no_wait, undo, number}};
}
constexpr OpPart looked_at(ObjectId variable, uint32_t known) {
  return {.object = variable, .variable = {known, 0, {}}};
}
constexpr OpPart in_same_bytes(ObjectId variable) {
  return {.object = variable, .variable = {0, 1, {}}};
}
constexpr OpPart polled(ObjectId description, int32_t events) {
  return {.object = description, .poll = {events, 0, 0, 0}};
}
constexpr OpPart used(ObjectId object, FileUsage usage) {
  return {.object = object, .file = {usage, 0}};
}

}  // namespace mazurka
