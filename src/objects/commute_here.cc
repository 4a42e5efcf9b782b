// Conditional dependency: VeriSoft section 4 (binary and counting semaphores), Stoller section 7.
// His figure 3 lets a wait and a notify commute because only the owner of the lock may notify; a
// pthread signal needs no lock, so here it depends on whom the signal wakes.
#include "objects/accesses.h"
#include "objects/kind_table.h"
#include "objects/misuse.h"

namespace mazurka {
namespace {

constexpr uint32_t kMostAccesses = 256;

bool conflict_commutes(const World& world, const Access& access, const Party& x, const Party& y) {
  if (access.resource.kind != Resource::Kind::Object) return false;
  const ObjectId id{access.resource.index};
  CommuteFunction* const commute = row_of(world.object(id).kind).commute;
  return commute != nullptr && (commute(world, id, x, y) || commute(world, id, y, x));
}

}  // namespace

bool commute_here(const World& world, ThreadId a, const Operation& a_op, Outcome a_outcome,
                  ThreadId b, const Operation& b_op, Outcome b_outcome) {
  if (a == b || world.has_timers != 0) return false;
  if (is_delivery(a_op, a_outcome) || is_delivery(b_op, b_outcome)) return false;
  // A misuse ends its process, whatever its object; also one that others share a robust mutex with.
  if (foretell_misuse(world, a, a_op) != Misuse::None) return false;
  if (foretell_misuse(world, b, b_op) != Misuse::None) return false;
  Access a_items[kMostAccesses];
  Access b_items[kMostAccesses];
  AccessList a_list{a_items, kMostAccesses};
  AccessList b_list{b_items, kMostAccesses};
  accesses(world, a, a_op, a_outcome, a_list);
  accesses(world, b, b_op, b_outcome, b_list);
  if (a_list.overflow || b_list.overflow) return false;
  const Party x{a, a_op, a_outcome};
  const Party y{b, b_op, b_outcome};
  for (uint32_t i = 0; i < a_list.count; ++i) {
    for (uint32_t j = 0; j < b_list.count; ++j) {
      if (!conflict(&a_items[i], 1, &b_items[j], 1)) continue;
      if (!conflict_commutes(world, a_items[i], x, y)) return false;
    }
  }
  return true;
}

}  // namespace mazurka
