/* What the fixtures tell source_map_test about themselves, one line each:
     module <path> <base> <start> <end>
     data <expected name> <address>
     code <marker> <expected function> <return addresses, innermost first>
   The line that a stack must lead to carries the comment "line: <marker>". */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

void probe_modules(void);
void probe_data(const char* name, const void* address);

/* The next call of pthread_mutex_lock prints the stack that it sees. */
void probe_next_lock(const char* marker, const char* function);

#ifdef __cplusplus
}
#endif
