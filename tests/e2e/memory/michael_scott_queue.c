// A Michael-Scott queue; each of the threads appends a node and takes one.
// check: verdict=ok executions=222 compare=no
// check BROKEN: verdict=error findings=assertion,crash builds=one compare=no
#include <stdatomic.h>
#include <stdlib.h>

#include "parallel.h"

struct Node {
  int value;
  _Atomic(struct Node*) next;
};
struct Node nodes[3];
_Atomic(struct Node*) head = &nodes[2], tail = &nodes[2];
int taken[2];

void append(struct Node* node) {
  for (;;) {
    struct Node* last = tail;
    struct Node* next = last->next;
    if (last != tail) continue;
    if (next != NULL) {
      atomic_compare_exchange_strong(&tail, &last, next);
      continue;
    }
#ifdef BROKEN
    last->next = node;  // the end may be elsewhere by now
    tail = node;
    return;
#endif
    if (atomic_compare_exchange_strong(&last->next, &next, node)) {
      atomic_compare_exchange_strong(&tail, &last, node);
      return;
    }
  }
}

int take(void) {
  for (;;) {
    struct Node* first = head;
    struct Node* last = tail;
    struct Node* next = first->next;
    if (first != head) continue;
    if (first == last) {
      if (next == NULL) return 0;
      atomic_compare_exchange_strong(&tail, &last, next);
      continue;
    }
    const int value = next->value;  // mazurka: crash
    if (atomic_compare_exchange_strong(&head, &first, next)) return value;
  }
}

void* work(void* number) {
  const long me = (long)number;
  nodes[me].value = 1 << me;
  append(&nodes[me]);
  taken[me] = take();
  return NULL;
}

int main(int count, char** arguments) {
  all(2, work);
  assert(taken[0] + taken[1] == 3);  // mazurka: assertion
}
