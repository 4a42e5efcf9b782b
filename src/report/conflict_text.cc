#include "report/conflict_text.h"

#include <fmt/format.h>

namespace mazurka {
namespace {

std::string verb(const MemoryAccess& access) {
  if (access.is_free) return "frees";
  return access.is_write ? "writes" : "reads";
}

std::string noun(const MemoryAccess& access) {
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
  line.access = fmt::format("{} of {}", noun(access), bytes(size));
  for (const ObjectId lock : access.locks) line.locks.push_back(describer.object(lock));
  line.what = line.access + ", " + locks_text(line.locks);
  line.place = describer.place(access.place);
  line.location = describer.location(access.place);
  line.callers = describer.callers(access.place);
  return line;
}

// "T0.1 writes counter (4 bytes)": the later one.
std::string second_access(const MemoryConflict& conflict, const Describer& describer) {
  return fmt::format("{} {} {} ({})", describer.thread(conflict.second.thread), verb(conflict.second),
                     describer.memory(conflict), bytes(conflict.size));
}

std::string first_access(const MemoryConflict& conflict, const Describer& describer) {
  return fmt::format("the {} by {}", noun(conflict.first), describer.thread(conflict.first.thread));
}

std::string race_text(const MemoryConflict& conflict, const Describer& describer) {
  return fmt::format("{}, and nothing orders that with {}", second_access(conflict, describer),
                     first_access(conflict, describer));
}

std::string discipline_text(const MemoryConflict& conflict, const Describer& describer) {
  return fmt::format("{}, and no lock protects both that and {}", second_access(conflict, describer),
                     first_access(conflict, describer));
}

// The first access was in another execution.
std::string strict_text(const MemoryConflict& conflict, const Describer& describer) {
  return discipline_text(conflict, describer) + " in another execution";
}

std::string unshared_text(const MemoryConflict& conflict, const Describer& describer) {
  return fmt::format("{}, which is annotated as unshared, and {} uses it as well", second_access(conflict, describer),
                     describer.thread(conflict.first.thread));
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
  }
  return "";
}

std::vector<AccessLine> access_lines(const MemoryConflict& conflict, const Describer& describer) {
  std::vector<AccessLine> lines = {line_of(conflict.second, conflict.size, describer),
                                   line_of(conflict.first, conflict.size, describer)};
  lines[1].is_elsewhere = conflict.kind == ConflictKind::Strict;
  if (lines[1].is_elsewhere) lines[1].what = "in another execution: " + lines[1].what;
  return lines;
}

}  // namespace mazurka
