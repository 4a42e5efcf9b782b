// expect: verdict=incomplete
// A descriptor that is passed over a socket works, but has no model from then on; the report names
// it.
#include <assert.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  int ends[2], sockets[2], got;
  char byte = 'x', control[CMSG_SPACE(sizeof(int))];
  assert(pipe(ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
  struct iovec part = {&byte, 1};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  struct cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &ends[1], sizeof(int));
  assert(sendmsg(sockets[0], &message, 0) == 1 && recvmsg(sockets[1], &message, 0) == 1);
  memcpy(&got, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(int));
  assert(write(got, "y", 1) == 1 && read(ends[0], &byte, 1) == 1 && byte == 'y');
  return 0;
}
