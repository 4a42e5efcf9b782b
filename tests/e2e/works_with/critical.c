// Two OpenMP threads add to one number. BROKEN: what one adds may be lost.
#include <assert.h>

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(2)
  {
#ifdef BROKEN
    int seen;
#pragma omp atomic read
    seen = sum;
#pragma omp atomic update
    sum += seen == 0 ? 1 : 2;
#else
#pragma omp critical
    ++sum;
#endif
  }
#ifdef BROKEN
  assert(sum != 2);
#else
  assert(sum == 2);
#endif
}
