#include "sim/server/gate.h"

#include <fmt/format.h>
#include <sys/random.h>

#include "base/check.h"

namespace mazurka {
namespace {

// Takes the same time wherever they differ.
bool same_secret(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

}  // namespace

Gate::Gate(std::string token, int port) : token_(std::move(token)), port_(port) {}

bool Gate::is_our_host(const std::string& host) const {
  return host == fmt::format("127.0.0.1:{}", port_) || host == fmt::format("localhost:{}", port_);
}

// A name that leads to 127.0.0.1 is no proof: DNS can be made to say so. So the host must be one of
// ours by its text.
std::optional<std::string> Gate::enter(const Visitor& visitor) const {
  if (!is_our_host(visitor.host)) return std::nullopt;
  if (!visitor.origin.empty() && visitor.origin != "http://" + visitor.host) return std::nullopt;
  const std::string& path = visitor.path;
  const size_t end = path.find('/', 1);
  if (path.empty() || path[0] != '/' || end == std::string::npos) return std::nullopt;
  if (!same_secret(path.substr(1, end - 1), token_)) return std::nullopt;
  // Others, such as the file that the browser was opened with, may lead to the page, but ask for
  // nothing else.
  const std::string& site = visitor.fetch_site;
  const bool is_led_here = visitor.navigates && end + 1 == path.size();
  if (!site.empty() && site != "same-origin" && site != "none" && !is_led_here) return std::nullopt;
  return path.substr(end + 1);
}

std::string Gate::address() const { return fmt::format("http://127.0.0.1:{}/{}/", port_, token_); }

std::string new_token() {
  unsigned char bytes[16];
  MAZURKA_CHECK(getrandom(bytes, sizeof bytes, 0) == sizeof bytes);
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

}  // namespace mazurka
