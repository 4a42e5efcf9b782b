// The election of a leader among three nodes, as in Raft: whoever has the votes of a majority in a
// term leads in that term. Each node is a process; they talk by TCP. Nodes 0 and 1 stand for
// election in the same term; node 2 only votes, and may crash once: then it is started again, with
// what its disk has.
#include <mazurka/mazurka.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "network.h"
#include "node.h"
#include "trace.h"

enum { kCandidates = 2, kTerm = 1 };

struct cluster {
  struct disk* disks;
  int listeners[kNodes];
  int results[kCandidates][2];  // pipes: each candidate says whether it has won
  int stop[2];                  // a pipe that is closed when all is over
};

static void* serve_all(void* node) {
  serve(node);
  return NULL;
}

static void report_result(struct cluster* cluster, int id, int has_won) {
  const char result = (char)has_won;
  if (write(cluster->results[id][1], &result, 1) != 1) die("write");
}

// A node goes on until the cluster is stopped: until then others may still want to talk to it.
static void wait_for_stop(struct cluster* cluster) {
  char nothing;
  while (read(cluster->stop[0], &nothing, 1) > 0) continue;
}

static void stand_and_serve(struct cluster* cluster, struct node* node) {
  pthread_t server;
  stand_for_election(node, kTerm);
  if (pthread_create(&server, NULL, serve_all, node) != 0) die("pthread_create");
  const int has_won = campaign(node);
  if (has_won) say(node->id, "leads in term %u", kTerm);
  pthread_join(server, NULL);
  hang_up(node);
  report_result(cluster, node->id, has_won);
}

static void run_node(struct cluster* cluster, int id) {
  struct node node;
  memset(&node, 0, sizeof node);
  node.id = id;
  node.listener = cluster->listeners[id];
  node.is_candidate = id < kCandidates;
  node.may_crash = !node.is_candidate;
  node.requests = kCandidates - node.is_candidate;  // one from each other candidate
  node.disk = &cluster->disks[id];
  start_node(&node);
  if (node.is_candidate) {
    stand_and_serve(cluster, &node);
  } else {
    serve(&node);
  }
  wait_for_stop(cluster);
}

static int fork_node(struct cluster* cluster, int id) {
  const int pid = fork();
  if (pid < 0) die("fork");
  if (pid > 0) return pid;
  close(cluster->stop[1]);
  run_node(cluster, id);
  _exit(0);
}

// The one who starts a machine again when it has crashed.
static void keep_running(struct cluster* cluster, int id) {
  int status = 0;
  do {
    const int pid = fork_node(cluster, id);
    if (waitpid(pid, &status, 0) != pid) die("waitpid");
  } while (WIFEXITED(status) && WEXITSTATUS(status) == kCrashed);
}

static void fork_keeper(struct cluster* cluster, int id) {
  const int pid = fork();
  if (pid < 0) die("fork");
  if (pid > 0) return;
  close(cluster->stop[1]);
  keep_running(cluster, id);
  _exit(0);
}

// Election safety: in one term there is one leader at most.
static void check_results(struct cluster* cluster) {
  int leaders = 0;
  for (int i = 0; i < kCandidates; ++i) {
    char result;
    if (read(cluster->results[i][0], &result, 1) != 1) die("read");
    leaders += result;
  }
  mz_assert(leaders <= 1);
}

static void stop_cluster(struct cluster* cluster) {
  close(cluster->stop[1]);
  while (wait(NULL) > 0) continue;
}

int main(int argc, char** argv) {
  struct cluster cluster;
  is_verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
  cluster.disks = make_disks(kNodes);
  if (pipe(cluster.stop) != 0) die("pipe");
  for (int i = 0; i < kCandidates; ++i) {
    if (pipe(cluster.results[i]) != 0) die("pipe");
  }
  // The voter is there first, and has nobody else's socket; then all the candidates listen, and
  // then they begin.
  for (int i = kCandidates; i < kNodes; ++i) {
    cluster.listeners[i] = listen_as(i);
    fork_keeper(&cluster, i);
  }
  for (int i = 0; i < kCandidates; ++i) cluster.listeners[i] = listen_as(i);
  for (int i = 0; i < kCandidates; ++i) fork_node(&cluster, i);
  check_results(&cluster);
  stop_cluster(&cluster);
  return 0;
}
