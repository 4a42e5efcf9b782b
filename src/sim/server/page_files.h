// The files of the page, built into the command from web/dist.
#pragma once

#include <string_view>

namespace mazurka {

struct PageFile {
  std::string_view name;  // "app.js"
  std::string_view type;  // "text/javascript"
  std::string_view text;
};

// Null if there is none of that name.
const PageFile* page_file(std::string_view name);

}  // namespace mazurka
