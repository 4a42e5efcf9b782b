/* The names that VeriSoft gave to these calls: programs written for it need not change. See
 * mazurka.h. */
#ifndef MAZURKA_VERISOFT_H
#define MAZURKA_VERISOFT_H

#include <mazurka/mazurka.h>

/* int VS_toss(int n): each number from 0 to n, both included. */
#define VS_toss(n) mz_toss(n)

/* void VS_assert(condition): what must hold whenever the program gets here. */
#define VS_assert(condition) mz_assert(condition)

#endif
