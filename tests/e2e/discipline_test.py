#!/usr/bin/env python3
"""mazurka check --discipline on small programs: what Stoller's MLD' forbids is found, with the right lines, and nothing else.

discipline_test.py FOLDER; MAZURKA in the environment is the command.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

HEAD = """
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
sem_t s;
int v;
int* p;
static __thread volatile int sink;  // so that no read is taken away
"""
MAIN = """
int main(void) {
  sem_init(&s, 0, 0);
  setup();
  pthread_t t, u;
  pthread_create(&t, 0, a, 0);
  pthread_create(&u, 0, b, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return v < 0;
}
"""

# name: (what main sets up, the first thread, the second, whether it breaks the discipline)
PROGRAMS = {
    # Section 9: an order that a search may not run makes it a violation of MLD; MLD' sees it in any order.
    "section_9": ("", "sem_post(&s); v = 1; /* here */",
                  "sem_wait(&s); pthread_mutex_lock(&m); v = 2; /* here */ pthread_mutex_unlock(&m);", True),
    "one_lock": ("v = 5;", "pthread_mutex_lock(&m); v++; pthread_mutex_unlock(&m);",
                 "pthread_mutex_lock(&m); v++; pthread_mutex_unlock(&m);", False),
    # Ordered by the semaphore, so it is no race; but no lock is held at both.
    "two_locks": ("", "pthread_mutex_lock(&m); v++; /* here */ pthread_mutex_unlock(&m); sem_post(&s);",
                  "sem_wait(&s); pthread_mutex_lock(&n); v++; /* here */ pthread_mutex_unlock(&n);", True),
    "read_only": ("v = 7;", "sink = v;", "sink = v;", False),
    "read_only_heap": ("p = malloc(4); *p = 7;", "sink = *p;", "sink = *p;", False),
    "reader_locks": ("", "pthread_rwlock_rdlock(&rw); sink = v; pthread_rwlock_unlock(&rw);",
                     "pthread_rwlock_wrlock(&rw); v = 1; pthread_rwlock_unlock(&rw);", False),
    "write_under_reader_lock": ("", "pthread_rwlock_rdlock(&rw); v = 1; /* here */ pthread_rwlock_unlock(&rw); sem_post(&s);",
                                "sem_wait(&s); pthread_rwlock_rdlock(&rw); v = 2; /* here */ pthread_rwlock_unlock(&rw);", True),
    # The allocating thread initialises it, with several accesses, before its next operation.
    "initialised_by_allocator": ("", "int* q = malloc(8); q[0] = 1; q[1] = 2; q[0]++; pthread_mutex_lock(&m); p = q;"
                                 " pthread_mutex_unlock(&m); sem_post(&s);",
                                 "sem_wait(&s); pthread_mutex_lock(&m); sink = *p; pthread_mutex_unlock(&m);", False),
    "written_after_hand_over": ("", "int* q = malloc(8); q[0] = 1; pthread_mutex_lock(&m); p = q; pthread_mutex_unlock(&m);"
                                " sem_post(&s);",
                                "sem_wait(&s); pthread_mutex_lock(&m); int* q = p; pthread_mutex_unlock(&m);\n *q = 2; /* here */",
                                True),
    # Initialisation ends with the allocating thread's next operation: a release is one as well.
    "initialised_too_late": ("", "int* q = malloc(8); q[0] = 1; pthread_mutex_lock(&m); p = q; pthread_mutex_unlock(&m);"
                             "\n q[0] = 2; /* here */ sem_post(&s);",
                             "sem_wait(&s); pthread_mutex_lock(&m);\n sink = *p; /* here */ pthread_mutex_unlock(&m);",
                             True),
    # One of two holds of a recursive mutex is enough; none is not.
    "still_held": ("", "pthread_mutex_lock(&r); pthread_mutex_lock(&r); pthread_mutex_unlock(&r); v++; pthread_mutex_unlock(&r);",
                   "pthread_mutex_lock(&r); v++; pthread_mutex_unlock(&r);", False),
    "held_no_more": ("", "pthread_mutex_lock(&r); pthread_mutex_lock(&r); pthread_mutex_unlock(&r); pthread_mutex_unlock(&r);"
                     "\n v++; /* here */ sem_post(&s);",
                     "sem_wait(&s); pthread_mutex_lock(&r);\n v++; /* here */ pthread_mutex_unlock(&r);", True),
    # Different locks for different variables; and two that have one lock in common at all accesses.
    "each_its_own": ("", "pthread_mutex_lock(&m); v++; pthread_mutex_unlock(&m);",
                     "pthread_mutex_lock(&n); p = 0; pthread_mutex_unlock(&n); pthread_mutex_lock(&m); v++; pthread_mutex_unlock(&m);",
                     False),
    "one_in_common": ("", "pthread_mutex_lock(&n); pthread_mutex_lock(&m); v++; pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);",
                      "pthread_mutex_lock(&m); v++; pthread_mutex_unlock(&m);", False),
    "own_block": ("", "int* q = malloc(4); *q = 1; sem_post(&s); *q = 2; free(q);", "sem_wait(&s); int* q = malloc(4); *q = 3;"
                  " sem_post(&s); *q = 4; free(q);", False),
}


def source(setup, first, second):
    threads = "".join(f"static void* {name}(void* unused) {{\n  {body}\n  return unused;\n}}\n"
                      for name, body in (("a", first), ("b", second)))
    return f"{HEAD}static void setup(void) {{ {setup} }}\n{threads}{MAIN}"


def lines_marked(text):
    return {f":{number}" for number, line in enumerate(text.splitlines(), start=1) if "/* here */" in line}


def check(mazurka, folder, name, setup, first, second, breaks):
    text = source(setup, first, second)
    (folder / f"{name}.c").write_text(text)
    program, report = folder / name, folder / "report.json"
    subprocess.run([str(mazurka.parent / "mazurka-cc"), "-O1", "-w", "-pthread", "-o", str(program), str(folder / f"{name}.c")],
                   check=True)
    done = subprocess.run([str(mazurka), "check", "--discipline", "--keep-going", "--quiet", f"--json={report}",
                           f"--schedules={folder}", str(program)], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{name}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    found = [finding for finding in json.loads(report.read_text())["findings"] if finding["kind"] == "locking-discipline"]
    if bool(found) != breaks:
        sys.exit(f"{name}: expected {'a violation' if breaks else 'none'}: {done.stdout}{json.dumps(found, indent=1)}")
    marked = lines_marked(text)
    for finding in found:
        if not any(finding["location"].endswith(line) for line in marked):
            sys.exit(f"{name}: found at {finding['location']}, not at a marked line ({marked})")
        again = subprocess.run([str(mazurka), "replay", finding["schedule"]], capture_output=True, text=True, check=False)
        if again.returncode != 1 or "locking-discipline" not in again.stdout:
            sys.exit(f"{name}: the replay does not show it:\n{again.stdout}{again.stderr}")


def main():
    mazurka, where = pathlib.Path(os.environ["MAZURKA"]), pathlib.Path(sys.argv[1])
    where.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=where) as folder:
        for name, program in PROGRAMS.items():
            check(mazurka, pathlib.Path(folder), name, *program)
    print(f"{len(PROGRAMS)} programs")


if __name__ == "__main__":
    main()
