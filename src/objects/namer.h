// What threads and objects are called: the seam through which the words of a kind (op_words.h,
// kind_words.h) learn it. The reports' Describer implements it, tests have a fake.
#pragma once

#include <string>

#include "base/ids.h"

namespace mazurka {

struct Namer {
  // "T0.2"
  virtual std::string thread(ThreadId id) const = 0;
  // Empty for no object.
  virtual std::string object(ObjectId id) const = 0;

 protected:
  ~Namer() = default;
};

}  // namespace mazurka
