// What a node keeps when it crashes. The disk of each node is a page of memory that its processes
// share; a process of the node sees what the one before it has stored.
#ifndef DISK_H
#define DISK_H

enum { kNobody = -1 };

// All that Raft wants to survive an election.
struct ballot {
  unsigned term;
  int voted_for;  // in that term
};

struct disk {
  struct ballot ballot;
  unsigned check;  // of the ballot: half a write is no write
  int served;      // requests that came in, of those that will come
  int crashes;
};

// Disks for so many nodes, empty.
struct disk* make_disks(int count);
// The ballot is on the disk when it returns.
void store_ballot(struct disk* disk, struct ballot ballot);
struct ballot load_ballot(const struct disk* disk);

#endif
