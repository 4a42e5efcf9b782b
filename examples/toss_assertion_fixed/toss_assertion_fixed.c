// A ticket machine that takes no more coins than it needs, so that it never owes more than one.
#include <mazurka/mazurka.h>

enum { kPrice = 3, kCoins = 3 };

int main(void) {
  int paid = 0;
  for (int coin = 0; coin < kCoins && paid < kPrice; ++coin)
    paid += mz_toss(2);         // a coin of 0, 1 or 2
  if (paid < kPrice) return 0;  // no ticket, and the money comes back
  int change = paid - kPrice;
  int small_coins = 2;
  while (change > 0) {
    --small_coins;
    --change;
  }
  mz_assert(small_coins >= 0);
  return 0;
}
