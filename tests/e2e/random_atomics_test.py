#!/usr/bin/env python3
"""Random programs whose threads meet at atomic read-modify-writes: a plain build with --atomics=on, against one of mazurka-cc.

    random_atomics_test.py CC MAZURKA_CC FOLDER

Atomic loads and stores are among them in every other program. Both must have the same findings, and be complete. Where each read-modify-write is one instruction of the plain build, they must need the same number of executions;
`fetch_xor` whose result is used is a loop there. MAZURKA_RANDOM_PROGRAMS says how many programs (150), MAZURKA_RANDOM_SEED the first seed.
"""

import json
import os
import pathlib
import random
import subprocess
import sys

WAYS = ([], ["--reset=fork"], ["--carrier=threads"])
SPIN_LOCK = "{{ int e; do e = 0; while (!__atomic_compare_exchange_n(&l, &e, 1, 0, 5, 5)); p[{v}] += s + 1; s += p[{v}]; __atomic_exchange_n(&l, 0, 5); }}"
SINGLE = (
    "s += __atomic_fetch_add(&v[{v}], {a} + 1, 5);",
    "s = s * 3 + __atomic_exchange_n(&v[{v}], {a}, 5);",
    "{{ int e = {b}; s = s * 5 + __atomic_compare_exchange_n(&v[{v}], &e, {a}, 0, 5, 5); s += e; }}",
    "__atomic_fetch_or(&v[{v}], {a}, 5);",
    "__atomic_fetch_and(&v[{v}], {a}, 5);",
    "s = s * 3 + (__atomic_sub_fetch(&v[{v}], 1, 5) == 0);",
    SPIN_LOCK,
    "pthread_mutex_lock(&m); p[3] += {b}; s += p[3]; pthread_mutex_unlock(&m);",
)
# What compilers make plain moves of. They are seen since a locked instruction has used each variable.
MOVES = (
    "s = s * 3 + __atomic_load_n(&v[{v}], 5);",
    "__atomic_store_n(&v[{v}], {a}, __ATOMIC_RELEASE);",
    "if (__atomic_load_n(&v[{v}], 5) == {a}) s += 5;",
    "for (int i = 0; i < 2 && !__atomic_load_n(&v[{v}], 5); ++i) s += {a};",
)
LOOPS = ("s ^= __atomic_fetch_xor(&v[{v}], {a} + 1, 5);", "s += __atomic_fetch_or(&v[{v}], {a}, 5);")
PROGRAM = """#include <assert.h>
#include <pthread.h>
static int v[4], l, p[4];
static unsigned sums[4];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
{threads}
int main(void) {{
  pthread_t h[3];
  {creations}
  {joins}
  assert((sums[0] * 7 + sums[1] * 3 + sums[2] + v[0] + v[1]) % 13 != {wrong});
}}
"""


def program_text(chance, forms):
    thread_count = chance.randint(2, 3)
    variable_count = chance.randint(1, 3)
    threads = []
    for thread in range(thread_count):
        steps = [f"for (int i = 0; i < {variable_count}; ++i) __atomic_fetch_add(&v[i], 0, 5);"] if forms[-1] == MOVES[-1] and thread == 0 else []
        steps += (chance.choice(forms).format(v=chance.randrange(variable_count), a=chance.randint(0, 3), b=chance.randint(0, 2)) for _ in range(chance.randint(1, 3)))
        threads.append(f"static void* t{thread}(void* u) {{\n  unsigned s = {thread};\n  " + "\n  ".join(steps) + f"\n  sums[{thread}] = s;\n  return u;\n}}")
    return PROGRAM.format(
        threads="\n".join(threads),
        creations=" ".join(f"pthread_create(&h[{i}], 0, t{i}, 0);" for i in range(thread_count)),
        joins=" ".join(f"pthread_join(h[{i}], 0);" for i in range(thread_count)),
        wrong=chance.randint(1, 12),
    )


def check(program, options, folder):
    report = folder / "report.json"
    report.unlink(missing_ok=True)
    command = [os.environ["MAZURKA"], "check", "--search=optimal", "--keep-going", *options, f"--json={report}", f"--schedules={folder}", program]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return json.loads(report.read_text()), done.stdout + done.stderr


def summary(report, with_count):
    kinds = sorted(finding["kind"] for finding in report["findings"])
    return [report["verdict"], report["guarantee"], report["unmodelled"], kinds] + ([report["executions"]] if with_count else [])


def differs(seed, compilers, folder):
    chance = random.Random(seed)
    with_loops = chance.randrange(5) == 0
    with_moves = not with_loops and chance.randrange(2) == 0
    source = folder / f"random{seed}.c"
    source.write_text(program_text(chance, SINGLE + (LOOPS if with_loops else MOVES if with_moves else ())))
    level = chance.choice(("-O0", "-O1", "-O2"))
    way = chance.choice(WAYS)
    reports = []
    for name, compiler, options in (("plain", compilers[0], ["--atomics=on"]), ("told", compilers[1], [])):
        subprocess.run([compiler, "-g", level, "-pthread", source, "-o", folder / name], check=True)
        reports.append(check(folder / name, [*options, *way], folder))
    (plain, text), (told, told_text) = reports
    if summary(plain, not with_loops) == summary(told, not with_loops):
        source.unlink()
        return False
    print(f"seed {seed}, {level} {way}, {source}:\nplain {summary(plain, True)}\n{text}\ninstrumented {summary(told, True)}\n{told_text}")
    return True


def main():
    compilers = sys.argv[1:3]
    folder = pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    first = int(os.environ.get("MAZURKA_RANDOM_SEED", "1000"))
    count = int(os.environ.get("MAZURKA_RANDOM_PROGRAMS", "150"))
    wrong = sum(differs(seed, compilers, folder) for seed in range(first, first + count))
    print(f"{count} programs, {wrong} differ")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
