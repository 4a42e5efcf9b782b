// expect: executions=1 transitions=1 verdict=error findings=deadlock
// A once routine that calls itself waits for itself.
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;

static void again(void) { pthread_once(&control, again); }

int main(void) { pthread_once(&control, again); }
