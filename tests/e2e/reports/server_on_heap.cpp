// A server that is owned by a std::unique_ptr: its two locks, in both orders.
// kind: deadlock
// name: server->accept_lock
// name: server->log_lock
// why: waits for server->log_lock (@log)
#include <memory>
#include <mutex>
#include <thread>

class Server {
 public:
  void log() {
    std::lock_guard<std::mutex> log_guard(log_lock);
    std::lock_guard<std::mutex> accept_guard(accept_lock);  // mazurka: deadlock
  }
  void accept() {
    std::lock_guard<std::mutex> accept_guard(accept_lock);
    std::lock_guard<std::mutex> log_guard(log_lock);  // @log
  }

 private:
  std::mutex accept_lock;
  std::mutex log_lock;
};

int main() {
  auto server = std::make_unique<Server>();
  std::thread logger([&] { server->log(); });
  server->accept();
  logger.join();
}
