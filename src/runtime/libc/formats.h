// What printf and scanf do to the memory that their arguments lead to, as their formats say.
#pragma once

#include <stdarg.h>

#include "runtime/libc/seen_calls.h"

namespace mazurka {

// Before the call: the format itself, strings, and places for %n.
void reads_printed(const char* format, va_list arguments, const SeenAccesses& at);

// Before the call: the format. After it: the first `count` places, which are filled.
void reads_format(const char* format, const SeenAccesses& at);
void wrote_scanned(const char* format, int count, va_list arguments, const SeenAccesses& at);

}  // namespace mazurka
