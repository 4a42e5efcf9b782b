// expect: exit=3 says=the_program_does_not_end:_every_behaviour_with_at_most_8192_transitions_of_a_thread_was_explored guarantee=bounded
// There is one behaviour, and it has no end: bounds grow up to the depth.
#include <pthread.h>

int main(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  for (;;) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
}
