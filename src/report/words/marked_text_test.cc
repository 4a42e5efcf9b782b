#include "report/words/marked_text.h"

#include <gtest/gtest.h>

#include "testing/scripts/known_scripts.h"
#include "testing/scripts/scripted_program.h"

namespace mazurka {
namespace {

// Knows the stack of one call.
class OnePlace : public Places {
 public:
  std::string place(const std::vector<uint64_t>& stack) override {
    return stack == std::vector<uint64_t>{0x401136, 0x4011a0} ? "bank.c:12 in open" : "";
  }
  std::vector<std::string> callers(const std::vector<uint64_t>&) override { return {}; }
  std::string location(const std::vector<uint64_t>& stack) override {
    return place(stack).empty() ? "" : "bank.c:12";
  }
  std::optional<std::string> variable(uint64_t) override { return std::nullopt; }
};

class MarkedText : public testing::Test {
 protected:
  std::string expand(const std::string& text) { return expand_marks(text, describer_); }

  ScriptedProgram program_{thread_philosophers(2)};
  OnePlace places_;
  Describer describer_{program_, &places_};
};

TEST_F(MarkedText, ThreadsAndPlacesGetTheirNames) {
  EXPECT_EQ(expand("block 3 of {t0}, allocated at {p 401136 4011a0}, 24 bytes"),
            "block 3 of T0, allocated at bank.c:12 in open, 24 bytes");
}

TEST_F(MarkedText, APlaceThatTheSourceDoesNotKnowIsAnAddress) {
  EXPECT_EQ(expand("at {p 401136}"), "at 0x401136");
}

TEST_F(MarkedText, WhatIsNoMarkStaysAsItIs) {
  for (const char* text : {"", "{}", "{t}", "{tx}", "{p}", "{p }", "{p 12 zz}", "{t1 }", "{", "}",
                           "{q 1}", "{t99999}"}) {
    EXPECT_EQ(expand(text), text);
  }
}

TEST_F(MarkedText, TheFirstKnownPlaceIsTheLocation) {
  EXPECT_EQ(last_location("{t0} {p 1} {p 401136 4011a0} {p 2}", describer_), "bank.c:12");
  EXPECT_EQ(last_location("{t0} {p 1}", describer_), "");
}

}  // namespace
}  // namespace mazurka
