// What the processes tell about themselves, and how they give up.
#ifndef ROBOTS_TRACE_H
#define ROBOTS_TRACE_H

#include <stdbool.h>

// Who speaks in this process from now on. Debuggers show the name, too.
void trace_begin(const char* name, bool verbose);

// Like printf: a line, if the process is to tell what it does.
void trace(const char* format, ...) __attribute__((format(printf, 1, 2)));

// The system refused a call: says so and ends the process with status 1.
void fail(const char* call) __attribute__((noreturn));

#endif
