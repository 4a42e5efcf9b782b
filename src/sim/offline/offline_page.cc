#include "sim/offline/offline_page.h"

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "sim/server/page_files.h"

namespace mazurka {
namespace {

constexpr std::string_view kDataGoesHere = "/*data*/";

// Inside of <script>, "</script" would end it and "<!--" begin a comment, in strings, too.
std::string for_script(const std::string& json) {
  std::string text;
  text.reserve(json.size() + json.size() / 16);
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string offline_page(const Json& data) {
  const PageFile* const file = page_file("offline.html");
  MAZURKA_CHECK(file != nullptr);
  const size_t place = file->text.find(kDataGoesHere);
  MAZURKA_CHECK(place != std::string_view::npos);
  std::string page(file->text.substr(0, place));
  page += for_script(data.dump(-1, ' ', true, Json::error_handler_t::replace));
  page += file->text.substr(place + kDataGoesHere.size());
  return page;
}

}  // namespace mazurka
