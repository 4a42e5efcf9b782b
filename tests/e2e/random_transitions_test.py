#!/usr/bin/env python3
"""Random programs with locks, atomics and plain accesses: --transitions=first and composed against visible with --search=none.

random_transitions_test.py FOLDER [PROGRAMS [SEED]]; MAZURKA in the environment is the command.

What the threads have read, and what is in memory in the end, is an event of the main thread: so --compare sees whether both searches
come to the same results, deadlocks and other findings. Where a variable is used without its lock, the locking discipline is
violated, and composed transitions promise nothing but to say so.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

LOCKS = 2
ATOMICS = 1
MOST_EXECUTIONS = 3000


def plain(dice, lock, slot):
    """Something done to the variable of that lock; what it finds out goes to a register."""
    kind = dice.choice(["read", "read", "read", "write", "add"])
    if kind == "read":
        return f"r[{slot}] = r[{slot}] * 3 + v{lock};"
    if kind == "write":
        return f"v{lock} = {dice.randint(1, 3)};"
    return f"v{lock} += {dice.randint(1, 2)};"


def section(dice, held, slot, forms, depth=0):
    """A critical section, with others inside now and then."""
    lock = dice.randrange(LOCKS)
    if lock in held:
        return atomic(dice, slot)
    take, give = f"pthread_mutex_lock(&m{lock});", f"pthread_mutex_unlock(&m{lock});"
    if forms and dice.random() < 0.3:
        take, give = f"if (pthread_mutex_trylock(&m{lock}) == 0) {{", f"pthread_mutex_unlock(&m{lock}); }} else r[{slot}] += 100;"
    elif dice.random() < 0.15:
        take, give = take + take, give + give  # they are recursive
    body = [plain(dice, lock, slot) for _ in range(dice.randint(0, 2))]
    if depth == 0 and dice.random() < 0.35:
        body.insert(dice.randint(0, len(body)), section(dice, held | {lock}, slot, forms, 1))
    if dice.random() < 0.2:
        body.append(atomic(dice, slot))
    return " ".join([take, *body, give])


def atomic(dice, slot):
    return dice.choice([f"r[{slot}] = r[{slot}] * 5 + atomic_load(&a0);", "atomic_fetch_add(&a0, 1);",
                        f"atomic_store(&a0, {dice.randint(1, 2)});"])


def random_program(dice):
    drops, forms = dice.random() < 0.2, dice.random() < 0.25
    threads = []
    for slot in range(dice.randint(2, 3)):
        parts = []
        for _ in range(dice.randint(1, 2 if slot == 2 else 3)):
            parts.append(atomic(dice, slot) if dice.random() < 0.2 else section(dice, set(), slot, forms))
        if drops and slot == 0:
            parts.insert(dice.randint(0, len(parts)), plain(dice, 0, slot))
        if dice.random() < 0.1:
            parts.append(f"pthread_mutex_lock(&m0); mz_assert(v0 != {dice.randint(1, 3)}); pthread_mutex_unlock(&m0);")
        threads.append(" ".join(parts))
    return threads


def c_file(programs):
    lines = ["#define _GNU_SOURCE", "#include <pthread.h>", "#include <stdatomic.h>", "#include <stdio.h>", "#include <stdlib.h>",
             "#include <mazurka/mazurka.h>", "static atomic_int a0;", "static unsigned r[3];  // two in a word"]
    lines += [f"static int v{i}; static pthread_mutex_t m{i} = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;" for i in range(LOCKS)]
    for number, program in enumerate(programs):
        for i, body in enumerate(program):
            lines.append(f"static void* p{number}_{i}(void* unused) {{ {body} return unused; }}")
        pointers = ", ".join(f"p{number}_{i}" for i in range(len(program)))
        lines.append(f"static void* (*const program{number}[])(void*) = {{ {pointers}, 0 }};")
    table = ", ".join(f"program{number}" for number in range(len(programs)))
    lines += [f"static void* (*const* const all[])(void*) = {{ {table} }};",
              "int main(int argc, char** argv) {",
              "  void* (*const* threads)(void*) = all[argc > 1 ? atoi(argv[1]) : 0];",
              "  pthread_t handles[8]; int count = 0; char text[200];",
              "  for (; threads[count]; ++count) pthread_create(&handles[count], 0, threads[count], 0);",
              "  for (int i = 0; i < count; ++i) pthread_join(handles[i], 0);",
              '  sprintf(text, "%u %u %u, %d %d, %d", r[0], r[1], r[2], v0, v1, atomic_load(&a0));',
              "  mz_event(text);",
              "}"]
    return "\n".join(lines) + "\n"


def check(mazurka, program, number, folder, options):
    report = folder / "report.json"
    command = [mazurka, "check", "--quiet", "--keep-going", "--no-minimize", f"--json={report}", f"--schedules={folder}",
               *options, program, number]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3, 4) or not report.read_text():
        sys.exit(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(report.read_text()), " ".join(map(str, command))


def kinds(report):
    return {finding["kind"] for finding in report["findings"]}


def fail(command, what, program):
    sys.exit(f"{command}: {what}\n" + "\n".join(program))


def compare(mazurka, binary, number, program, folder, totals):
    plainly, command = check(mazurka, binary, number, folder,
                             ["--search=none", "--discipline", f"--max-executions={MOST_EXECUTIONS}"])
    if plainly["executions"] >= MOST_EXECUTIONS:
        return False
    broken = "locking-discipline" in kinds(plainly)
    for transitions, search in (("first", ("none", "sleep", "persistent", "dpor")[number % 4]), ("composed", "sleep"),
                                ("composed", ("none", "persistent")[number % 2])):
        report, command = check(mazurka, binary, number, folder,
                                [f"--transitions={transitions}", f"--search={search}", "--discipline", "--compare=none"])
        if ("locking-discipline" in kinds(report)) != broken:
            fail(command, f"locking-discipline is {not broken}, not {broken}", program)
        if broken:
            if transitions == "composed" and report["complete"]:
                fail(command, "complete, although the discipline is violated", program)
            continue
        if not report["complete"] or report["compared"]["differences"]:
            fail(command, report["compared"]["differences"] or "not complete", program)
        if report["executions"] > plainly["executions"]:
            fail(command, f"{report['executions']} executions, and {plainly['executions']} without", program)
        totals[transitions, search] = totals.get((transitions, search), 0) + report["executions"]
    totals["visible"] = totals.get("visible", 0) + (0 if broken else plainly["executions"])
    totals["broken"] = totals.get("broken", 0) + broken
    return True


def main():
    mazurka, folder = pathlib.Path(os.environ["MAZURKA"]).resolve(), pathlib.Path(sys.argv[1])
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else int(os.environ.get("MAZURKA_RANDOM_PROGRAMS", "24"))
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else int(os.environ.get("MAZURKA_RANDOM_SEED", "1"))
    dice = random.Random(seed)
    programs = [random_program(dice) for _ in range(2 * wanted)]
    folder.mkdir(parents=True, exist_ok=True)
    totals, compared = {}, 0
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "programs.c").write_text(c_file(programs))
        built = []
        for compiler, level in (("gcc", "-O0"), ("clang", "-O2"), ("gcc", "-O2"), ("clang", "-O0")):
            built.append(scratch / f"programs{compiler}{level}")
            subprocess.run([str(mazurka.parent / "mazurka-cc"), f"--cc={compiler}", level, "-w", "-pthread", "-o", str(built[-1]),
                            f"-I{pathlib.Path(__file__).resolve().parents[2] / 'include'}", str(scratch / "programs.c")], check=True)
        for number, program in enumerate(programs):
            compared += compare(mazurka, built[number % len(built)], number, program, scratch, totals)
            if compared == wanted:
                break
    if compared < wanted or totals["broken"] == 0 or totals["composed", "sleep"] >= totals["visible"]:
        sys.exit(f"seed {seed}: {compared} programs are no test: {totals}")
    print(f"seed {seed}: {compared} programs: {totals}")


if __name__ == "__main__":
    main()
