// Memory that goes, or that nobody may read any more, right after it was written.
// check: verdict=ok builds=one options=--memory=visible
// check PROTECT: verdict=ok builds=one options=--memory=visible
#include <sys/mman.h>

#include "parallel.h"

int counter;

void* work(void* unused) {
  volatile int* page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *page = 1;
#ifdef PROTECT
  mprotect((void*)page, 4096, PROT_NONE);
#else
  munmap((void*)page, 4096);
#endif
  ++counter;
  return NULL;
}

int main() { both(work, work); }
