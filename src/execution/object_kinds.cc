#include "execution/object_kinds.h"

#include "objects/kind_table.h"

namespace mazurka {

const char* name_of(ObjectKind kind) {
  return kind < ObjectKind::kCount ? row_of(kind).name : "unknown object";
}

}  // namespace mazurka
