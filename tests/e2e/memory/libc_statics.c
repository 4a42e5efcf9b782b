// Memory that functions of libc keep for themselves: two threads that call them race, unless they
// take turns.
// check: verdict=ok
// check TOKENS: verdict=error findings=race builds=two
// check TIMES: verdict=error findings=race builds=two
// check ENVIRONMENT: verdict=error findings=race builds=two
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "parallel.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char words[2][8] = {"a b", "c d"};

void split(char* text) {
  strtok(text, " ");  // mazurka[TOKENS]: race
}
int year(time_t time) {
  return gmtime(&time)->tm_year;  // mazurka[TIMES]: race
}
void set() {
  setenv("MAZURKA_TEST", "1", 1);  // mazurka[ENVIRONMENT]: race
}
char* get() {
  return getenv("MAZURKA_TEST");  // mazurka[ENVIRONMENT]: race
}

void* work(void* number) {
#ifdef TOKENS
  split(words[(long)number]);
#elif defined TIMES
  year((time_t)number);
#elif defined ENVIRONMENT
  if (number == NULL) set();
  get();
#else
  pthread_mutex_lock(&mutex);
  split(words[(long)number]);
  year((time_t)number);
  set();
  get();
  pthread_mutex_unlock(&mutex);
#endif
  return NULL;
}

int main() { all(2, work); }
