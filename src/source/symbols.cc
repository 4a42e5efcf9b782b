#include "source/symbols.h"

#include <gelf.h>

#include <algorithm>
#include <tuple>

namespace mazurka {
namespace {

// Symbols may nest (an entry point inside a function), but not deeper than anyone writes assembler.
constexpr int kMaxNesting = 16;

bool is_function(unsigned type) { return type == STT_FUNC || type == STT_GNU_IFUNC; }

// Of the names at one address, a size says more than none, and libc's "__x" says less than "x".
void sort_and_keep_best(std::vector<Symbol>& symbols) {
  const auto key = [](const Symbol& symbol) {
    return std::tuple(symbol.address, symbol.size == 0,
                      symbol.name.starts_with("_") && !symbol.name.starts_with("_Z"),
                      symbol.name.size(), symbol.name);
  };
  std::sort(symbols.begin(), symbols.end(),
            [&](const Symbol& a, const Symbol& b) { return key(a) < key(b); });
  const auto same = [](const Symbol& a, const Symbol& b) { return a.address == b.address; };
  symbols.erase(std::unique(symbols.begin(), symbols.end(), same), symbols.end());
}

const Symbol* find(const std::vector<Symbol>& symbols, uint64_t address) {
  auto it = std::upper_bound(
      symbols.begin(), symbols.end(), address,
      [](uint64_t wanted, const Symbol& symbol) { return wanted < symbol.address; });
  for (int i = 0; i < kMaxNesting && it != symbols.begin(); ++i) {
    --it;
    if (address - it->address < std::max<uint64_t>(it->size, 1)) return &*it;
  }
  return nullptr;
}

}  // namespace

SymbolTable::SymbolTable(const std::vector<Elf*>& files) {
  for (Elf* elf : files) {
    for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
         section = elf_nextscn(elf, section)) {
      read(elf, section);
    }
  }
  sort_and_keep_best(functions_);
  sort_and_keep_best(objects_);
}

void SymbolTable::read(Elf* elf, Elf_Scn* section) {
  GElf_Shdr header;
  if (gelf_getshdr(section, &header) == nullptr || header.sh_entsize == 0) return;
  if (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM) return;
  Elf_Data* data = elf_getdata(section, nullptr);
  GElf_Sym symbol;
  for (int i = 0; data != nullptr && gelf_getsym(data, i, &symbol) != nullptr; ++i) {
    const unsigned type = GELF_ST_TYPE(symbol.st_info);
    if (symbol.st_shndx == SHN_UNDEF || (!is_function(type) && type != STT_OBJECT)) continue;
    const char* text = elf_strptr(elf, header.sh_link, symbol.st_name);
    if (text == nullptr || *text == '\0') continue;
    std::string name(text);
    if (const size_t version = name.find('@'); version != std::string::npos) name.resize(version);
    auto& symbols = is_function(type) ? functions_ : objects_;
    symbols.push_back({symbol.st_value, symbol.st_size, std::move(name)});
  }
}

const Symbol* SymbolTable::function_at(uint64_t address) const { return find(functions_, address); }

const Symbol* SymbolTable::object_at(uint64_t address) const { return find(objects_, address); }

const Symbol* SymbolTable::object_named(const std::string& name) const {
  const auto it = std::find_if(objects_.begin(), objects_.end(),
                               [&](const Symbol& symbol) { return symbol.name == name; });
  return it == objects_.end() ? nullptr : &*it;
}

}  // namespace mazurka
