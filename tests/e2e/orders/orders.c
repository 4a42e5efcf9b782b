// What a thread did before an operation comes before what another does after one that it let go on:
// no race, whichever operations they are; and a race where nothing is ordered. orders_test.py runs
// each of the ways.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int data;                    // plain: given by one thread, taken by the other
static __thread volatile int sink;  // so that no read is taken away
static pthread_t giver, taker;

static void write_data(void) { data = 1; }
static void read_data(void) { sink = data; }

// --- nothing at all: the only race

static void nothing(void) {}

// --- join

static void give_end(void) { write_data(); }
static void take_end(void) {
  pthread_join(giver, NULL);
  read_data();
}

// --- locks

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void both_lock(void) {
  pthread_mutex_lock(&mutex);
  data = data + 1;
  pthread_mutex_unlock(&mutex);
}

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static void write_locked(void) {
  pthread_rwlock_wrlock(&rwlock);
  write_data();
  pthread_rwlock_unlock(&rwlock);
}
static void read_locked(void) {
  pthread_rwlock_rdlock(&rwlock);
  read_data();
  pthread_rwlock_unlock(&rwlock);
}

static int file_of(const char* name) { return open(name, O_RDWR | O_CREAT, 0600); }
static void both_lock_file(void) {
  const int file = file_of("orders.lock");
  flock(file, LOCK_EX);
  data = data + 1;
  flock(file, LOCK_UN);
}

// --- conditions: what was done before the wait, and before the wake

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_ready, is_waiting;
static void wake(void) {
  pthread_mutex_lock(&mutex);
  sink = is_waiting;
  is_ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
}
static void wait_for_wake(void) {
  pthread_mutex_lock(&mutex);
  is_waiting = 1;
  while (!is_ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
}

// --- barriers and semaphores

static pthread_barrier_t barrier;
static void make_barrier(void) { pthread_barrier_init(&barrier, NULL, 2); }
static void give_at_barrier(void) {
  write_data();
  pthread_barrier_wait(&barrier);
}
static void take_at_barrier(void) {
  pthread_barrier_wait(&barrier);
  read_data();
}

static sem_t semaphore;
static void make_semaphore(void) { sem_init(&semaphore, 0, 0); }
static void post(void) {
  write_data();
  sem_post(&semaphore);
}
static void take_post(void) {
  sem_wait(&semaphore);
  read_data();
}

static int set;
static void make_set(void) { set = semget(IPC_PRIVATE, 1, 0600); }
static void change_set(int by) {
  struct sembuf change = {.sem_num = 0, .sem_op = (short)by};
  semop(set, &change, 1);
}
static void add_to_set(void) {
  write_data();
  change_set(1);
}
static void set_set(void) {
  write_data();
  semctl(set, 0, SETVAL, 1);
}
static void take_from_set(void) {
  change_set(-1);
  read_data();
}
static void look_at_set(void) {
  if (semctl(set, 0, GETVAL) == 1) read_data();
}

// --- once

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void both_once(void) {
  pthread_once(&once, write_data);
  read_data();
}

// --- atomic variables

static atomic_int flag;
static void store_flag(void) {
  write_data();
  atomic_store_explicit(&flag, 1, memory_order_release);
}
static void load_flag(void) {
  if (atomic_load_explicit(&flag, memory_order_acquire) == 1) read_data();
}
static void update_flag(void) {
  write_data();
  atomic_fetch_add_explicit(&flag, 1, memory_order_release);
}
static void exchange_flag(void) {
  int expected = 1;
  if (atomic_compare_exchange_strong_explicit(&flag, &expected, 2, memory_order_acquire,
                                              memory_order_relaxed))
    read_data();
}
static void load_relaxed(void) {
  if (atomic_load_explicit(&flag, memory_order_relaxed) == 1) read_data();
}

// --- messages

static int ends[2];
static void make_pipe(void) {
  if (pipe(ends) != 0) _exit(2);
}
static void send_byte(void) {
  write_data();
  if (write(ends[1], "x", 1) != 1) _exit(2);
}
static void receive_byte(void) {
  char byte;
  if (read(ends[0], &byte, 1) == 1) read_data();
}
static void close_pipe(void) {
  write_data();
  close(ends[1]);
}
static void receive_end(void) {
  char byte;
  if (read(ends[0], &byte, 1) == 0) read_data();
}

static void take_away_reader(void) {
  write_data();
  close(ends[0]);
}
static void write_to_nobody(void) {
  signal(SIGPIPE, SIG_IGN);
  if (write(ends[1], "x", 1) < 0) read_data();
}
static void poll_pipe(void) {
  struct pollfd in = {.fd = ends[0], .events = POLLIN};
  if (poll(&in, 1, -1) == 1) read_data();
}
static void poll_in_vain(void) {
  struct pollfd in = {.fd = ends[0], .events = POLLIN};
  if (poll(&in, 1, 0) == 0) read_data();
}
static void make_pair(void) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) _exit(2);
}
static void shut_down(void) {
  write_data();
  shutdown(ends[1], SHUT_WR);
}

// Two who write: that one of them leaves is no news for who reads.
static int second_writer;
static void make_fifo(void) {
  if (mkfifo("orders.fifo", 0600) != 0) _exit(2);
  ends[0] = open("orders.fifo", O_RDONLY | O_NONBLOCK);
  ends[1] = open("orders.fifo", O_WRONLY);
  second_writer = open("orders.fifo", O_WRONLY);
  if (write(ends[1], "x", 1) != 1) _exit(2);
}
static void close_second_writer(void) {
  write_data();
  close(second_writer);
}

static int queue;
struct Note {
  long type;
  char text[1];
};
static void make_queue(void) { queue = msgget(IPC_PRIVATE, 0600); }
static void send_note(void) {
  const struct Note note = {1, "x"};
  write_data();
  msgsnd(queue, &note, 1, 0);
}
static void receive_note(void) {
  struct Note note;
  msgrcv(queue, &note, 1, 0, 0);
  read_data();
}

static int server;
static const struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "\0orders"};
static const socklen_t address_size = offsetof(struct sockaddr_un, sun_path) + 7;
static void make_server(void) {
  server = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(server, (const struct sockaddr*)&address, address_size) != 0) _exit(2);
  listen(server, 1);
}
static void connect_to_server(void) {
  const int client = socket(AF_UNIX, SOCK_STREAM, 0);
  write_data();
  if (connect(client, (const struct sockaddr*)&address, address_size) != 0) _exit(2);
}
static void accept_client(void) {
  accept(server, NULL, NULL);
  read_data();
}

// --- signals

static void block_signal(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
}
static void send_signal(void) {
  write_data();
  kill(getpid(), SIGUSR1);
}
static void wait_for_signal(void) {
  sigset_t signals;
  int signal;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  sigwait(&signals, &signal);
  read_data();
}

// --- names

static const key_t kKey = 4711;
static void make_name(void) {
  write_data();
  semget(kKey, 1, IPC_CREAT | IPC_EXCL | 0600);
}
static void open_name(void) {
  if (semget(kKey, 1, 0) >= 0) read_data();
}

// --- processes

static int* shared;
static void make_shared(void) {
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}
static void wait_for_child(void) {
  const pid_t child = fork();
  if (child == 0) {
    *shared = 1;
    _exit(0);
  }
  waitpid(child, NULL, 0);
  sink = *shared;
}

static void make_shared_pipe(void) {
  make_shared();
  make_pipe();
}
static void read_after_child(void) {
  const pid_t child = fork();
  if (child == 0) {
    *shared = 1;
    _exit(0);
  }
  close(ends[1]);
  char byte;
  if (read(ends[0], &byte, 1) == 0) sink = *shared;
  waitpid(child, NULL, 0);
}

static void make_shared_set(void) {
  make_shared();
  make_set();
  semctl(set, 0, SETVAL, 1);
}
static void take_with_undo(void) {
  struct sembuf change = {.sem_num = 0, .sem_op = -1, .sem_flg = SEM_UNDO};
  semop(set, &change, 1);
  *shared = *shared + 1;
}
static void take_after_undo(void) {
  const pid_t child = fork();
  if (child == 0) {
    take_with_undo();
    _exit(0);
  }
  take_with_undo();
  change_set(1);
  waitpid(child, NULL, 0);
}

// --- ends of threads

static void make_robust(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
}
static void leave_locked(void) {
  pthread_mutex_lock(&mutex);
  data = data + 1;
}

static void* leave_data(void* unused) {
  write_data();
  return unused;
}
static void end_by_last_thread(void) {
  const pid_t child = fork();
  if (child == 0) {
    pthread_t thread;
    atexit(read_data);
    pthread_create(&thread, NULL, leave_data, NULL);
    pthread_detach(thread);
    pthread_exit(NULL);
  }
  waitpid(child, NULL, 0);
}

// --- ends of processes with what they hold: a robust mutex that they share. A child gives, and
// dies.

static pthread_mutex_t* common;
static void make_common(void) {
  pthread_mutexattr_t attributes;
  make_shared();
  common = mmap(NULL, sizeof *common, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(common, &attributes);
}
static void use_common(void) {
  pthread_mutex_lock(common);
  *shared = *shared + 1;
}
static void die_by_parent(void) { pause(); }
static void child_ends_by(void (*end)(void)) {
  const pid_t child = fork();
  if (child == 0) {
    use_common();
    end();
    _exit(0);
  }
  if (end == die_by_parent) kill(child, SIGTERM);
  use_common();
  pthread_mutex_consistent(common);
  pthread_mutex_unlock(common);
  waitpid(child, NULL, 0);
}

static void* use_common_and_wait(void* unused) {
  use_common();
  pause();
  return unused;
}
static void become_another(void) { execl("/bin/true", "true", (char*)NULL); }
static void exec_beside_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, use_common_and_wait, NULL);
  become_another();
}
static void child_becomes_another(void) {
  const pid_t child = fork();
  if (child == 0) exec_beside_thread();
  use_common();
  pthread_mutex_consistent(common);
  pthread_mutex_unlock(common);
  waitpid(child, NULL, 0);
}

static void fail_an_assertion(void) { assert(sink != sink); }
static void misuse_a_mutex(void) {
  pthread_mutex_t destroyed = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_destroy(&destroyed);
  pthread_mutex_lock(&destroyed);
}
static void lock_no_mutex(void) {
  pthread_mutex_t never_made;
  memset(&never_made, 0x55, sizeof never_made);
  pthread_mutex_lock(&never_made);
}
static void die_by_signal(void) { raise(SIGTERM); }
static void child_ends(void) { child_ends_by(nothing); }
static void child_aborts(void) { child_ends_by(abort); }
static void child_fails(void) { child_ends_by(fail_an_assertion); }
static void child_locks_nothing(void) { child_ends_by(lock_no_mutex); }
static void child_misuses(void) { child_ends_by(misuse_a_mutex); }
static void child_is_stopped(void) { child_ends_by(die_by_parent); }
static void child_is_killed(void) { child_ends_by(die_by_signal); }

// A way that begins "unordered" must have a race, one that begins "fails" has another finding.
static const struct Way {
  const char* name;
  void (*set_up)(void);
  void (*give)(void);
  void (*take)(void);
} ways[] = {
    {"unordered: nothing", nothing, write_data, read_data},
    {"join", nothing, give_end, take_end},
    {"mutex", nothing, both_lock, both_lock},
    {"reader-writer lock", nothing, write_locked, read_locked},
    {"flock", nothing, both_lock_file, both_lock_file},
    {"condition", nothing, wake, wait_for_wake},
    {"barrier", make_barrier, give_at_barrier, take_at_barrier},
    {"semaphore", make_semaphore, post, take_post},
    {"semop", make_set, add_to_set, take_from_set},
    {"semctl set", make_set, set_set, take_from_set},
    {"semctl get", make_set, add_to_set, look_at_set},
    {"once", nothing, both_once, both_once},
    {"store and load", nothing, store_flag, load_flag},
    {"update and compare-exchange", nothing, update_flag, exchange_flag},
    {"unordered: relaxed load", nothing, store_flag, load_relaxed},
    {"pipe", make_pipe, send_byte, receive_byte},
    {"end of pipe", make_pipe, close_pipe, receive_end},
    {"broken pipe", make_pipe, take_away_reader, write_to_nobody},
    {"poll", make_pipe, send_byte, poll_pipe},
    {"poll for the end", make_pipe, close_pipe, poll_pipe},
    {"unordered: poll in vain", make_pipe, send_byte, poll_in_vain},
    {"shutdown", make_pair, shut_down, receive_end},
    {"unordered: one of two writers", make_fifo, close_second_writer, receive_byte},
    {"message queue", make_queue, send_note, receive_note},
    {"connection", make_server, connect_to_server, accept_client},
    {"signal", block_signal, send_signal, wait_for_signal},
    {"name", nothing, make_name, open_name},
    {"child", make_shared, wait_for_child, nothing},
    {"end of child", make_shared_pipe, read_after_child, nothing},
    {"undo", make_shared_set, take_after_undo, nothing},
    {"robust mutex", make_robust, leave_locked, leave_locked},
    {"last thread", nothing, end_by_last_thread, nothing},
    {"robust mutex of a process", make_common, child_ends, nothing},
    {"robust mutex and exec", make_common, child_becomes_another, nothing},
    {"fails: robust mutex and abort", make_common, child_aborts, nothing},
    {"fails: robust mutex and assertion", make_common, child_fails, nothing},
    {"fails: robust mutex and misuse", make_common, child_misuses, nothing},
    {"fails: robust mutex and no mutex", make_common, child_locks_nothing, nothing},
    {"robust mutex and kill", make_common, child_is_stopped, nothing},
    {"fails: robust mutex and signal", make_common, child_is_killed, nothing},
};

static void* run_give(void* way) {
  ((const struct Way*)way)->give();
  return NULL;
}
static void* run_take(void* way) {
  ((const struct Way*)way)->take();
  return NULL;
}

int main(int count, char** arguments) {
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
    if (count < 2) puts(ways[i].name);
    if (count < 2 || strcmp(arguments[1], ways[i].name) != 0) continue;
    ways[i].set_up();
    pthread_create(&giver, NULL, run_give, (void*)&ways[i]);
    pthread_create(&taker, NULL, run_take, (void*)&ways[i]);
    if (strcmp(ways[i].name, "join") != 0) pthread_join(giver, NULL);
    pthread_join(taker, NULL);
  }
}
