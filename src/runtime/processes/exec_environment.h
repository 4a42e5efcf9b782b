// The environment that carries our runtime into the next image of a process, beside what the
// program gives it.
#pragma once

#include <cstddef>

namespace mazurka {

// Holds it until the end of the block. In memory of its own: exec must not depend on the program's
// heap.
class ExecEnvironment {
 public:
  explicit ExecEnvironment(char* const* given);
  ~ExecEnvironment();
  ExecEnvironment(const ExecEnvironment&) = delete;
  ExecEnvironment& operator=(const ExecEnvironment&) = delete;

  // nullptr: there was no memory for it.
  char* const* variables() const { return variables_; }

 private:
  void add_library_path(const char* library, const char* users);
  void add(const char* name, const char* first, char separator, const char* second);

  char** variables_ = nullptr;
  size_t count_ = 0;
  char* text_ = nullptr;  // the rest of the mapping
  void* mapping_ = nullptr;
  size_t size_ = 0;
};

}  // namespace mazurka
