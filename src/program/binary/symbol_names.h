// What the symbol tables of a program or library mention: told without reading the rest of the
// file, which may be large.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mazurka {

class SymbolNames {
 public:
  explicit SymbolNames(const std::string& path);
  ~SymbolNames();
  SymbolNames(const SymbolNames&) = delete;
  SymbolNames& operator=(const SymbolNames&) = delete;

  // False: the file cannot be read, and nothing is known of it.
  bool are_known() const { return bytes_ != nullptr; }
  // Whether some name in them contains the text. Requires that they are known.
  bool mention(std::string_view text) const;
  // Whether the file has the text anywhere: reads all of it. Requires the same.
  bool stand_beside(std::string_view text) const;

 private:
  void find_tables();

  const char* bytes_ = nullptr;
  size_t size_ = 0;
  std::vector<std::string_view> tables_;
};

}  // namespace mazurka
