// A raw pointer outlives what it leads to: the place is where the object was freed.
// kind: memory
// name: board.mutex
// message: freed by T0.2 at
// message: @here in close
// message: @made in main
#include <memory>
#include <mutex>
#include <thread>

struct Session {
  int id = 7;
};

struct Board {
  std::mutex mutex;
  std::shared_ptr<Session> session;
};

static void close(Board& board) {
  std::lock_guard<std::mutex> lock(board.mutex);
  // The other thread may have the address.
  board.session.reset();  // mazurka: memory
}

int main() {
  Board board;
  board.session = std::make_shared<Session>();  // @made
  std::thread user([&] {
    Session* raw;
    {
      std::lock_guard<std::mutex> lock(board.mutex);
      raw = board.session.get();
    }
    std::lock_guard<std::mutex> lock(board.mutex);
    if (raw != nullptr) ++raw->id;
  });
  std::thread closer([&] { close(board); });
  user.join();
  closer.join();
}
