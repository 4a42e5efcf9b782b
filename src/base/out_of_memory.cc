#include "base/out_of_memory.h"

#include <cstdlib>
#include <new>

namespace mazurka {

void out_of_memory() {
  if (const std::new_handler handler = std::get_new_handler()) handler();
  std::abort();
}

}  // namespace mazurka
