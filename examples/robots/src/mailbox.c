#include "mailbox.h"

#include <mazurka/mazurka.h>
#include <string.h>

// Counts the messages that were sent and not received.
static Semaphore semaphore_of(Side side) { return side == LEFT ? SEM_WORK_LEFT : SEM_WORK_RIGHT; }

void mailbox_clear(Mailbox* mailbox, Side side) {
  memset(mailbox, 0, sizeof *mailbox);
  mailbox->side = side;
}

void mailbox_send(Mailbox* mailbox, Message message) {
  mz_assert(mailbox->sent < MAILBOX_PLACES);
  mailbox->messages[mailbox->sent++] = message;
  semaphore_post(semaphore_of(mailbox->side));
}

Message mailbox_receive(Mailbox* mailbox) {
  semaphore_wait(semaphore_of(mailbox->side));
  return mailbox->messages[mailbox->received++];
}
