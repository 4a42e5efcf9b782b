// The things that are collected.
#ifndef ROBOTS_OBJECT_H
#define ROBOTS_OBJECT_H

enum { NO_OBJECT = 0 };

// Numbered from 1 in the order in which they come down the chute.
typedef int Object;

#endif
