// Signals as the kernel's interface has them: its struct sigaction, its sets of eight bytes.
#pragma once

namespace mazurka {

// Whether the number is one of these. The forms are handed to the functions of libc's names.
bool is_signal_call(long number);
// Requires is_signal_call. As the function would return: -1 with errno.
long do_signal_call(long number, const long* arguments);

}  // namespace mazurka
