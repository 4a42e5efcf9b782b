// A Treiber stack; each of the threads pushes a node and pops one.
// check: verdict=ok executions=46
// check BROKEN: verdict=error findings=assertion
#include <stdatomic.h>
#include <stdlib.h>

#include "parallel.h"

struct Node {
  int value;
  struct Node* next;
};
struct Node nodes[2];
_Atomic(struct Node*) top;
int popped[2];

void push(struct Node* node) {
  for (;;) {
    struct Node* old = top;
    node->next = old;
#ifdef BROKEN
    top = node;  // whatever happened since
    return;
#endif
    if (atomic_compare_exchange_strong(&top, &old, node)) return;
  }
}

struct Node* pop(void) {
  for (;;) {
    struct Node* old = top;
    if (old == NULL) return NULL;
    if (atomic_compare_exchange_strong(&top, &old, old->next)) return old;
  }
}

void* work(void* number) {
  const long me = (long)number;
  nodes[me].value = 1 << me;
  push(&nodes[me]);
  struct Node* got = pop();
  assert(got != NULL);  // mazurka: assertion
  popped[me] = got->value;
  return NULL;
}

int main(int count, char** arguments) {
  all(2, work);
  assert(popped[0] + popped[1] == 3);
}
