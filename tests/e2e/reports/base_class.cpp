// The lock belongs to a base class, the object to a member of a class in a namespace.
// kind: deadlock
// name: shop.orders.guard_
// name: shop.stock.guard_
// why: waits for shop.orders.guard_
#include <mutex>
#include <thread>

namespace shop_model {

class Guarded {
 public:
  std::mutex& guard() { return guard_; }

 private:
  std::mutex guard_;
};

class Orders : public Guarded {
 public:
  int count = 0;
};

class Stock : public Guarded {
 public:
  int count = 10;
};

struct Shop {
  Orders orders;
  Stock stock;

  void sell() {
    std::lock_guard<std::mutex> a(orders.guard());
    std::lock_guard<std::mutex> b(stock.guard());
    ++orders.count, --stock.count;
  }
  void refill() {
    std::lock_guard<std::mutex> b(stock.guard());
    std::lock_guard<std::mutex> a(orders.guard());  // mazurka: deadlock
    stock.count += orders.count;
  }
};

}  // namespace shop_model

int main() {
  shop_model::Shop shop;
  std::thread seller([&shop] { shop.sell(); });
  std::thread filler([&shop] { shop.refill(); });
  seller.join();
  filler.join();
}
