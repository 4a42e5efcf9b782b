#include "sim/server/gate.h"

#include <gtest/gtest.h>

namespace mazurka {
namespace {

constexpr char kHost[] = "127.0.0.1:80";
const Gate kGate("secret", 80);

TEST(Gate, LetsThePageIn) {
  EXPECT_EQ(kGate.enter({"/secret/", kHost, "", "none"}), "");
  EXPECT_EQ(kGate.enter({"/secret/api/go", kHost, "http://127.0.0.1:80", "same-origin"}), "api/go");
  EXPECT_EQ(kGate.enter({"/secret/app.js", "localhost:80", "http://localhost:80", ""}), "app.js");
}

TEST(Gate, KeepsOutWhoDoesNotKnowTheToken) {
  for (const char* path : {"", "/", "/secret", "/secre/", "/secret1/", "//secret/", "/./secret/",
                           "/SECRET/", "secret/"}) {
    EXPECT_FALSE(kGate.enter({path, kHost, "", ""})) << path;
  }
}

TEST(Gate, KeepsOutOtherHosts) {
  for (const char* host : {"", "127.0.0.1", "127.0.0.1:81", "evil.example:80",
                           "localhost.evil.example:80", "0.0.0.0:80"}) {
    EXPECT_FALSE(kGate.enter({"/secret/", host, "", ""})) << host;
  }
}

TEST(Gate, KeepsOutOtherOrigins) {
  for (const char* origin :
       {"null", "http://evil.example", "https://127.0.0.1:80", "http://127.0.0.1:81",
        "http://localhost:80", "http://127.0.0.1:80.evil.example"}) {
    EXPECT_FALSE(kGate.enter({"/secret/", kHost, origin, ""})) << origin;
  }
  EXPECT_FALSE(kGate.enter({"/secret/", kHost, "", "cross-site"}));
  EXPECT_FALSE(kGate.enter({"/secret/", kHost, "", "same-site"}));
}

TEST(Gate, OthersMayLeadToThePageAndToNothingElse) {
  EXPECT_EQ(kGate.enter({"/secret/", kHost, "", "cross-site", true}), "");
  EXPECT_FALSE(kGate.enter({"/secret/app.js", kHost, "", "cross-site", true}));
  EXPECT_FALSE(kGate.enter({"/secret/api/go", kHost, "", "cross-site", true}));
  EXPECT_FALSE(kGate.enter({"/secret/", kHost, "http://evil.example", "cross-site", true}));
  EXPECT_FALSE(kGate.enter({"/other/", kHost, "", "cross-site", true}));
}

TEST(Gate, TokensAreLongAndNew) {
  EXPECT_EQ(new_token().size(), 32u);
  EXPECT_NE(new_token(), new_token());
}

}  // namespace
}  // namespace mazurka
