#include "sim/server/http_server.h"

#include <fmt/format.h>
#include <httplib.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "sim/server/gate.h"
#include "sim/server/json.h"
#include "sim/server/page_files.h"

namespace mazurka {
namespace {

constexpr char kLoopback[] = "127.0.0.1";
constexpr size_t kMostBytes = 64u << 20;  // a schedule of a million steps
constexpr size_t kConnections = 32;       // a browser opens up to six for each tab, and keeps them
constexpr char kApi[] = "api/";

constexpr char kPolicy[] =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' "
    "data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

void refuse(httplib::Response& response, int status, const std::string& sentence) {
  response.status = status;
  response.set_content(sentence + "\n", "text/plain; charset=utf-8");
}

void add_headers(httplib::Response& response) {
  response.set_header("Content-Security-Policy", kPolicy);
  response.set_header("X-Content-Type-Options", "nosniff");
  response.set_header("X-Frame-Options", "DENY");
  response.set_header("Referrer-Policy", "no-referrer");
  response.set_header("Cross-Origin-Resource-Policy", "same-origin");
  response.set_header("Cross-Origin-Opener-Policy", "same-origin");
  response.set_header("Cache-Control", "no-store");
}

bool says_json(const httplib::Request& request) {
  const std::string type = request.get_header_value("Content-Type");
  return type == "application/json" || type.rfind("application/json;", 0) == 0;
}

}  // namespace

class HttpServer::Impl {
 public:
  Impl(Simulation& simulation, Worker& worker) : simulation_(simulation), worker_(worker) {
    server_.new_task_queue = [] { return new httplib::ThreadPool(kConnections); };
    server_.set_keep_alive_max_count(100'000);
    server_.set_tcp_nodelay(true);
    server_.set_payload_max_length(kMostBytes);
    // Not SO_REUSEPORT, which is httplib's own choice: another process could then listen on our
    // port.
    server_.set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    // Of what is not fetched, the body is still to be read; so routing waits for it with a handler
    // of its own.
    server_.Get(".*", [this](const httplib::Request& request, httplib::Response& response) {
      fetch(request, response);
    });
    server_.Post(".*", [this](const httplib::Request& request, httplib::Response& response) {
      ask(request, response);
    });
    server_.set_pre_routing_handler(
        [this](const httplib::Request& request, httplib::Response& response) {
          add_headers(response);
          if (behind_gate(request)) return httplib::Server::HandlerResponse::Unhandled;
          refuse(response, 403, "this is not the address that mazurka sim has printed");
          return httplib::Server::HandlerResponse::Handled;
        });
  }

  Result<void> open(int port) {
    const bool bound = port == 0 ? (port = server_.bind_to_any_port(kLoopback)) > 0
                                 : server_.bind_to_port(kLoopback, port);
    if (!bound) {
      return Error{
          fmt::format("cannot listen on port {} of {}: it is in use, or not allowed; --port=0 "
                      "takes any that is free",
                      port, kLoopback)};
    }
    gate_.emplace(new_token(), port);
    return {};
  }

  std::string address() const { return gate_->address(); }

  void serve(const volatile std::sig_atomic_t& interrupted) {
    std::atomic<bool> has_stopped = false;
    std::thread watch([&] {
      while (!has_stopped) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        if (interrupted != 0)
          server_.stop();  // without effect before it listens: so more than once
      }
    });
    server_.listen_after_bind();
    has_stopped = true;
    watch.join();
  }

 private:
  std::optional<std::string> behind_gate(const httplib::Request& request) const {
    const bool navigates = request.method == "GET" &&
                           request.get_header_value("Sec-Fetch-Mode") == "navigate" &&
                           request.get_header_value("Sec-Fetch-Dest") == "document";
    return gate_->enter({request.path, request.get_header_value("Host"),
                         request.get_header_value("Origin"),
                         request.get_header_value("Sec-Fetch-Site"), navigates});
  }

  void fetch(const httplib::Request& request, httplib::Response& response) const {
    const std::string name = *behind_gate(request);
    const PageFile* file = page_file(name.empty() ? "index.html" : name);
    if (file == nullptr) return refuse(response, 404, "there is no such page");
    response.set_content(file->text.data(), file->text.size(), std::string(file->type));
  }

  void ask(const httplib::Request& request, httplib::Response& response) const {
    const std::string path = *behind_gate(request);
    if (path.rfind(kApi, 0) != 0) return refuse(response, 404, "there is no such question");
    if (!says_json(request)) return refuse(response, 415, "questions are application/json");
    const Json asked = Json::parse(request.body, nullptr, false);
    if (!asked.is_object()) return refuse(response, 400, "the question is no JSON object");
    Result<Json> answer = Error{""};
    worker_.call([&] { answer = simulation_.answer(path.substr(sizeof kApi - 1), asked); });
    const Json json = answer ? *answer : Json{{"error", answer.error().message}};
    response.status = answer ? 200 : 422;
    response.set_content(json.dump(-1, ' ', false, Json::error_handler_t::replace),
                         "application/json");
  }

  Simulation& simulation_;
  Worker& worker_;
  httplib::Server server_;
  std::optional<Gate> gate_;
};

HttpServer::HttpServer(Simulation& simulation, Worker& worker)
    : impl_(std::make_unique<Impl>(simulation, worker)) {}
HttpServer::~HttpServer() = default;
Result<void> HttpServer::open(int port) { return impl_->open(port); }
std::string HttpServer::address() const { return impl_->address(); }
void HttpServer::serve(const volatile std::sig_atomic_t& interrupted) { impl_->serve(interrupted); }

}  // namespace mazurka
