// expect: verdict=error findings=memory
// Nobody frees the message, so that it was too long shows at the end of the process.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char* text = "ready";
static char* message;

static void* rename_it(void* nothing) {
  pthread_mutex_lock(&mutex);
  text = "not ready";
  pthread_mutex_unlock(&mutex);
  return nothing;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, rename_it, NULL);
  pthread_mutex_lock(&mutex);
  const size_t length = strlen(text);
  pthread_mutex_unlock(&mutex);
  message = malloc(length + 1);  // mazurka: memory
  pthread_mutex_lock(&mutex);
  strcpy(message, text);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
