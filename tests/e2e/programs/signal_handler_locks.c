// expect: executions=42 transitions=192 verdict=error findings=deadlock
// A handler that locks what the thread that it interrupts may hold: that thread waits for itself.
#include <pthread.h>
#include <signal.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int count;
pthread_t worker;

void handler(int signal) {
  pthread_mutex_lock(&mutex);  // mazurka: deadlock
  ++count;
  pthread_mutex_unlock(&mutex);
}

void* sender(void* unused) {
  pthread_kill(worker, SIGUSR1);
  return unused;
}

int main(void) {
  signal(SIGUSR1, handler);
  worker = pthread_self();
  pthread_t thread;
  pthread_create(&thread, NULL, sender, NULL);
  pthread_mutex_lock(&mutex);
  ++count;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
}
