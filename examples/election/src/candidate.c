// A candidate votes for itself, and asks the others one after another.
#include <unistd.h>

#include "network.h"
#include "node.h"
#include "trace.h"

void stand_for_election(struct node* node, unsigned term) {
  for (int i = 0; i < kNodes; ++i) node->calls[i] = make_socket();
  node->ballot.term = term;
  node->ballot.voted_for = node->id;
  store_ballot(node->disk, node->ballot);
}

// Whether the answer is a vote for this term.
static int is_vote(const struct message* answer, unsigned term) {
  return answer->kind == kAnswer && answer->term == term && answer->granted;
}

static int ask(struct node* node, int peer, unsigned term) {
  const struct message request = {kRequestVote, term, node->id, 0};
  struct message answer;
  const int fd = node->calls[peer];
  const int granted = connect_to(fd, peer) == 0 && send_message(fd, &request) == 0 &&
                      receive_message(fd, &answer) == 0 && is_vote(&answer, term);
  say(node->id, "node %d %s", peer, granted ? "votes for it" : "does not vote for it");
  return granted;
}

int campaign(struct node* node) {
  const unsigned term = node->ballot.term;
  int votes = 1;
  // All are asked, also where the matter is settled: they learn of the term by it.
  for (int i = 1; i < kNodes; ++i) votes += ask(node, (node->id + i) % kNodes, term);
  return votes >= kMajority;
}

void hang_up(struct node* node) {
  for (int i = 0; i < kNodes; ++i) close(node->calls[i]);
}
