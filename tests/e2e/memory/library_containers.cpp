// What the C++ library does outside of its headers: balancing trees, going through them, streams
// into strings, strings.
// check: verdict=ok flags=-O0
// check TREE: verdict=error findings=race flags=-O0
// check STREAM: verdict=error findings=race flags=-O0
// check STRING: verdict=error findings=race flags=-O0
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

std::mutex mutex;
std::map<int, int> tree{{1, 1}, {2, 2}, {3, 3}};
std::ostringstream stream;
std::string text = "begins";

template <typename F>
void twice(F first, F second) {
  std::thread one(first), other(second);
  one.join();
  other.join();
}

void walk() {
  auto place = tree.begin();
  ++place;
  ++place;
}
void remove_one() { tree.erase(2); }
void print() { stream << 1; }
void append() { text.append(40, 'x'); }

int main() {
#ifdef TREE
  twice(walk, remove_one);
#elif defined STREAM
  twice(print, print);
#elif defined STRING
  twice(append, append);
#else
  const auto everything = [] {
    std::cout << "several threads may\n";
    const std::lock_guard<std::mutex> guard(mutex);
    walk();
    remove_one();
    tree[7] = 1;
    print();
    append();
  };
  twice(everything, everything);
#endif
}
