// The file system of POPL'05: each of NUMBER threads looks for a free block for its inode, both
// under locks: filesystem NUMBER
#include <pthread.h>
#include <stdlib.h>

enum { kInodes = 32, kBlocks = 26 };

static pthread_mutex_t inode_locks[kInodes];
static int inodes[kInodes];
static pthread_mutex_t block_locks[kBlocks];
static int busy[kBlocks];

static int take_block(int b) {
  pthread_mutex_lock(&block_locks[b]);
  const int is_free = !busy[b];
  busy[b] = 1;
  pthread_mutex_unlock(&block_locks[b]);
  return is_free;
}

static void* create_file(void* number) {
  const int i = (int)(long)number % kInodes;
  pthread_mutex_lock(&inode_locks[i]);
  if (inodes[i] == 0) {
    int b = i * 2 % kBlocks;
    while (!take_block(b)) b = (b + 1) % kBlocks;
    inodes[i] = b + 1;
  }
  pthread_mutex_unlock(&inode_locks[i]);
  return NULL;
}

int main(int argc, char** argv) {
  const int number = argc > 1 ? atoi(argv[1]) : 14;
  pthread_t threads[kInodes];
  if (number < 1 || number > kInodes) return 2;
  for (int i = 0; i < kInodes; ++i) pthread_mutex_init(&inode_locks[i], NULL);
  for (int i = 0; i < kBlocks; ++i) pthread_mutex_init(&block_locks[i], NULL);
  for (long i = 0; i < number; ++i) pthread_create(&threads[i], NULL, create_file, (void*)i);
  for (int i = 0; i < number; ++i) pthread_join(threads[i], NULL);
  return 0;
}
