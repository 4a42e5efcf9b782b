// check: verdict=incomplete
#include <sys/inotify.h>
#include <unistd.h>

int main(void) { close(inotify_init()); }
