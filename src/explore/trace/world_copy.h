// Copies of what is in use of a world: that is little, and a world has megabytes.
#pragma once

#include <cstddef>
#include <vector>

#include "objects/world.h"

namespace mazurka {

// Of the objects these alone; `to` has no others. Parts of operations are not copied.
void copy_world(const World& from, World& to, const std::vector<ObjectId>& objects);

class WorldCopy {
 public:
  void take(const World& world, const std::vector<ObjectId>& objects);
  // Requires the same objects, and that the world has no others.
  void put(World& world, const std::vector<ObjectId>& objects) const;

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace mazurka
