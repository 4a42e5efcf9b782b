#include "runtime/channels/shown_data.h"

#include "protocol/shown_data.h"
#include "runtime/core/state.h"

namespace mazurka {
namespace {

bool are_wanted(ssize_t written) {
  return state.scheduling && segment().plan.stacks && written > 0 && segment().log.step_count > 0;
}

// Where it was no transition of its own (nobody else was there), there is no step to tell it of.
void keep(const char* digits) {
  Segment& s = segment();
  LoggedStep& step = s.steps[s.log.step_begin + s.log.step_count - 1];
  const OpKind kind = step.op.kind;
  const bool is_write =
      kind == OpKind::ChannelWrite || kind == OpKind::QueueSend || kind == OpKind::DatagramSend;
  if (step.choice.thread == state.current && is_write) step.text = add_text(digits);
}

char* add_digits(const void* bytes, size_t count, char* to) {
  constexpr char kDigits[] = "0123456789abcdef";
  const auto* from = static_cast<const unsigned char*>(bytes);
  for (size_t i = 0; i < count; ++i) {
    *to++ = kDigits[from[i] >> 4];
    *to++ = kDigits[from[i] & 15];
  }
  return to;
}

}  // namespace

void show_data(const void* bytes, ssize_t written) {
  const iovec all{const_cast<void*>(bytes), written > 0 ? static_cast<size_t>(written) : 0};
  show_data(&all, 1, written);
}

void show_data(const iovec* parts, size_t count, ssize_t written) {
  if (!are_wanted(written)) return;
  char digits[2 * kMostShownData + 1];
  char* end = digits;
  auto left =
      static_cast<size_t>(written) < kMostShownData ? static_cast<size_t>(written) : kMostShownData;
  for (size_t i = 0; i < count && left > 0; ++i) {
    const size_t length = parts[i].iov_len < left ? parts[i].iov_len : left;
    end = add_digits(parts[i].iov_base, length, end);
    left -= length;
  }
  *end = '\0';
  keep(digits);
}

}  // namespace mazurka
