// A reset in place copies pages. What nearly every execution writes lies side by side, so that
// these are few.
#pragma once

// By `order`, in which the linker sorts them (CMakeLists.txt): 1 begins a page, 2 are small things,
// 3 may be long. Only for what is zero at first.
#define MAZURKA_HOT(order) __attribute__((section(".bss.mazurka_hot." #order)))
