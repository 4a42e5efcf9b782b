// expect: executions=3 transitions=3 verdict=ok
// What a constructor of a global object tosses is explored as well.
#include <mazurka/mazurka.h>

static const int early = mz_toss(2);

int main() { mz_assert(early >= 0 && early <= 2); }
