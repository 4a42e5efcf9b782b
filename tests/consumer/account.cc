// Two threads pay money into an account: under its lock, or with "wrong" as an argument in two
// critical sections.
#include <mazurka/mazurka.h>

#include <mutex>
#include <thread>

static std::mutex lock;
static int money = 0;

static void pay(bool wrong) {
  lock.lock();
  const int had = money;
  if (wrong) {
    lock.unlock();
    lock.lock();
  }
  money = had + 10;
  lock.unlock();
}

int main(int argc, char**) {
  std::thread first(pay, argc > 1);
  std::thread second(pay, argc > 1);
  first.join();
  second.join();
  mz_assert(money == 20);
}
