// One node of the cluster: its ballot in memory, its disk, its socket. A node answers requests for
// votes (voter.c), and may stand for election itself at the same time (candidate.c).
#ifndef NODE_H
#define NODE_H

#include <pthread.h>

#include "disk.h"
#include "message.h"

enum { kNodes = 3, kMajority = 2 };
enum { kCrashed = 42 };  // the status of a process that crashed on purpose

struct node {
  int id;
  int listener;
  int is_candidate;
  int may_crash;
  int requests;       // that will come in
  int calls[kNodes];  // sockets of a candidate, one for each peer
  struct disk* disk;
  pthread_mutex_t lock;  // protects the ballot
  struct ballot ballot;
};

// Takes up what is on the disk.
void start_node(struct node* node);
// Where a machine may lose its power. Whether it does is the environment's choice, once.
void crash_point(struct node* node);

// Answers all the requests that will come in.
void serve(struct node* node);
// Decides on a request, and answers it. -1: the candidate is gone.
int answer_request(struct node* node, int fd, const struct message* request);

// A new term, and the node's own vote in it; and sockets for its calls. Before anybody else can ask
// it.
void stand_for_election(struct node* node, unsigned term);
// Asks the others for their votes. Whether it has won.
int campaign(struct node* node);
void hang_up(struct node* node);

#endif
