/* A variable of a shared library: a program that is not position independent gets a copy of it. */
#pragma once

#include <pthread.h>

struct table {
  int seats;
  pthread_mutex_t forks[5];
};

extern struct table table;
