// expect: exit=3 says=executions_were_cut_at_a_limit_of_Mazurka's:_more_synchronisation_objects options=--depth=1000000,--timeout=20
// More objects than there are names for.
#include <pthread.h>
#include <stdlib.h>

int main(void) {
  for (int i = 0; i < 70000; ++i) {
    pthread_mutex_t* mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
  }
}
