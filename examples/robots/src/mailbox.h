// What the feeder has to say to a robot: that something lies on its side of the table, or that the
// shift is over. A message is written before the robot's semaphore is posted and read after it was
// taken, so each has one owner.
#ifndef ROBOTS_MAILBOX_H
#define ROBOTS_MAILBOX_H

#include <stdbool.h>

#include "geometry.h"
#include "semaphores.h"

enum { MAILBOX_PLACES = 16 };

typedef enum { MESSAGE_OBJECT, MESSAGE_SHIFT_IS_OVER } Message;

typedef struct {
  Side side;
  Message messages[MAILBOX_PLACES];
  int sent;      // the feeder's
  int received;  // the robot's
} Mailbox;

void mailbox_clear(Mailbox* mailbox, Side side);
void mailbox_send(Mailbox* mailbox, Message message);
// Waits for a message.
Message mailbox_receive(Mailbox* mailbox);

#endif
