#include "message.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum { kMark = 0xE7, kFrameBytes = 10, kCheckAt = 8 };

// The sum of Fletcher, over all that comes before it.
static uint16_t check_of(const uint8_t* frame) {
  unsigned low = 1, high = 0;
  for (size_t i = 0; i < kCheckAt; ++i) {
    low = (low + frame[i]) % 255;
    high = (high + low) % 255;
  }
  return (uint16_t)(high << 8 | low);
}

static void encode(const struct message* message, uint8_t* frame) {
  frame[0] = kMark;
  frame[1] = (uint8_t)message->kind;
  for (int i = 0; i < 4; ++i) frame[2 + i] = (uint8_t)(message->term >> (24 - 8 * i));
  frame[6] = (uint8_t)message->from;
  frame[7] = (uint8_t)message->granted;
  const uint16_t check = check_of(frame);
  frame[kCheckAt] = (uint8_t)(check >> 8);
  frame[kCheckAt + 1] = (uint8_t)check;
}

static int decode(const uint8_t* frame, struct message* message) {
  const uint16_t check = check_of(frame);
  if (frame[0] != kMark || frame[kCheckAt] != check >> 8 || frame[kCheckAt + 1] != (check & 0xff))
    return -1;
  if (frame[1] != kRequestVote && frame[1] != kAnswer) return -1;
  message->kind = (enum message_kind)frame[1];
  message->term = 0;
  for (int i = 0; i < 4; ++i) message->term = message->term << 8 | frame[2 + i];
  message->from = frame[6];
  message->granted = frame[7];
  return 0;
}

// A peer that has closed its end is no reason to die: hence MSG_NOSIGNAL.
int send_message(int fd, const struct message* message) {
  uint8_t frame[kFrameBytes];
  encode(message, frame);
  for (size_t done = 0; done < sizeof frame;) {
    const ssize_t sent = send(fd, frame + done, sizeof frame - done, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return -1;
    done += (size_t)sent;
  }
  return 0;
}

// A stream knows no frames: what one call sends may come in parts.
int receive_message(int fd, struct message* message) {
  uint8_t frame[kFrameBytes];
  for (size_t done = 0; done < sizeof frame;) {
    const ssize_t received = recv(fd, frame + done, sizeof frame - done, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return -1;
    done += (size_t)received;
  }
  return decode(frame, message);
}
