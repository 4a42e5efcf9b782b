// The table of kinds of objects, put together of the rows of all rooms. A kind without its row does
// not compile. As of op_table.h, tests/mutation may change it.
#pragma once

#include <array>

#include "kinds/channels/channel_rows.h"
#include "kinds/files/file_rows.h"
#include "kinds/processes/process_rows.h"
#include "kinds/sockets/socket_rows.h"
#include "kinds/sync/sync_rows.h"
#include "kinds/variable/variable_rows.h"
#include "objects/row_list.h"

namespace mazurka {

inline constexpr auto kKindTable = table_of<KindRow, ObjectKind>(
    kProcessKinds, kSyncKinds, kVariableKinds, kChannelKinds, kSocketKinds, kFileKinds);
static_assert(each_row(kKindTable, [](const KindRow& row) {
  return row.name != nullptr && (row.make == nullptr) == (row.state == nullptr);
}));

// Requires that there is such a kind.
#ifdef MAZURKA_MUTATION
extern std::array<KindRow, kKindTable.size()> mutable_kind_rows;
inline const KindRow& row_of(ObjectKind kind) {
  return mutable_kind_rows[static_cast<size_t>(kind)];
}
#else
constexpr const KindRow& row_of(ObjectKind kind) { return kKindTable[static_cast<size_t>(kind)]; }
#endif

}  // namespace mazurka
