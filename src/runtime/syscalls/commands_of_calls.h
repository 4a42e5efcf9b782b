// Calls that are many calls: what their arguments say about them.
#pragma once

namespace mazurka {

// prctl, arch_prctl.
bool is_unknown_command(long number, const long* arguments, bool is_libc);

// A call that sets or asks (prlimit64): it asks.
bool only_reads(long number, const long* arguments);

// A modelled call that libc makes for reasons of its own, on what has no model: whether it is known
// to be harmless there. Sockets of a name service, threads of its own and their like are not.
bool libc_may_make(long number, const long* arguments);

// An ioctl without a model.
bool is_harmless_ioctl(unsigned long request);
// An fcntl without a model.
bool is_known_fcntl(long command);

}  // namespace mazurka
