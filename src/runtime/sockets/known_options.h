// Options of sockets: which of them change nothing that a model would have to know.
#pragma once

#include <sys/socket.h>

namespace mazurka {

// Whether setting it is modelled, or changes only how fast or by which way bytes travel. Others are
// named.
bool is_known_option(int level, int name);

// Room for less than what the models have: calls would wait that do not wait here.
bool is_small_buffer(int level, int name, const void* value, socklen_t length);

}  // namespace mazurka
