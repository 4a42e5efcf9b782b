#include <stdlib.h>

int main(void) {
  char* block = malloc(40);
  free(block);
  free(block);
  return 0;
}
