// The ELF symbols of one module: all we know about code and data built without debug information.
#pragma once

#include <libelf.h>

#include <cstdint>
#include <string>
#include <vector>

namespace mazurka {

struct Symbol {
  uint64_t address = 0;
  uint64_t size = 0;
  std::string name;  // mangled, without its version
};

class SymbolTable {
 public:
  explicit SymbolTable(const std::vector<Elf*>& files);

  // Null if no symbol covers the address.
  const Symbol* function_at(uint64_t address) const;
  const Symbol* object_at(uint64_t address) const;
  const Symbol* object_named(const std::string& name) const;

 private:
  void read(Elf* elf, Elf_Scn* section);

  // Sorted by address; one name per address.
  std::vector<Symbol> functions_;
  std::vector<Symbol> objects_;
};

}  // namespace mazurka
