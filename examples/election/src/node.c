#include "node.h"

#include <mazurka/mazurka.h>
#include <unistd.h>

#include "network.h"
#include "trace.h"

void start_node(struct node* node) {
  pthread_mutex_init(&node->lock, NULL);
  node->ballot = load_ballot(node->disk);
  say(node->id, "starts in term %u", node->ballot.term);
}

void crash_point(struct node* node) {
  if (!node->may_crash || node->disk->crashes > 0) return;
  if (mz_toss(1) == 0) return;
  ++node->disk->crashes;
  say(node->id, "crashes");
  _exit(kCrashed);
}

static void serve_one(struct node* node, int fd) {
  struct message request;
  if (receive_message(fd, &request) == 0 && request.kind == kRequestVote)
    answer_request(node, fd, &request);
  close(fd);
}

void serve(struct node* node) {
  while (node->disk->served < node->requests) {
    const int fd = accept_peer(node->listener);
    if (fd < 0) die("accept");
    ++node->disk->served;
    serve_one(node, fd);
  }
}
