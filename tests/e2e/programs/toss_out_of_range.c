// expect: executions=1 transitions=1 verdict=error findings=assertion
// A toss needs a largest result that makes sense.
#include <mazurka/mazurka.h>

int main(void) {
  int n = -1;
  return mz_toss(n);  // mazurka: assertion
}
