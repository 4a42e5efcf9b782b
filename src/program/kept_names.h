// The tool's own copy of what the shared segment keeps for a whole search. The program may overwrite the segment; names,
// reports and the next launch must not suffer from it.
#pragma once

#include <string>
#include <vector>

#include "protocol/segment.h"

namespace mazurka {

struct KeptNames {
  std::vector<ThreadName> threads;
  std::vector<ObjectName> objects;
  std::vector<ObjectPlace> places;
  std::vector<Module> modules;
  std::vector<Unmodelled> unmodelled;
  std::string text;

  // Takes over what is new. Cheap where nothing is. Requires that the segment is intact.
  void update(const Segment& segment);
  // Requires a fresh segment.
  void restore(Segment& segment) const;
  std::string text_at(uint32_t place) const;
};

}  // namespace mazurka
