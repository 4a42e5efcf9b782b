// The table of operations, put together of the rows of all rooms. A kind of operation without its
// row, or with a question unanswered, does not compile. In the build of tests/mutation, rows can be
// changed when a process starts.
#pragma once

#include <array>

#include "kinds/channels/channel_rows.h"
#include "kinds/files/file_rows.h"
#include "kinds/processes/process_rows.h"
#include "kinds/signals/signal_rows.h"
#include "kinds/sockets/socket_rows.h"
#include "kinds/sync/sync_rows.h"
#include "kinds/variable/variable_rows.h"
#include "objects/row_list.h"

namespace mazurka {

inline constexpr auto kOpTable = table_of<OpRow, OpKind>(
    kProcessRows, kSyncRows, kVariableRows, kChannelRows, kSocketRows, kFileRows, kSignalRows);
static_assert(each_row(kOpTable, [](const OpRow& row) { return row.is_complete(); }),
              "a row leaves a question open that has no safe answer (OpRow::is_complete)");

// Requires that there is such a kind.
#ifdef MAZURKA_MUTATION
extern std::array<OpRow, kOpTable.size()> mutable_op_rows;
inline const OpRow& row_of(OpKind kind) { return mutable_op_rows[static_cast<size_t>(kind)]; }
#else
constexpr const OpRow& row_of(OpKind kind) { return kOpTable[static_cast<size_t>(kind)]; }
#endif

// Whether it waits for threads or processes to end.
inline bool awaits_end(OpKind kind) {
  return row_of(kind).awaits == Awaits::End || row_of(kind).awaits == Awaits::ChildEnd;
}

}  // namespace mazurka
