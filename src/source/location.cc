#include "source/location.h"

#include <dwarf.h>

namespace mazurka {
namespace {

constexpr size_t kMostOperations = 200;

// The machine of DWARF 5, section 2.5. An operation that is not here makes the variable unknown,
// never wrong.
class Evaluator {
 public:
  Evaluator(const LocationContext& context, Dwarf_Attribute* attribute)
      : context_(context), attribute_(attribute) {}

  std::optional<Location> run(const Dwarf_Op* ops, size_t count) {
    if (count > kMostOperations) return std::nullopt;
    for (size_t i = 0; i < count; ++i) {
      if (!step(ops[i])) return std::nullopt;
      const bool is_last = i + 1 == count;
      if (is_register_ && !is_last) return std::nullopt;  // a variable in pieces
    }
    if (stack_.empty()) return std::nullopt;
    if (is_value_ || is_register_) return Location{.address = std::nullopt, .value = stack_.back()};
    return Location{.address = stack_.back()};
  }

 private:
  bool push(uint64_t value) {
    stack_.push_back(value);
    return true;
  }

  bool push_register(unsigned number, uint64_t offset) {
    if (context_.frame == nullptr || number >= context_.frame->registers.size()) return false;
    const auto value = context_.frame->registers[number];
    return value && push(*value + offset);
  }

  bool pop(uint64_t& value) {
    if (stack_.empty()) return false;
    value = stack_.back();
    stack_.pop_back();
    return true;
  }

  template <typename F>
  bool combine(F&& f) {
    uint64_t b = 0;
    uint64_t a = 0;
    return pop(b) && pop(a) && push(f(a, b));
  }

  bool push_frame_base(uint64_t offset) {
    if (!context_.function) return false;
    Dwarf_Die function = *context_.function;
    Dwarf_Attribute base;
    if (dwarf_attr_integrate(&function, DW_AT_frame_base, &base) == nullptr) return false;
    Dwarf_Op* ops = nullptr;
    size_t count = 0;
    if (dwarf_getlocation_addr(&base, context_.pc, &ops, &count, 1) != 1) return false;
    LocationContext without = context_;
    without.function.reset();  // a frame base that refers to itself would never end
    const auto found = Evaluator(without, &base).run(ops, count);
    if (!found) return false;
    return push((found->address ? *found->address : found->value) + offset);
  }

  bool dereference(size_t size) {
    uint64_t address = 0;
    uint64_t value = 0;
    if (!pop(address) || size > sizeof value || !(*context_.memory)(address, &value, size))
      return false;
    return push(value);
  }

  bool push_indexed_address(const Dwarf_Op& op) {
    Dwarf_Attribute value;
    Dwarf_Addr address = 0;
    if (dwarf_getlocation_attr(attribute_, &op, &value) != 0) return false;
    if (dwarf_formaddr(&value, &address) != 0) return false;
    return push(address + context_.base);
  }

  bool step(const Dwarf_Op& op) {
    const unsigned atom = op.atom;
    if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31) return push(atom - DW_OP_lit0);
    if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
      return push_register(atom - DW_OP_breg0, op.number);
    if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) {
      is_register_ = true;
      return push_register(atom - DW_OP_reg0, 0);
    }
    return constant(op) || arithmetic(op) || place(op);
  }

  bool constant(const Dwarf_Op& op) {
    switch (op.atom) {
      case DW_OP_const1u:
      case DW_OP_const2u:
      case DW_OP_const4u:
      case DW_OP_const8u:
      case DW_OP_constu:
      case DW_OP_consts:
      case DW_OP_const8s:
        return push(op.number);
      case DW_OP_const1s:
        return push(static_cast<uint64_t>(static_cast<int8_t>(op.number)));
      case DW_OP_const2s:
        return push(static_cast<uint64_t>(static_cast<int16_t>(op.number)));
      case DW_OP_const4s:
        return push(static_cast<uint64_t>(static_cast<int32_t>(op.number)));
      case DW_OP_stack_value:
        is_value_ = true;
        return !stack_.empty();
      default:
        return false;
    }
  }

  bool arithmetic(const Dwarf_Op& op) {
    switch (op.atom) {
      case DW_OP_plus_uconst:
        return !stack_.empty() && (stack_.back() += op.number, true);
      case DW_OP_plus:
        return combine([](uint64_t a, uint64_t b) { return a + b; });
      case DW_OP_minus:
        return combine([](uint64_t a, uint64_t b) { return a - b; });
      case DW_OP_mul:
        return combine([](uint64_t a, uint64_t b) { return a * b; });
      case DW_OP_and:
        return combine([](uint64_t a, uint64_t b) { return a & b; });
      case DW_OP_or:
        return combine([](uint64_t a, uint64_t b) { return a | b; });
      case DW_OP_shl:
        return combine([](uint64_t a, uint64_t b) { return b < 64 ? a << b : 0; });
      case DW_OP_dup:
        return !stack_.empty() && push(stack_.back());
      default:
        return false;
    }
  }

  bool place(const Dwarf_Op& op) {
    switch (op.atom) {
      case DW_OP_addr:
        return push(op.number + context_.base);
      case DW_OP_addrx:
      case DW_OP_GNU_addr_index:
        return push_indexed_address(op);
      case DW_OP_form_tls_address:
      case DW_OP_GNU_push_tls_address:
        return context_.thread_block != 0 && !stack_.empty() &&
               (stack_.back() += context_.thread_block, true);
      case DW_OP_fbreg:
        return push_frame_base(op.number);
      case DW_OP_call_frame_cfa:
        return context_.frame != nullptr && context_.frame->cfa != 0 && push(context_.frame->cfa);
      case DW_OP_deref:
        return dereference(sizeof(uint64_t));
      case DW_OP_deref_size:
        return dereference(op.number);
      case DW_OP_regx:
        is_register_ = true;
        return push_register(static_cast<unsigned>(op.number), 0);
      case DW_OP_bregx:
        return push_register(static_cast<unsigned>(op.number), op.number2);
      default:
        return false;
    }
  }

  const LocationContext& context_;
  Dwarf_Attribute* attribute_;
  std::vector<uint64_t> stack_;
  bool is_value_ = false;
  bool is_register_ = false;
};

}  // namespace

std::optional<Location> location_of(Dwarf_Die variable, const LocationContext& context) {
  Dwarf_Attribute attribute;
  if (dwarf_attr_integrate(&variable, DW_AT_const_value, &attribute) != nullptr) {
    Dwarf_Word value = 0;
    if (dwarf_formudata(&attribute, &value) == 0)
      return Location{.address = std::nullopt, .value = value};
    return std::nullopt;
  }
  if (dwarf_attr_integrate(&variable, DW_AT_location, &attribute) == nullptr) return std::nullopt;
  Dwarf_Op* ops = nullptr;
  size_t count = 0;
  const bool known = context.frame != nullptr
                         ? dwarf_getlocation_addr(&attribute, context.pc, &ops, &count, 1) == 1
                         : dwarf_getlocation(&attribute, &ops, &count) == 0;
  if (!known || count == 0) return std::nullopt;
  return Evaluator(context, &attribute).run(ops, count);
}

}  // namespace mazurka
