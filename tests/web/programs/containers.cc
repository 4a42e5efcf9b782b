// Containers, smart pointers and atomics of the C++ library, for the simulator to show: it stops at
// each lock. Compiled with and without optimisation.
#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

namespace shop {

enum class State : uint8_t { Open, Closed };

struct Order {
  int id = 0;
  std::string item;
  std::vector<double> prices;
};

class Store {
 public:
  Store() {
    for (int i = 0; i < 300; ++i) numbers_.push_back(i);
    for (int i = 0; i < 200; ++i) numbers_.pop_front();
    orders_[7] = {7, "tea", {1.5, 2.5}};
    orders_[3] = {3, "a long description that does not fit into the string itself", {}};
    waiting_.push({9, "milk", {}});
    last_ = Order{4, "salt", {}};
    names_["one"] = 1;
    owner_ = std::make_unique<Order>(Order{5, "rice", {9}});
    shared_ = std::make_shared<Order>(Order{6, "oil", {}});
    also_shared_ = shared_;
    watcher_ = shared_;
    gone_ = std::make_shared<Order>();
    value_ = std::string("text");
    chosen_ = &orders_[7];
    flag_.test_and_set();
  }

  void work(int round) {
    const std::lock_guard<std::mutex> guard(mutex_);
    served_ += round;
    state_ = State::Closed;
  }

 private:
  std::mutex mutex_;
  std::atomic<int> served_{40};
  std::atomic<bool> ready_{true};
  std::atomic<State> state_{State::Open};
  std::atomic<Order*> chosen_{nullptr};
  std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
  std::deque<int> numbers_;
  std::list<int> list_{1, 2, 3};
  std::forward_list<int> forward_{4, 5};
  std::map<int, Order> orders_;
  std::set<std::string> words_{"b", "a"};
  std::unordered_map<std::string, int> names_;
  std::queue<Order> waiting_;
  std::stack<int, std::vector<int>> depth_{std::vector<int>{8, 9}};
  std::optional<Order> last_;
  std::optional<int> nothing_;
  std::variant<int, std::string, double> value_;
  std::unique_ptr<Order> owner_;
  std::unique_ptr<Order> empty_;
  std::unique_ptr<int, std::function<void(int*)>> own_way_{new int(12), [](int* p) { delete p; }};
  std::shared_ptr<Order> shared_;
  std::shared_ptr<Order> also_shared_;
  std::weak_ptr<Order> watcher_;
  std::weak_ptr<Order> gone_;
  std::tuple<int, std::string> pair_{1, "two"};
  std::vector<bool> bits_{true, false, true};
  std::vector<int> many_ = std::vector<int>(1000, 7);
  std::array<int, 2> both_{1, 2};
  std::string_view view_ = "seen";
  std::string zero_ = std::string("a\0b", 3);
};

}  // namespace shop

shop::Store store;

int main() {
  std::thread other([] { store.work(2); });
  store.work(1);
  other.join();
}
