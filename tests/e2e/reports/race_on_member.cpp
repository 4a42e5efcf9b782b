// A balance that one of two threads changes without the lock.
// compiler: mazurka-c++
// kind: race
// name: account.balance
// why: T0.2 holds no lock
#include <mutex>
#include <thread>

struct Account {
  std::mutex lock;
  int balance = 100;
};

static void deposit(Account& to) {
  std::lock_guard<std::mutex> guard(to.lock);
  to.balance = 110;
}

static void charge(Account& from) {
  from.balance = 99;  // mazurka: race
}

int main() {
  Account account;
  std::thread one(deposit, std::ref(account));
  std::thread two(charge, std::ref(account));
  one.join();
  two.join();
}
