// What nodes say to each other: a request for a vote, and the answer. On the wire a message is a
// frame of ten bytes: a mark, kind, term (four bytes, the highest first), sender, what was granted,
// and a check of two bytes.
#ifndef MESSAGE_H
#define MESSAGE_H

enum message_kind { kRequestVote = 1, kAnswer = 2 };

struct message {
  enum message_kind kind;
  unsigned term;
  int from;
  int granted;  // of an answer
};

// 0, or -1: the peer is gone. A frame that is damaged is a peer that is gone.
int send_message(int fd, const struct message* message);
int receive_message(int fd, struct message* message);

#endif
