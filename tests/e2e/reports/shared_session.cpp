// A session that several threads own, each by a copy of the std::shared_ptr in its lambda.
// option: --atomics=off
// Without it, counts of references are steps, and have no names yet.
// kind: deadlock
// name: session->input
// name: session->output
// why: waits for session->output
#include <memory>
#include <mutex>
#include <thread>

struct Session {
  std::mutex input;
  std::mutex output;
  int bytes = 0;
};

int main() {
  auto session = std::make_shared<Session>();
  std::thread reader([session] {
    std::lock_guard<std::mutex> in(session->input);
    std::lock_guard<std::mutex> out(session->output);
    ++session->bytes;
  });
  std::thread writer([session] {
    std::lock_guard<std::mutex> out(session->output);
    std::lock_guard<std::mutex> in(session->input);  // mazurka: deadlock
    ++session->bytes;
  });
  session.reset();
  reader.join();
  writer.join();
}
