// Two transfers in opposite directions lock two accounts in opposite order.
// kind: deadlock
// name: savings.lock
// name: salary.lock
// why: holds savings.lock (@first) and waits for salary.lock (@here)
#include <mutex>
#include <thread>

struct Account {
  std::mutex lock;
  int balance = 100;
};

static void transfer(Account& from, Account& to, int amount) {
  std::lock_guard<std::mutex> first(from.lock);  // @first
  from.balance -= amount;
  std::lock_guard<std::mutex> second(to.lock);  // mazurka: deadlock
  to.balance += amount;
}

struct Transfer {
  Account* from;
  Account* to;
  static void transfer_all(Transfer* what) { transfer(*what->from, *what->to, 10); }
};

int main() {
  Account savings;
  Account salary;
  Transfer out = {&savings, &salary};
  Transfer back = {&salary, &savings};
  std::thread one(Transfer::transfer_all, &out);
  std::thread two(Transfer::transfer_all, &back);
  one.join();
  two.join();
}
