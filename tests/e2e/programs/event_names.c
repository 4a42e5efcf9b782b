// expect: verdict=error findings=assertion
// An event's name has 1 to 255 bytes.
#include <mazurka/mazurka.h>
#include <string.h>

int main(void) {
  char name[257];
  memset(name, 'x', sizeof name);
  name[255] = '\0';
  mz_event(name);
  name[255] = 'x';
  name[256] = '\0';
  switch (mz_toss(2)) {
    case 0:
      mz_event(name);  // mazurka: assertion
      break;
    case 1:
      mz_event("");  // mazurka: assertion
      break;
    default:
      mz_event("x y\n\"z\"");
      break;
  }
  return 0;
}
