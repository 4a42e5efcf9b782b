// A bank writes an amount and then a mark that it is valid, to a disk that may refuse or lose
// power: a process with a toss for each block.
#include <mazurka/mazurka.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kAmount = 30 };
typedef enum { AMOUNT, MARK, BLOCKS, POWER_OFF } Block;
typedef enum { WRITTEN, REFUSED, NO_POWER } Result;

typedef struct {
  sem_t asked, answered;
  Block block;
  int value;
  Result result;
  int blocks[BLOCKS];  // what is on it
} Disk;

// --- the system

static Result write_block(Disk* disk, Block block, int value) {
  disk->block = block;
  disk->value = value;
  sem_post(&disk->asked);
  sem_wait(&disk->answered);
  return disk->result;
}

static void save(Disk* disk, int amount) {
  write_block(disk, AMOUNT, amount);
  write_block(disk, MARK, 1);
}

// After the next start.
static void recover(const Disk* disk) {
  if (disk->blocks[MARK] == 1) mz_assert(disk->blocks[AMOUNT] == kAmount);  // mazurka: assertion
}

// --- its environment

static Result attempt(Disk* disk) {
  Result result = (Result)mz_toss(NO_POWER);
  if (result == WRITTEN) disk->blocks[disk->block] = disk->value;
  return result;
}

static void spin(Disk* disk) {
  int has_power = 1;
  for (;;) {
    sem_wait(&disk->asked);
    if (disk->block == POWER_OFF) exit(0);
    disk->result = has_power ? attempt(disk) : NO_POWER;
    has_power = disk->result != NO_POWER;
    sem_post(&disk->answered);
  }
}

int main(void) {
  Disk* disk = mmap(NULL, sizeof *disk, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (disk == MAP_FAILED) return 1;
  sem_init(&disk->asked, 1, 0);
  sem_init(&disk->answered, 1, 0);
  pid_t drive = fork();
  if (drive < 0) return 1;
  if (drive == 0) spin(disk);
  save(disk, kAmount);
  disk->block = POWER_OFF;
  sem_post(&disk->asked);
  waitpid(drive, NULL, 0);
  recover(disk);
  return 0;
}
