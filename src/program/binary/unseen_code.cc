#include "program/binary/unseen_code.h"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "program/binary/elf_file.h"
#include "program/binary/function_ranges.h"

namespace mazurka {
namespace {

constexpr std::string_view kTells = "__tsan_";

// What the linker makes of the file's imports, and which memory the program may change.
class FileMap {
 public:
  explicit FileMap(const ElfFile& file) {
    for (const Elf64_Shdr& section : file.sections()) {
      if (section.sh_type == SHT_RELA) add_imports(file, section);
      const bool is_loaded = (section.sh_flags & SHF_ALLOC) != 0 && section.sh_size > 0;
      const bool is_data = file.name(section) == ".data" || file.name(section) == ".bss" ||
                           file.name(section) == ".lbss" || file.name(section) == ".ldata";
      if (is_loaded && is_data) written_.push_back({section.sh_addr, section.sh_size});
    }
  }

  // The calls of the instrumentation go by these.
  bool tells(uint64_t slot) const { return slots_.contains(slot); }
  bool is_written(uint64_t address) const {
    return std::any_of(written_.begin(), written_.end(),
                       [&](const auto& range) { return address - range.first < range.second; });
  }

 private:
  void add_imports(const ElfFile& file, const Elf64_Shdr& section) {
    const std::span<const Elf64_Shdr> sections = file.sections();
    if (section.sh_link >= sections.size()) return;
    const Elf64_Shdr& table = sections[section.sh_link];
    const std::span<const Elf64_Sym> symbols = file.content<Elf64_Sym>(table);
    for (const Elf64_Rela& relocation : file.content<Elf64_Rela>(section)) {
      const auto number = ELF64_R_SYM(relocation.r_info);
      if (number == 0 || number >= symbols.size()) continue;
      if (file.text(table.sh_link, symbols[number].st_name).starts_with(kTells))
        slots_.insert(relocation.r_offset);
    }
  }

  std::set<uint64_t> slots_;  // where the addresses of imported __tsan_ functions are
  std::vector<std::pair<uint64_t, uint64_t>> written_;
};

struct CodeStep {
  uint64_t address;
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT_VISIBLE];

  uint64_t end() const { return address + instruction.length; }
  std::span<const ZydisDecodedOperand> visible() const {
    return {operands, instruction.operand_count_visible};
  }
};

std::optional<uint64_t> address_in(const CodeStep& step, const ZydisDecodedOperand& operand) {
  uint64_t target = 0;
  if (ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&step.instruction, &operand, step.address, &target)))
    return target;
  return std::nullopt;
}

bool is_relative(const ZydisDecodedOperand& operand) {
  return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.base == ZYDIS_REGISTER_RIP;
}

int register_number(ZydisRegister name) {
  const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
  const bool is_general = whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15;
  return is_general ? static_cast<int>(whole - ZYDIS_REGISTER_RAX) : -1;
}

// What addresses in registers are of, along the straight line: a guess at what compilers make.
enum class AddressKind : uint8_t { Unknown, Stack, Constants };

class SearchedFunction {
 public:
  SearchedFunction(const FileMap& map, const std::set<uint64_t>& stubs) : map_(map), stubs_(stubs) {
    kinds_[4] = AddressKind::Stack;
  }

  void take(const CodeStep& step) {
    if (tells(step)) is_told_ = true;
    note_address(step);
    for (const ZydisDecodedOperand& operand : step.visible()) {
      if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY || operand.mem.type != ZYDIS_MEMOP_TYPE_MEM)
        continue;
      if ((operand.actions & (ZYDIS_OPERAND_ACTION_MASK_READ | ZYDIS_OPERAND_ACTION_MASK_WRITE)) !=
          0)
        note_access(step, operand);
    }
    note_registers(step);
  }

  // 0: all that it does is told, or it does nothing.
  uint64_t first_unseen() const {
    if (!is_told_) return first_access_;
    uint64_t first = first_locked_;
    for (const auto& [address, place] : static_accesses_) {
      if (!is_known(address) && (first == 0 || place < first)) first = place;
    }
    return first;
  }

  // What is added to an address that the function takes may be told as well.
  bool is_known(uint64_t address) const {
    constexpr uint64_t kReach = 4096;
    const auto behind = addresses_.upper_bound(address);
    return behind != addresses_.begin() && address - *std::prev(behind) < kReach;
  }

 private:
  bool tells(const CodeStep& step) const {
    const ZydisMnemonic mnemonic = step.instruction.mnemonic;
    if (mnemonic != ZYDIS_MNEMONIC_CALL && mnemonic != ZYDIS_MNEMONIC_JMP) return false;
    const ZydisDecodedOperand& operand = step.operands[0];
    const std::optional<uint64_t> target = address_in(step, operand);
    if (!target) return false;
    return is_relative(operand) ? map_.tells(*target) : stubs_.contains(*target);
  }

  // Addresses that the function knows of may be told.
  void note_address(const CodeStep& step) {
    for (const ZydisDecodedOperand& operand : step.visible()) {
      const bool is_address =
          operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.type == ZYDIS_MEMOP_TYPE_AGEN;
      if (is_address && is_relative(operand)) addresses_.insert(*address_in(step, operand));
      if (operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE) addresses_.insert(operand.imm.value.u);
    }
  }

  void note_access(const CodeStep& step, const ZydisDecodedOperand& operand) {
    const ZydisMnemonic mnemonic = step.instruction.mnemonic;
    const bool leaves = step.instruction.meta.category == ZYDIS_CATEGORY_CALL ||
                        step.instruction.meta.category == ZYDIS_CATEGORY_UNCOND_BR ||
                        mnemonic == ZYDIS_MNEMONIC_NOP;
    const bool is_thread_local =
        operand.mem.segment == ZYDIS_REGISTER_FS || operand.mem.segment == ZYDIS_REGISTER_GS;
    if (leaves || is_thread_local || is_own(operand)) return;
    if (is_relative(operand)) {
      const uint64_t address = *address_in(step, operand);
      if (!map_.is_written(address)) return;
      static_accesses_.try_emplace(address, step.address);
    }
    if (first_access_ == 0) first_access_ = step.address;
    const bool is_locked = (step.instruction.attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0 ||
                           mnemonic == ZYDIS_MNEMONIC_XCHG;
    if (is_locked && first_locked_ == 0) first_locked_ = step.address;
  }

  // Of the stack, or of constants.
  bool is_own(const ZydisDecodedOperand& operand) const {
    for (const ZydisRegister name : {operand.mem.base, operand.mem.index}) {
      const int number = name == ZYDIS_REGISTER_NONE ? -1 : register_number(name);
      if (number >= 0 && kinds_[static_cast<size_t>(number)] != AddressKind::Unknown) return true;
    }
    return false;
  }

  AddressKind kind_of(const CodeStep& step, const ZydisDecodedOperand& source) const {
    if (source.type == ZYDIS_OPERAND_TYPE_REGISTER) {
      const int number = register_number(source.reg.value);
      return number >= 0 ? kinds_[static_cast<size_t>(number)] : AddressKind::Unknown;
    }
    if (source.type != ZYDIS_OPERAND_TYPE_MEMORY || source.mem.type != ZYDIS_MEMOP_TYPE_AGEN)
      return AddressKind::Unknown;
    if (is_relative(source))
      return map_.is_written(*address_in(step, source)) ? AddressKind::Unknown
                                                        : AddressKind::Constants;
    for (const ZydisRegister name : {source.mem.base, source.mem.index}) {
      const int number = name == ZYDIS_REGISTER_NONE ? -1 : register_number(name);
      if (number >= 0 && kinds_[static_cast<size_t>(number)] != AddressKind::Unknown)
        return kinds_[static_cast<size_t>(number)];
    }
    return AddressKind::Unknown;
  }

  void note_registers(const CodeStep& step) {
    const ZydisMnemonic mnemonic = step.instruction.mnemonic;
    const bool moves = mnemonic == ZYDIS_MNEMONIC_MOV || mnemonic == ZYDIS_MNEMONIC_LEA;
    const bool adds = mnemonic == ZYDIS_MNEMONIC_ADD || mnemonic == ZYDIS_MNEMONIC_SUB ||
                      mnemonic == ZYDIS_MNEMONIC_AND;
    for (const ZydisDecodedOperand& operand : step.visible()) {
      const bool is_written = operand.type == ZYDIS_OPERAND_TYPE_REGISTER &&
                              (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
      const int number = is_written ? register_number(operand.reg.value) : -1;
      if (number < 0 || number == 4) continue;
      AddressKind& kind = kinds_[static_cast<size_t>(number)];
      if (adds) {
        const AddressKind added = kind_of(step, step.operands[1]);
        if (kind == AddressKind::Unknown) kind = added;
      } else {
        kind = moves ? kind_of(step, step.operands[1]) : AddressKind::Unknown;
      }
    }
  }

  const FileMap& map_;
  const std::set<uint64_t>& stubs_;
  std::array<AddressKind, 16> kinds_{};
  bool is_told_ = false;
  uint64_t first_access_ = 0;
  uint64_t first_locked_ = 0;
  std::map<uint64_t, uint64_t> static_accesses_;  // the first place of each
  std::set<uint64_t> addresses_;
};

class StepDecoder {
 public:
  StepDecoder() { ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64); }

  // Calls f(step) from instruction to instruction. False: some byte belongs to none.
  template <typename F>
  bool each(std::span<const uint8_t> bytes, uint64_t address, F&& f) const {
    while (!bytes.empty()) {
      CodeStep step;
      step.address = address;
      ZydisDecoderContext context;
      if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder_, &context, bytes.data(),
                                                      bytes.size(), &step.instruction)) ||
          !ZYAN_SUCCESS(ZydisDecoderDecodeOperands(&decoder_, &context, &step.instruction,
                                                   step.operands,
                                                   step.instruction.operand_count_visible)))
        return false;
      f(step);
      bytes = bytes.subspan(step.instruction.length);
      address += step.instruction.length;
    }
    return true;
  }

 private:
  ZydisDecoder decoder_;
};

// The pieces of code by which a file calls what it imports.
std::set<uint64_t> stubs_that_tell(const ElfFile& file, const FileMap& map,
                                   const StepDecoder& decoder) {
  std::set<uint64_t> stubs;
  for (const Elf64_Shdr& section : file.sections()) {
    if (!file.name(section).starts_with(".plt")) continue;
    uint64_t begin = section.sh_addr;
    decoder.each(file.content<uint8_t>(section), section.sh_addr, [&](const CodeStep& step) {
      const bool jumps = step.instruction.mnemonic == ZYDIS_MNEMONIC_JMP;
      if (step.instruction.mnemonic == ZYDIS_MNEMONIC_ENDBR64) begin = step.address;
      if (!jumps || !is_relative(step.operands[0])) return;
      if (map.tells(*address_in(step, step.operands[0]))) {
        stubs.insert(begin);
        stubs.insert(step.address);
      }
      begin = (step.end() + 15) & ~uint64_t{15};
    });
  }
  return stubs;
}

}  // namespace

std::vector<uint64_t> unseen_code(const std::string& path) {
  std::vector<uint64_t> found;
  const ElfFile file(path);
  const FileMap map(file);
  const StepDecoder decoder;
  const std::set<uint64_t> stubs = stubs_that_tell(file, map, decoder);
  const std::vector<FunctionRange> ranges = function_ranges(file);
  for (const Elf64_Shdr& section : file.sections()) {
    if ((section.sh_flags & SHF_EXECINSTR) == 0 || file.name(section).starts_with(".plt")) continue;
    const std::span<const uint8_t> code = file.content<uint8_t>(section);
    for (const FunctionRange& range : ranges) {
      if (range.begin < section.sh_addr || range.end > section.sh_addr + code.size()) continue;
      SearchedFunction function(map, stubs);
      const bool is_whole =
          decoder.each(code.subspan(range.begin - section.sh_addr, range.end - range.begin),
                       range.begin, [&](const CodeStep& step) { function.take(step); });
      if (const uint64_t first = is_whole ? function.first_unseen() : 0; first != 0)
        found.push_back(first);
    }
  }
  return found;
}

}  // namespace mazurka
