#include "report/words/conflict_text.h"

#include <fmt/format.h>

#include "report/input/schedule_file.h"

namespace mazurka {
namespace {

std::string verb(const MemoryAccess& access) {
  if (access.is_end) return "ends, and so does";
  if (access.is_free) return "frees";
  return access.is_write ? "writes" : "reads";
}

std::string noun(const MemoryAccess& access) {
  if (access.is_end) return "end of the thread";
  if (access.is_free) return "free";
  return std::string(access.is_atomic ? "atomic " : "") + (access.is_write ? "write" : "read");
}

std::string bytes(uint32_t count) { return fmt::format("{} byte{}", count, count == 1 ? "" : "s"); }

std::string locks_text(const std::vector<std::string>& locks) {
  return locks.empty() ? "no lock held" : fmt::format("holding {}", fmt::join(locks, ", "));
}

AccessLine line_of(const MemoryAccess& access, uint32_t size, const Describer& describer) {
  AccessLine line;
  line.thread = describer.thread(access.thread);
  line.access = access.is_end ? noun(access) : fmt::format("{} of {}", noun(access), bytes(size));
  for (const ObjectId lock : access.locks) line.locks.push_back(describer.object(lock));
  line.what = line.access + ", " + locks_text(line.locks);
  line.place = describer.place(access.place);
  line.location = describer.location(access.place);
  line.callers = describer.callers(access.place);
  return line;
}

// "T0.1 writes counter (4 bytes)": the later one.
std::string second_access(const MemoryConflict& conflict, const Describer& describer) {
  return fmt::format("{} {} {} ({})", describer.thread(conflict.second.thread),
                     verb(conflict.second), describer.memory(conflict), bytes(conflict.size));
}

std::string first_access(const MemoryConflict& conflict, const Describer& describer) {
  return fmt::format("the {} by {}", noun(conflict.first), describer.thread(conflict.first.thread));
}

std::string race_text(const MemoryConflict& conflict, const Describer& describer) {
  return fmt::format("{}, and nothing orders that with {}", second_access(conflict, describer),
                     first_access(conflict, describer));
}

std::string discipline_text(const MemoryConflict& conflict, const Describer& describer) {
  return fmt::format("{}, and no lock protects both that and {}",
                     second_access(conflict, describer), first_access(conflict, describer));
}

// The first access was in another execution.
std::string strict_text(const MemoryConflict& conflict, const Describer& describer) {
  return discipline_text(conflict, describer) + " in another execution";
}

std::string unshared_text(const MemoryConflict& conflict, const Describer& describer) {
  return fmt::format("{}, which is annotated as unshared, and {} uses it as well",
                     second_access(conflict, describer), describer.thread(conflict.first.thread));
}

// Which of the two belongs to the call: one of them, or both.
std::string torn_text(const MemoryConflict& conflict, const Describer& describer) {
  const MemoryAccess& inside = conflict.second.is_in_call ? conflict.second : conflict.first;
  return fmt::format(
      "{}, and nothing orders that with {}; the {} by {} is in a call that is annotated as one "
      "operation",
      second_access(conflict, describer), first_access(conflict, describer), noun(inside),
      describer.thread(inside.thread));
}

std::string inside_call_text(const MemoryConflict& conflict, const Describer& describer) {
  return fmt::format("{} does an operation ({}) inside a call that is annotated as one operation",
                     describer.thread(conflict.second.thread), operation_word(conflict.op));
}

}  // namespace

std::string conflict_text(const Finding& finding, const Describer& describer) {
  const MemoryConflict* conflict = conflict_of(finding);
  if (conflict == nullptr) return "two accesses to the same memory";
  switch (conflict->kind) {
    case ConflictKind::Race:
      return race_text(*conflict, describer);
    case ConflictKind::Discipline:
      return discipline_text(*conflict, describer);
    case ConflictKind::Strict:
      return strict_text(*conflict, describer);
    case ConflictKind::Unshared:
    case ConflictKind::Tentative:
      return unshared_text(*conflict, describer);
    case ConflictKind::Torn:
      return torn_text(*conflict, describer);
    case ConflictKind::InsideCall:
      return inside_call_text(*conflict, describer);
  }
  return "";
}

std::vector<std::string> thread_pairs(const Finding& finding, const Describer& describer) {
  std::vector<std::string> pairs;
  for (const auto& [one, other] : finding.threads)
    pairs.push_back(fmt::format("{} and {}", describer.thread(one), describer.thread(other)));
  return pairs;
}

std::vector<AccessLine> access_lines(const MemoryConflict& conflict, const Describer& describer) {
  std::vector<AccessLine> lines = {line_of(conflict.second, conflict.size, describer),
                                   line_of(conflict.first, conflict.size, describer)};
  if (conflict.kind == ConflictKind::InsideCall) {
    lines[0].access = lines[0].what = fmt::format("operation {}", operation_word(conflict.op));
    lines[1].access = lines[1].what = "inside a call of this";
  }
  lines[1].is_elsewhere = conflict.kind == ConflictKind::Strict;
  if (lines[1].is_elsewhere) lines[1].what = "in another execution: " + lines[1].what;
  return lines;
}

}  // namespace mazurka
