// C: a signal before anybody waits is lost, and nothing says that it was sent.
// kind: deadlock
// name: channel.changed
// why: pthread_cond_signal at @early by T0.1 came before T0 main began to wait on channel.changed
// at @here
#include <pthread.h>

struct channel {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
};

static void* announce(void* argument) {
  struct channel* to = argument;
  pthread_mutex_lock(&to->mutex);
  pthread_cond_signal(&to->changed);  // @early
  pthread_mutex_unlock(&to->mutex);
  return NULL;
}

int main(void) {
  struct channel channel = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
  pthread_t announcer;
  pthread_create(&announcer, NULL, announce, &channel);
  pthread_mutex_lock(&channel.mutex);
  // A flag should say whether it has happened already.
  pthread_cond_wait(&channel.changed, &channel.mutex);  // mazurka: deadlock
  pthread_mutex_unlock(&channel.mutex);
  pthread_join(announcer, NULL);
  return 0;
}
