#include "kinds/sockets/socket_words.h"

#include "kinds/channels/data_text.h"
#include "objects/world.h"

namespace mazurka::socket_words {

std::string address_value(const World& world, ObjectId id, const Namer& names) {
  const Address& address = world.object(id).address;
  if (address.count == 0) return address.is_file ? "nobody is bound to it" : "free";
  std::string text = "bound to";
  for (uint32_t i = 0; i < address.count; ++i)
    text += (i > 0 ? ", " : " ") + names.object(address.entries[i].socket);
  return text;
}

std::string lost(const Operation&, Outcome outcome, const Namer&) {
  return outcome == kOnlyOutcome ? "" : ", lost";
}

std::string sent(const Operation& op, const Effect&, const std::string& said) {
  return sent_text(said, op.value);
}

Why too_many_connect(const Stuck&) { return {"too many wait already to be accepted"}; }

Why nobody_connected(const Stuck&) { return {"nobody has connected"}; }

Why receiver_is_full(const Stuck&) { return {"the receiver has not read what was sent before"}; }

Why other_end_is_closed(const Stuck&) { return {"nobody has opened the other end"}; }

}  // namespace mazurka::socket_words
