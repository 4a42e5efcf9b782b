#include "disk.h"

#include <sys/mman.h>

#include "trace.h"

static unsigned check_of(struct ballot ballot) {
  return ballot.term * 2654435761u ^ (unsigned)(ballot.voted_for + 1);
}

struct disk* make_disks(int count) {
  struct disk* disks = mmap(0, (unsigned long)count * sizeof *disks, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (disks == MAP_FAILED) die("mmap");
  for (int i = 0; i < count; ++i) {
    const struct ballot none = {0, kNobody};
    store_ballot(&disks[i], none);
  }
  return disks;
}

void store_ballot(struct disk* disk, struct ballot ballot) {
  disk->ballot = ballot;
  disk->check = check_of(ballot);
}

struct ballot load_ballot(const struct disk* disk) {
  const struct ballot none = {0, kNobody};
  return disk->check == check_of(disk->ballot) ? disk->ballot : none;
}
