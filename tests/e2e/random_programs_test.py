#!/usr/bin/env python3
"""Random C programs with real threads and processes: every search finds what the plain one finds.

    random_programs_test.py CC INCLUDE_DIR

All programs are functions of one C file, chosen by the argument. Each is checked with every search and
`--compare=none`, by one worker or two, with one reset or the other: a difference in findings or end
states is exit code 4. MAZURKA_RANDOM_PROGRAMS says how many, MAZURKA_RANDOM_SEED=N runs the program N
alone and keeps its source.
"""

import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

MAZURKA = os.environ.get("MAZURKA", "mazurka")
PROGRAMS = 70
MOST_EXECUTIONS = 1500  # what takes more is not compared

PREAMBLE = """\
#include <assert.h>
#include <errno.h>
#include <mazurka/mazurka.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void* last;
static pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER;

/* Shared between processes, so that those meet, too. */
static struct {
  pthread_mutex_t m[2];
  pthread_cond_t c[2];
  pthread_rwlock_t l;
  pthread_barrier_t b;
  sem_t s[2];
} *o;

static struct timespec soon(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_sec += 1;
  return t;
}

static void set_up(int type, unsigned value) {
  o = mmap(0, sizeof *o, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_t ma;
  pthread_mutexattr_init(&ma);
  pthread_mutexattr_setpshared(&ma, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_settype(&ma, type);
  pthread_condattr_t ca;
  pthread_condattr_init(&ca);
  pthread_condattr_setpshared(&ca, PTHREAD_PROCESS_SHARED);
  pthread_rwlockattr_t la;
  pthread_rwlockattr_init(&la);
  pthread_rwlockattr_setpshared(&la, PTHREAD_PROCESS_SHARED);
  pthread_barrierattr_t ba;
  pthread_barrierattr_init(&ba);
  pthread_barrierattr_setpshared(&ba, PTHREAD_PROCESS_SHARED);
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_init(&o->m[i], &ma);
    pthread_cond_init(&o->c[i], &ca);
    sem_init(&o->s[i], 1, value);
  }
  pthread_rwlock_init(&o->l, &la);
  pthread_barrier_init(&o->b, &ba, 2);
}
"""


class Body:
    """The statements of one thread."""

    def __init__(self, dice, kinds, budget):
        self.dice, self.kinds, self.budget = dice, kinds, budget
        self.lines = []
        while self.budget > 0:
            self.statement(1)

    def line(self, depth, text):
        self.lines.append("  " * depth + text)

    def statement(self, depth):
        self.budget -= 1
        getattr(self, self.dice.choice(self.kinds))(depth, self.dice.randrange(2))

    def maybe_inside(self, depth):
        if self.budget > 0 and self.dice.random() < 0.5:
            self.statement(depth)

    def section(self, depth, lock, unlock):
        self.line(depth, f"if ({lock} == 0) {{")
        self.maybe_inside(depth + 1)
        if self.dice.random() < 0.95:
            self.line(depth + 1, f"{unlock};")
        self.line(depth, "}")

    def mutex(self, depth, i):
        lock = self.dice.choice(["pthread_mutex_lock(&o->m[%d])"] * 3 + ["pthread_mutex_trylock(&o->m[%d])"])
        self.section(depth, lock % i, f"pthread_mutex_unlock(&o->m[{i}])")

    def timed(self, depth, i):
        self.line(depth, "{")
        self.line(depth, "  struct timespec t = soon();")
        self.section(depth + 1, f"pthread_mutex_timedlock(&o->m[{i}], &t)", f"pthread_mutex_unlock(&o->m[{i}])")
        self.line(depth, "}")

    def condition(self, depth, i):
        self.line(depth, f"pthread_mutex_lock(&o->m[{i}]);")
        if self.dice.random() < 0.4:
            self.line(depth, "{")
            self.line(depth, "  struct timespec t = soon();")
            self.line(depth, f"  pthread_cond_timedwait(&o->c[{i}], &o->m[{i}], &t);")
            self.line(depth, "}")
        else:
            self.line(depth, f"pthread_cond_wait(&o->c[{i}], &o->m[{i}]);")
        self.line(depth, f"pthread_mutex_unlock(&o->m[{i}]);")

    def signal(self, depth, i):
        call = self.dice.choice(["signal", "signal", "broadcast"])
        self.line(depth, f"pthread_cond_{call}(&o->c[{i}]);")

    def semaphore(self, depth, i):
        call = self.dice.choice(["post", "post", "wait", "trywait"])
        self.line(depth, f"if (sem_{call}(&o->s[{i}]) == 0) {{")
        self.maybe_inside(depth + 1)
        self.line(depth, "}")

    def rwlock(self, depth, _):
        call = self.dice.choice(["rdlock", "rdlock", "wrlock", "tryrdlock", "trywrlock"])
        self.section(depth, f"pthread_rwlock_{call}(&o->l)", "pthread_rwlock_unlock(&o->l)")

    def barrier(self, depth, _):
        self.line(depth, "if (pthread_barrier_wait(&o->b) != 0) {")
        self.maybe_inside(depth + 1)
        self.line(depth, "}")

    def toss(self, depth, i):
        self.line(depth, f"if (mz_toss({1 + i}) == 1) {{")
        self.maybe_inside(depth + 1)
        self.line(depth, "}")

    def claim(self, depth, i):
        self.line(depth, f"assert(sem_trywait(&o->s[{i}]) == 0);")

    def block(self, depth, i):
        """What was freed may come back, with --reuse, also to another thread."""
        self.line(depth, "{")
        self.line(depth, f"  void* b = malloc({100 * (i + 1)});")
        self.line(depth, "  pthread_mutex_lock(&k);")
        self.line(depth, "  const int is_same = b == last;")
        self.line(depth, "  last = b;")
        self.line(depth, "  pthread_mutex_unlock(&k);")
        self.line(depth, "  if (is_same) sem_post(&o->s[0]);")
        self.maybe_inside(depth + 1)
        if self.dice.random() < 0.8:
            self.line(depth, "  free(b);")
        self.line(depth, "}")


KINDS = ["mutex", "timed", "condition", "signal", "semaphore", "rwlock", "barrier", "toss", "claim"]
SETS = [["mutex"], ["mutex", "condition", "signal", "signal"], ["semaphore", "semaphore", "claim"],
        ["rwlock", "rwlock", "mutex"], ["barrier", "mutex", "semaphore"], ["timed", "mutex"], ["toss", "mutex"],
        KINDS]
# Of programs with options that give them more outcomes.
MORE_SETS = [(["block", "semaphore"], "--reuse"), (["block", "block", "mutex"], "--reuse"), (["condition", "signal", "signal"], "--spurious"),
             (["block", "condition", "signal"], "--reuse=2 --spurious")]


def options(seed):
    """Of mazurka check: each fifth program has some."""
    return MORE_SETS[seed // 5 % len(MORE_SETS)][1].split() if seed % 5 == 4 else []


def program(seed):
    """The source of the functions of one program; its first is program_<seed>."""
    dice = random.Random(seed)
    kinds = MORE_SETS[seed // 5 % len(MORE_SETS)][0] if options(seed) else dice.choice(SETS)
    threads = dice.choice([2, 2, 3])
    fork = dice.random() < 0.15
    text = ""
    for i in range(threads):
        body = Body(dice, kinds, dice.choice([1, 2, 2, 3]) if threads == 2 else dice.choice([1, 1, 2]))
        text += f"static void* t{seed}_{i}(void* p) {{\n" + "\n".join(body.lines) + "\n  return p;\n}\n"
    kind = dice.choice(["PTHREAD_MUTEX_NORMAL"] * 4 + ["PTHREAD_MUTEX_ERRORCHECK", "PTHREAD_MUTEX_RECURSIVE"])
    lines = [f"  set_up({kind}, {dice.randrange(3)});"]
    if fork:
        lines += [f"  if (fork() == 0) {{ t{seed}_{threads - 1}(0); _exit(0); }}"]
        threads -= 1
    lines += ["  pthread_t t[3];"]
    first = 0 if dice.random() < 0.5 else 1  # main may do the first body itself
    for i in range(first, threads):
        lines.append(f"  pthread_create(&t[{i}], 0, t{seed}_{i}, 0);")
    if first == 1:
        lines.append(f"  t{seed}_0(0);")
    if dice.random() < 0.85:
        lines += [f"  pthread_join(t[{i}], 0);" for i in range(first, threads)]
    else:
        lines += ["  (void)t;"]
    if fork:
        lines.append(dice.choice(["  wait(0);", "  while (waitpid(-1, 0, WNOHANG) == 0 && sem_trywait(&o->s[0]) == 0) {}"]))
    return text + f"static int program_{seed}(void) {{\n" + "\n".join(lines) + "\n  return 0;\n}\n"


def source(seeds):
    table = ", ".join(f"{{{seed}, program_{seed}}}" for seed in seeds)
    return (PREAMBLE + "".join(program(seed) for seed in seeds) + f"""
static const struct {{ int seed; int (*run)(void); }} programs[] = {{{table}}};

int main(int argc, char** argv) {{
  const int seed = argc > 1 ? atoi(argv[1]) : 0;
  for (unsigned i = 0; i < sizeof programs / sizeof *programs; ++i) {{
    if (programs[i].seed == seed) return programs[i].run();
  }}
  return 2;
}}
""")


def search_names():
    said = subprocess.run([MAZURKA, "check", "--search=?", "true"], capture_output=True, text=True).stderr
    names = re.search(r"the searches are: (.*)", said).group(1).split(", ")
    return [name for name in names if name not in ("none", "auto", "random", "pct", "pos", "surw", "lag")]  # auto is optimal, with --compare


def check(binary, seed, search, folder):
    """None if the searches agree, True if they could not be compared, or what was said."""
    report = pathlib.Path(folder, "report.json")
    report.unlink(missing_ok=True)
    command = [MAZURKA, "check", f"--search={search}", "--compare=none", f"--max-executions={MOST_EXECUTIONS}",
               f"--jobs={1 + seed % 2}", f"--reset={('auto', 'fork')[seed // 2 % 2]}",
               f"--json={report}", f"--schedules={folder}", *options(seed), str(binary), str(seed)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    if done.returncode == 4 or not report.exists():
        return " ".join(command) + "\n" + done.stdout + done.stderr
    return None if json.loads(report.read_text())["compared"]["whole"] else True


def main(compiler, include):
    one = os.environ.get("MAZURKA_RANDOM_SEED")
    seeds = [int(one)] if one else range(1, int(os.environ.get("MAZURKA_RANDOM_PROGRAMS", PROGRAMS)) + 1)
    searches = search_names()
    too_large = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path("." if one else temporary).resolve()
        file = folder / "random_programs.c"
        file.write_text(source(seeds))
        binary = folder / "random_programs"
        subprocess.run([compiler, "-g", "-O0", "-w", "-pthread", f"-I{include}", "-o", binary, file], check=True)
        for seed in seeds:
            for search in searches:
                result = check(binary, seed, search, folder)
                if result is True:
                    too_large += 1
                    break
                if result is not None:
                    print(program(seed) + result)
                    sys.exit(f"program {seed} differs; repeat it with MAZURKA_RANDOM_SEED={seed}")
    print(f"{len(seeds)} programs, {', '.join(searches)} against none: no difference; {too_large} were too large")
    if too_large * 3 > len(seeds):
        sys.exit("too many were too large to be compared")


if __name__ == "__main__":
    main(*sys.argv[1:])
