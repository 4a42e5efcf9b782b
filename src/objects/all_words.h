// The tables of words, put together of the rows of all rooms. A kind of operation or of object
// without its row, or with a question unanswered, does not compile.
#pragma once

#include "kinds/channels/channel_words.h"
#include "kinds/files/file_words.h"
#include "kinds/processes/process_words.h"
#include "kinds/signals/signal_words.h"
#include "kinds/sockets/socket_words.h"
#include "kinds/sync/sync_words.h"
#include "kinds/variable/variable_words.h"
#include "objects/row_list.h"

namespace mazurka {

inline constexpr auto kOpWords =
    table_of<OpWords, OpKind>(kProcessWords, kSyncWords, kVariableWords, kChannelWords,
                              kSocketWords, kFileWords, kSignalWords);
static_assert(each_row(kOpWords, [](const OpWords& row) { return row.is_complete(); }),
              "an operation that may block does not say why (OpWords::why)");

inline constexpr auto kKindWords =
    table_of<KindWords, ObjectKind>(kProcessKindWords, kSyncKindWords, kVariableKindWords,
                                    kChannelKindWords, kSocketKindWords, kFileKindWords);
static_assert(each_row(kKindWords, [](const KindWords& row) { return row.is_complete(); }),
              "a kind of object does not say what its state is (KindWords::value)");

// Requires that there is such a kind.
constexpr const OpWords& words_of(OpKind kind) { return kOpWords[static_cast<size_t>(kind)]; }
// Objects come from a log as the program left it: of what is none, nothing is said.
constexpr const KindWords& words_of(ObjectKind kind) {
  return kKindWords[kind < ObjectKind::kCount ? static_cast<size_t>(kind) : 0];
}
static_assert(static_cast<size_t>(ObjectKind::None) == 0);

}  // namespace mazurka
