// TCP on this machine: node i listens on port 7101 + i.
#ifndef NETWORK_H
#define NETWORK_H

// A socket that listens for the node. Ends the program if that is impossible.
int listen_as(int node);
// A connection from whoever comes next, or -1.
int accept_peer(int listener);
// A socket for a connection.
int make_socket(void);
// Connects it to the node. -1: that does not listen.
int connect_to(int fd, int node);

#endif
