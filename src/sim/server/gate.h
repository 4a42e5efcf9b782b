// Who may talk to the simulator: only a page that it has served itself, to somebody who knows the
// address that it printed. Another page in the user's browser, and another user's process, know
// neither the token nor may they name another host.
#pragma once

#include <optional>
#include <string>

namespace mazurka {

// What a request says about itself, as far as it matters here. Empty: it does not say.
struct Visitor {
  std::string path;
  std::string host;
  std::string origin;
  std::string fetch_site;  // Sec-Fetch-Site: browsers say it, pages cannot
  bool navigates = false;  // the browser goes there, and shows the page by itself: Sec-Fetch-Mode,
                           // Sec-Fetch-Dest
};

class Gate {
 public:
  Gate(std::string token, int port);

  // The path behind the token: "" for the page, "api/state". Nothing if the visitor may not enter.
  std::optional<std::string> enter(const Visitor& visitor) const;

  // "http://127.0.0.1:4711/TOKEN/"
  std::string address() const;

 private:
  bool is_our_host(const std::string& host) const;

  std::string token_;
  int port_;
};

// 128 random bits.
std::string new_token();

}  // namespace mazurka
