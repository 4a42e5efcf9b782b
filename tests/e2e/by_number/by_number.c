// Makes one system call (calls.inc), in one of three ways: by libc's function, by syscall(), by an
// instruction; while another thread could interleave with it. Ends with a status that tells the
// result, so that it is a finding, with all steps.
//
//     by_number NAME function|number|instruction
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/openat2.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include "../past_libc/calls.h"

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

enum { kPage = 4096, kPort = 4711, kStatus = 40 };
enum Way { Function, Number, Instruction };

static int number, file, folder, target, server, client, unbound, epoll, timer;
static int semaphores, queue, memory, made[2], ends[2], others[2], pair[2];
static pid_t child;
static mqd_t messages;
static char bytes[8192] = "bytes";
static void *page, *attached;
static struct stat status;
static struct statx all;
static struct statfs file_system;
static struct pollfd polled;
static struct iovec part = {bytes, 2};
static struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
static struct mmsghdr messages_at_once = {.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}};
static struct timespec a_while = {0, 1000};
static struct timeval no_time;
static struct itimerval interval;
static struct itimerspec times_of_timer = {.it_value = {1, 0}};
static struct rusage usage;
static struct tms used;
static struct sigaction action = {.sa_handler = SIG_IGN};
static struct {
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)(void);
  uint64_t mask;
} kernel_action = {.handler = SIG_IGN};
static sigset_t set, nothing;
static siginfo_t info = {.si_code = SI_QUEUE};
static union sigval value;
static stack_t stack;
static struct sched_param priority;
static cpu_set_t processors;
static struct epoll_event event = {.events = EPOLLIN};
static struct sockaddr_in in = {.sin_family = AF_INET};
static struct sockaddr* address = (struct sockaddr*)&in;
static socklen_t length = sizeof in, four = 4;
static struct sembuf add_one = {0, 1, 0};
static struct {
  long type;
  char text[8];
} note = {1, "x"};
static char* again[] = {"by_number", 0};
static uint64_t clone_arguments[11] = {0, 0, 0, 0, SIGCHLD};
static struct open_how how = {.flags = O_RDWR};
static sem_t go_on;

static fd_set* fds(int fd) {
  static fd_set wanted;
  FD_ZERO(&wanted);
  FD_SET(fd, &wanted);
  return &wanted;
}

static long end_child(long pid) {
  if (pid == 0) _exit(3);
  return pid;
}

static long answer(long result) {
  if (result >= 0 || result < -4095) return result;
  errno = (int)-result;
  return -1;
}

#define SIX(a, b, c, d, e, f, ...) (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f)
static long make_call(long which, enum Way way) {
#define CASE(name, function, ...)                                                      \
  if (which == SYS_##name) {                                                           \
    if (way == Function) return (long)(function);                                      \
    if (way == Number)                                                                 \
      return syscall(SYS_##name, SIX(__VA_OPT__(__VA_ARGS__, ) 0, 0, 0, 0, 0, 0));     \
    return answer(call6(SYS_##name, SIX(__VA_OPT__(__VA_ARGS__, ) 0, 0, 0, 0, 0, 0))); \
  }
#include "calls.inc"
  _exit(2);
}
static long number_of(const char* wanted) {
#undef CASE
#define CASE(name, ...) \
  if (strcmp(wanted, #name) == 0) return SYS_##name;
#include "calls.inc"
  _exit(2);
}

static int is_one_of(const char* name, const char* names) { return strstr(names, name) != 0; }

static void on_signal(int unused) { (void)unused; }

static void prepare_sockets(const char* name) {
  in.sin_port = htons(kPort);
  in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  server = socket(AF_INET, SOCK_STREAM, 0);
  client = socket(AF_INET, SOCK_STREAM, 0);
  unbound = socket(AF_INET, SOCK_STREAM, 0);
  bind(server, address, sizeof in);
  listen(server, 4);
  if (strncmp(name, "accept", 6) == 0) connect(client, address, sizeof in);
  if (strcmp(name, "bind") == 0) in.sin_port = htons(kPort + 1);
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  write(pair[0], "abc", 3);
}

static void prepare(const char* name) {
  struct sigaction handled = {.sa_handler = on_signal};
  sigaction(SIGUSR1, &handled, 0);
  sigaddset(&set, SIGUSR2);
  sem_init(&go_on, 0, 0);
  pipe(ends);
  pipe(others);
  write(ends[1], "abc", 3);
  polled = (struct pollfd){ends[0], POLLIN, 0};
  CPU_SET(0, &processors);
  page = mmap(0, kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memory = shmget(IPC_PRIVATE, kPage, 0600);
  attached = shmat(memory, 0, 0);
  semaphores = semget(IPC_PRIVATE, 1, 0600);
  queue = msgget(IPC_PRIVATE, 0600);
  msgsnd(queue, &note, 1, 0);
  struct mq_attr attributes = {.mq_maxmsg = 4, .mq_msgsize = 16};
  messages = mq_open("/by_number", O_CREAT | O_RDWR, 0600, &attributes);
  mq_send(messages, "y", 1, 0);
  epoll = epoll_create1(0);
  epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event);
  timer = timerfd_create(CLOCK_MONOTONIC, 0);
  prepare_sockets(name);
  file = open("file", O_RDWR | O_CREAT, 0600);
  write(file, "abc", 3);
  target = open("target", O_RDWR | O_CREAT, 0600);
  mkdir("folder", 0700);
  folder = open(".", O_RDONLY | O_DIRECTORY);
  symlink("file", "link");
  if (is_one_of(name, "wait4 waitid")) child = (pid_t)end_child(fork());
}

static pthread_t first;
static int sends, ends_process;

static void* interleave(void* unused) {
  sem_wait(&go_on);
  if (sends) pthread_kill(first, SIGUSR1);
  if (ends_process) _exit(kStatus);
  return unused;
}

int main(int count, char** arguments) {
  if (count < 3) return kStatus;
  const char* const name = arguments[1];
  const enum Way way = *arguments[2] == 'f'   ? Function
                       : *arguments[2] == 'n' ? Number
                                              : Instruction;
  const long which = number_of(name);
  first = pthread_self();
  sends = is_one_of(name, "pause rt_sigsuspend");
  ends_process = strcmp(name, "exit") == 0;
  prepare(name);
  pthread_t thread;
  pthread_create(&thread, 0, interleave, 0);
  sem_post(&go_on);
  errno = 0;
  const long result = make_call(which, way);
  const int error = result == -1 ? errno : 0;
  if (is_one_of(name, "fork vfork clone3")) end_child(result);
  pthread_join(thread, 0);
  return error != 0 ? kStatus + 1 + error % 128 : kStatus;
}
