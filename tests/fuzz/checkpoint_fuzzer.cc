// A libFuzzer target for checkpoints, and for the names in them. The hash over the data is made
// right, or nothing but the hash would be tested.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/check.h"
#include "explore/engine/checkpoint.h"
#include "program/logbook.h"

namespace {

using namespace mazurka;

constexpr char kMagic[] = "mazurka checkpoint 2\n";

std::string scratch_file() {
  static const int fd = memfd_create("checkpoint", 0);
  MAZURKA_CHECK(fd >= 0 && ftruncate(fd, 0) == 0);
  return "/proc/self/fd/" + std::to_string(fd);
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  MAZURKA_CHECK(file != nullptr &&
                std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size());
  std::fclose(file);
}

void read(const std::string& body) {
  ByteWriter hash;
  hash.put(hash_of(body));
  const std::string path = scratch_file();
  write_bytes(path, kMagic + hash.bytes() + body);
  const Result<Checkpoint> checkpoint = read_checkpoint(path);
  if (!checkpoint) return;
  (void)difference(checkpoint->identity, "mazurka\nsearch\n");
}

// What was read can be asked for, and is saved as it was.
void read_names(const std::string& bytes) {
  Logbook logbook;
  if (!logbook.restore(bytes)) return;
  for (uint16_t i = 0; i < 4; ++i) {
    (void)logbook.thread_path(ThreadId{i});
    (void)logbook.object_name(ObjectId{i});
  }
  Logbook again;
  MAZURKA_CHECK(again.restore(logbook.save()));
  MAZURKA_CHECK(again.save() == logbook.save());
}

}  // namespace

// The first byte says what the rest is.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 3) {
    case 0:
      read(rest);
      break;
    case 1:
      read_names(rest);
      break;
    default: {
      ByteWriter parts;
      for (const size_t third : {0, 1, 2}) {
        parts.put_text(rest.substr(third * (rest.size() / 3), rest.size() / 3));
      }
      read(parts.bytes());
    }
  }
  return 0;
}
