// A server that waits for its mailbox.
#include <mazurka/mazurka.h>

#include <mutex>
#include <thread>

std::mutex mailbox;
bool has_request = false;

void serve() {
  std::unique_lock<std::mutex> lock(mailbox);
  if (has_request) mz_event("answer");
}

int main() {
  std::thread server;
  {
    std::lock_guard<std::mutex> lock(mailbox);
    has_request = true;
    mz_event("request");
    server = std::thread(serve);
  }
  server.join();
}
