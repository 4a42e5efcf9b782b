// A class whose methods are single operations, because whoever calls them holds a lock; and its
// twins.
//   UNLOCKED: nobody holds it. ONE_UNLOCKED: one thread looks at a balance without it. ALONE: there
//   is nothing but the class.
#include <cassert>
#include <mutex>
#include <thread>

class Account {
 public:
  void deposit(int amount) {
    int before = balance_;
    note(amount);
    balance_ = before + amount;
  }
  int balance() const { return balance_; }

 private:
  __attribute__((noinline)) void note(int amount) {
    last_[count_ % 4] = amount;
    ++count_;
  }

  int balance_ = 0;
  int count_ = 0;
  int last_[4] = {};
};

Account account;
std::mutex mutex;
int visits;  // not of the class: its lost updates are found
int seen;

void work() {
#ifndef ALONE
  int before = visits;
  visits = before + 1;
#endif
#ifndef UNLOCKED
  std::lock_guard<std::mutex> lock(mutex);
#endif
  account.deposit(1);
}

void look() {
#ifdef ONE_UNLOCKED
  seen = account.balance();
#endif
}

int main() {
  std::thread first(work);
  std::thread second(work);
  look();
  first.join();
  second.join();
  assert(account.balance() == 2);
#ifdef ALONE
  return 0;
#else
  return visits == 2 ? 0 : 3;
#endif
}
