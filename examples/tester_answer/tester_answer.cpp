// A server that looks into its mailbox once, and gives up if somebody is busy with it.
#include <mazurka/mazurka.h>

#include <mutex>
#include <thread>

std::mutex mailbox;
bool has_request = false;

void serve() {
  std::unique_lock<std::mutex> lock(mailbox, std::try_to_lock);
  if (lock.owns_lock() && has_request) mz_event("answer");
}

int main() {
  std::thread server;
  {
    std::lock_guard<std::mutex> lock(mailbox);
    has_request = true;
    mz_event("request");  // mazurka: tester
    server = std::thread(serve);
  }
  server.join();
}
