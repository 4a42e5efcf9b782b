#include "explore/engine/checkpoint.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace mazurka {
namespace {

constexpr char kMagic[] = "mazurka checkpoint 5\n";

Error cannot(const char* what, const std::string& path) {
  return Error{std::string("cannot ") + what + " " + path + ": " + std::strerror(errno)};
}

bool write_all(int fd, const std::string& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t written = write(fd, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) done += static_cast<size_t>(written);
  }
  return fsync(fd) == 0;
}

}  // namespace

Result<void> write_checkpoint(const Checkpoint& checkpoint, const std::string& path) {
  ByteWriter out;
  out.put_text(checkpoint.identity);
  out.put_text(checkpoint.names);
  out.put_text(checkpoint.search);
  ByteWriter hash;
  hash.put(hash_of(out.bytes()));
  const std::string scratch = path + ".new";
  const int fd = open(scratch.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return cannot("write", scratch);
  bool written = write_all(fd, kMagic + hash.bytes() + out.bytes());
  int error = errno;
  if (close(fd) != 0 && written) {
    written = false;
    error = errno;
  }
  if (written && std::rename(scratch.c_str(), path.c_str()) == 0) return {};
  if (!written) errno = error;
  const Error why = cannot("write", written ? path : scratch);
  unlink(scratch.c_str());
  return why;
}

Result<Checkpoint> read_checkpoint(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  if (!in || !(text << in.rdbuf())) return cannot("read", path);
  const std::string bytes = text.str();
  if (!bytes.starts_with(kMagic))
    return Error{path + " is no checkpoint of this version of Mazurka"};
  const std::string_view rest = std::string_view(bytes).substr(sizeof kMagic - 1);
  ByteReader head(rest);
  const auto hash = head.get<uint64_t>();
  if (!head.ok() || hash != hash_of(rest.substr(sizeof hash))) return Error{path + " is damaged"};
  ByteReader body(rest.substr(sizeof hash));
  Checkpoint checkpoint;
  checkpoint.identity = body.get_text();
  checkpoint.names = body.get_text();
  checkpoint.search = body.get_text();
  if (!body.ok() || !body.at_end()) return Error{path + " is damaged"};
  return checkpoint;
}

std::string difference(const std::string& saved, const std::string& present) {
  std::istringstream a(saved);
  std::istringstream b(present);
  for (;;) {
    std::string before;
    std::string now;
    const bool has_before = static_cast<bool>(std::getline(a, before));
    const bool has_now = static_cast<bool>(std::getline(b, now));
    if (!has_before && !has_now) return "";
    if (before == now) continue;
    return std::string("the checkpoint is of another search: it has '")
        .append(before)
        .append("', and this is '")
        .append(now)
        .append("'");
  }
}

}  // namespace mazurka
