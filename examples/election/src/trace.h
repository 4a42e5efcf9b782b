// What a run tells, and how it gives up.
#ifndef TRACE_H
#define TRACE_H

extern int is_verbose;

// As printf, with the node's name before it; only with -v.
void say(int node, const char* format, ...) __attribute__((format(printf, 2, 3)));
// A call of the system failed: says which, and ends the process.
void die(const char* call) __attribute__((noreturn));

#endif
