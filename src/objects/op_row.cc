#include "objects/op_row.h"

#include "objects/access_mask.h"
#include "objects/asked.h"

namespace mazurka {

Outcomes always_enabled(const World&, ThreadId, const Operation&) { return Outcomes::one(); }

void no_accesses(const Asked&, AccessList&) {}

Misuse no_other_misuse(const World&, ThreadId, const Operation&) { return Misuse::None; }

void misuse_seen_by_object(const Asked& asked, Mode mode, AccessList& out) {
  if (asked.op.object != kNoObject) out.add(object_resource(asked.op.object), mode);
}

bool mentions_nothing(const Mentioned&, AccessMask&) { return true; }

bool mentions_write(const Mentioned& mentioned, AccessMask& mask) {
  mask.add(object_resource(mentioned.op.object), Mode::Write);
  return true;
}

bool mentions_read(const Mentioned& mentioned, AccessMask& mask) {
  mask.add(object_resource(mentioned.op.object), Mode::Read);
  return true;
}

}  // namespace mazurka
