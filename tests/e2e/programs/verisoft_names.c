// expect: executions=4 transitions=5 verdict=error findings=assertion
// The names that VeriSoft gave to them.
#include <mazurka/verisoft.h>

int main(void) {
  int n = VS_toss(3);
  VS_assert(n >= 0 && n <= 3);
  VS_assert(n != 2);  // mazurka: assertion
}
