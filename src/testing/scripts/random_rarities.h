// For random scripts (random_script.h), what programs seldom do: objects are destroyed, descriptors
// made and changed beside other threads, FIFOs opened.
#pragma once

#include "testing/scripts/script_writer.h"

namespace mazurka {

class RandomRarities {
 public:
  explicit RandomRarities(ScriptWriter& out) : out_(out) {}
  // Requires that all other objects are there: some of them are destroyed and changed.
  void make();
  // One statement.
  void operation();

 private:
  // One of the script's objects of this kind, or kNoObject.
  ObjectId any(ObjectKind kind);
  void destroy();
  void change();
  void pipe();
  void fifo();
  void open_fifo();
  void transfer(bool reads, ObjectId channel, ObjectId end);

  ScriptWriter& out_;
  ObjectId path_ = kNoObject;
  ObjectId fifo_ = kNoObject;
};

}  // namespace mazurka
