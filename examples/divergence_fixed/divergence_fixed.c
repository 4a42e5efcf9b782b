// One thread lays tiles until the wall is covered, another one changes the size of the tiles.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int wall = 120, tile = 20;

static void* lay(void* unused) {
  pthread_mutex_lock(&lock);
  int width = tile;
  pthread_mutex_unlock(&lock);
  int tiles = 0;
  while (width > 0 && tiles * width < wall) ++tiles;
  printf("%d tiles\n", tiles);
  return unused;
}

static void* resize(void* unused) {
  pthread_mutex_lock(&lock);
  tile = 0;  // there are none for the moment
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  tile = 30;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, lay, NULL);
  pthread_create(&threads[1], NULL, resize, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}
