// What a program writes to a queue, for people to see: in executions that log call stacks, the data
// are the text of the step.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

namespace mazurka {

// To be called in the transition that wrote them. `written`: what the call has returned.
void show_data(const void* bytes, ssize_t written);
void show_data(const iovec* parts, size_t count, ssize_t written);

}  // namespace mazurka
