// C++ code and variables with names that are hard to find. Read by source_map_test.
#include <pthread.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "source/testdata/elsewhere.h"
#include "source/testdata/probe.h"

namespace bank {

struct Account {
  int id = 0;
  std::mutex lock;
  std::condition_variable changed;
  std::atomic<long> balance{0};

  void deposit(int amount) {
    probe_next_lock("member_function", "bank::Account::deposit");
    std::lock_guard<std::mutex> guard(lock);  // line: member_function
    id += amount;
  }
};

Account accounts[3];
std::array<Account, 2> savings;
std::optional<Account> last_account;

class Ledger {
 public:
  static std::mutex guard;
  static inline int entries = 0;
};
std::mutex Ledger::guard;

}  // namespace bank

namespace {

struct Nothing {};

struct Lockable {
  virtual ~Lockable() = default;
  long version = 0;
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
};

struct Queue : Nothing, Lockable {
  std::pair<int, std::mutex> front;
  int items[4] = {};
  union {
    char tag;
    struct {
      char kind;
      short weight;
    };
  };
};

Queue queue;
Queue* volatile shared_queue = &queue;

void lock_static_local() {
  static std::mutex lock;
  probe_data("lock_static_local::lock", &lock);
  probe_next_lock("static_local", "lock_static_local");
  lock.lock();  // line: static_local
  lock.unlock();
}

template <typename T>
struct Box {
  T value{};
  std::mutex lock;

  __attribute__((noinline)) void put(T item) {
    probe_next_lock("template_member", "Box<int>::put");
    std::unique_lock<std::mutex> guard(lock);  // line: template_member
    value = item;
  }
};

Box<int> box;

// Optimised code has all of this inside its caller, and the place to show is still here.
inline __attribute__((always_inline)) void inlined_into_main(std::mutex& mutex) {
  probe_next_lock("inlined", "inlined_into_main");
  mutex.lock();  // line: inlined
  mutex.unlock();
}

void print_data() {
  probe_data("bank::accounts[2].lock", &bank::accounts[2].lock);
  probe_data("bank::accounts[0].id", &bank::accounts[0].id);
  probe_data("bank::accounts[1].changed", &bank::accounts[1].changed);
  probe_data("bank::accounts[1].balance", &bank::accounts[1].balance);
  probe_data("bank::savings[1].lock", &bank::savings[1].lock);
  bank::last_account.emplace();
  probe_data("bank::last_account.lock", &bank::last_account->lock);
  probe_data("bank::Ledger::guard", &bank::Ledger::guard);
  probe_data("bank::Ledger::entries", &bank::Ledger::entries);
  probe_data("queue.version", &shared_queue->version);
  probe_data("queue.lock", &shared_queue->lock);
  probe_data("queue.lock", reinterpret_cast<char*>(&shared_queue->lock) + 9);
  probe_data("queue.front.second", &shared_queue->front.second);
  probe_data("queue.items[3]", &shared_queue->items[3]);
  probe_data("queue.weight", &shared_queue->weight);
  probe_data("box.lock", &box.lock);
  probe_data("elsewhere::meter.lock", elsewhere::lock_of(elsewhere::meter));
}

}  // namespace

int main() {
  probe_modules();
  print_data();
  bank::accounts[1].deposit(1);
  lock_static_local();
  box.put(3);
  inlined_into_main(bank::accounts[2].lock);

  auto work = [](std::mutex& mutex) {
    static int runs = 0;
    probe_data("main::{lambda}::runs", &runs);
    probe_next_lock("lambda", "main::{lambda}");
    std::scoped_lock guard(mutex);  // line: lambda
    ++runs;
  };
  std::thread thread(work, std::ref(bank::Ledger::guard));
  thread.join();
}
