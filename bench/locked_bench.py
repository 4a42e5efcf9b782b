#!/usr/bin/env python3
"""What an atomic operation costs in code that nobody rebuilt, against one of mazurka-cc: processor time of the same samples, in turn.

    locked_bench.py MAZURKA [ROUNDS]

Three programs of two threads: read-modify-writes (jumps), the same where a trap must stand, and loads that are learned. For each: nanoseconds
for an operation of either build, and the ratio. It has the search in it, which is the same for both.
"""

import pathlib
import resource
import subprocess
import sys
import tempfile

OPERATIONS = 200
SAMPLES = 3000
PROGRAM = """#include <pthread.h>
static int word;
static void* works(void* unused) {
  int sum = 0;
  for (int i = 0; i < %d; ++i) { %s; }
  return (void*)(long)sum;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, works, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
}
"""
ROWS = (
    ("read-modify-write", "__atomic_fetch_add(&word, 1, 5)"),
    ("the same, by a trap", '__asm__ volatile("lock; incl (%0); 1: cmp %%rsp, %%rsp; jne 1b" :: "r"(&word) : "memory", "cc")'),
    ("load", "if (i == 0) __atomic_fetch_add(&word, 1, 5); sum += __atomic_load_n(&word, 5)"),
)


def cost(mazurka, program, folder, executions):
    command = [mazurka, "check", "--search=random", "--keep-going", "--jobs=1", f"--max-executions={executions}", f"--schedules={folder}", "--", program]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    mazurka = pathlib.Path(sys.argv[1]).resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as folder:
        for name, step in ROWS:
            source = pathlib.Path(folder, "program.c")
            source.write_text(PROGRAM % (OPERATIONS, step))
            best = {}
            for compiler in ("gcc", mazurka.with_name("mazurka-cc")):
                subprocess.run([compiler, "-O1", "-g", "-pthread", source, "-o", pathlib.Path(folder, compiler if compiler == "gcc" else "told")], check=True)
            for _ in range(rounds):
                for program in ("gcc", "told"):
                    # What starting costs goes away.
                    took = cost(mazurka, f"./{program}", folder, SAMPLES) - cost(mazurka, f"./{program}", folder, SAMPLES // 10)
                    best[program] = min(best.get(program, took), took)
            ns = {program: 1e9 * took / (0.9 * SAMPLES * 2 * OPERATIONS) for program, took in best.items()}
            if step == ROWS[1][1]:
                print(f"{name:24} {ns['gcc']:8.0f} ns (instrumented code has no such thing)")
            else:
                print(f"{name:24} {ns['gcc']:8.0f} ns, instrumented {ns['told']:8.0f} ns, ratio {ns['gcc'] / ns['told']:.2f}")


if __name__ == "__main__":
    main()
