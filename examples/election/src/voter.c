// A node votes once in a term, for the first that asks it.
#include "node.h"
#include "trace.h"

// Whether the node votes for the sender. Requires the lock.
static int decide(struct node* node, const struct message* request) {
  struct ballot* ballot = &node->ballot;
  if (request->term < ballot->term) return 0;
  if (request->term > ballot->term) {
    ballot->term = request->term;
    ballot->voted_for = kNobody;
  }
  if (ballot->voted_for != kNobody && ballot->voted_for != request->from) return 0;
  ballot->voted_for = request->from;
  return 1;
}

int answer_request(struct node* node, int fd, const struct message* request) {
  pthread_mutex_lock(&node->lock);
  const int granted = decide(node, request);
  const struct ballot ballot = node->ballot;
  pthread_mutex_unlock(&node->lock);
  const struct message answer = {kAnswer, ballot.term, node->id, granted};
  say(node->id, "%s node %d in term %u", granted ? "votes for" : "does not vote for", request->from,
      request->term);
  const int sent = send_message(fd, &answer);
  crash_point(node);
  store_ballot(node->disk, ballot);  // too late: the answer is out
  return sent;
}
