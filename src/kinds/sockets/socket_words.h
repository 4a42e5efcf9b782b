// The rows of addresses, sockets and FIFOs in the tables of words.
#pragma once

#include "objects/kind_words.h"
#include "objects/op_words.h"

namespace mazurka {

namespace socket_words {

ValueFunction address_value;

OutcomeFunction lost;
NoteFunction sent;
WhyFunction too_many_connect, nobody_connected, receiver_is_full, other_end_is_closed;

}  // namespace socket_words

inline constexpr KindWords kSocketKindWords[] = {
    {.kind = ObjectKind::Address, .value = socket_words::address_value},
};

inline constexpr OpWords kSocketWords[] = {
    {.kind = OpKind::SocketBind},
    {.kind = OpKind::SocketListen},
    {.kind = OpKind::SocketConnect, .why = socket_words::too_many_connect},
    {.kind = OpKind::SocketAccept, .why = socket_words::nobody_connected},
    {.kind = OpKind::DatagramSend,
     .outcome = socket_words::lost,
     .note = socket_words::sent,
     .why = socket_words::receiver_is_full},
    {.kind = OpKind::AddressLook},
    {.kind = OpKind::AddressUnlink},
    {.kind = OpKind::FifoMake},
    {.kind = OpKind::FifoOpen},
    {.kind = OpKind::FifoWait, .why = socket_words::other_end_is_closed},
};

}  // namespace mazurka
