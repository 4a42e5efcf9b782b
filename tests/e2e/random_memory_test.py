#!/usr/bin/env python3
"""Random programs with atomics, locks and plain accesses, against an interpreter that goes through every interleaving.

random_memory_test.py FOLDER [PROGRAMS [SEED]]; MAZURKA in the environment is the command.

For each program the interpreter knows the number of interleavings and of traces, the deadlocks, and, from vector clocks
and every pair of accesses, which variables are raced on. The command must say the same: `none` as many executions as
interleavings, `optimal` as many as traces, the same raced variables by every search, built by gcc and by clang, at -O0 and -O2.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

VARIABLES = 2
LOCKS = 2
MOST_INTERLEAVINGS = 4000
ORDERS = ["__ATOMIC_RELAXED", "__ATOMIC_ACQUIRE", "__ATOMIC_RELEASE", "__ATOMIC_ACQ_REL", "__ATOMIC_SEQ_CST"]
ACQUIRES = {"__ATOMIC_ACQUIRE", "__ATOMIC_ACQ_REL", "__ATOMIC_SEQ_CST"}
RELEASES = {"__ATOMIC_RELEASE", "__ATOMIC_ACQ_REL", "__ATOMIC_SEQ_CST"}
LOAD_ORDERS = [ORDERS[0], ORDERS[1], ORDERS[4]]
STORE_ORDERS = [ORDERS[0], ORDERS[2], ORDERS[4]]


# --- random programs: a list of operations for each thread

def random_thread(dice, shared):
    operations, held = [], []
    for _ in range(dice.randint(2, 6)):
        kind = dice.choice(["lock", "lock", "plain", "plain", "plain", "load", "store", "add", "cas", "unlock"])
        variable = dice.choice(shared)
        if kind == "lock":
            free = [lock for lock in range(LOCKS) if lock not in held]
            if free:
                held.append(dice.choice(free))
                operations.append(("lock", held[-1]))
        elif kind == "unlock":
            if held:
                operations.append(("unlock", held.pop()))
        elif kind == "plain":
            operations.append((dice.choice(["read", "write"]), variable))
        elif kind == "load":
            operations.append(("load", variable, dice.choice(LOAD_ORDERS)))
        elif kind == "store":
            operations.append(("store", variable, dice.randint(0, 2), dice.choice(STORE_ORDERS)))
        elif kind == "add":
            operations.append(("add", variable, 1, dice.choice(ORDERS)))
        else:
            success, failure = dice.choice(ORDERS), dice.choice(LOAD_ORDERS)
            operations.append(("cas", variable, dice.randint(0, 1), 2, success, failure))
    operations += [("unlock", lock) for lock in reversed(held)]
    return operations


def random_program(dice):
    # Plain and atomic accesses to the same variables now and then: they race, too.
    atomics = list(range(VARIABLES, 2 * VARIABLES))
    plains = list(range(VARIABLES))
    threads = []
    for _ in range(dice.randint(2, 3)):
        made = random_thread(dice, plains)
        mixed = dice.random() < 0.4
        threads.append([op if mixed or op[0] in ("lock", "unlock", "read", "write")
                        else (op[0], atomics[op[1] % VARIABLES], *op[2:]) for op in made])
    return threads


def is_visible(operation):
    return operation[0] not in ("read", "write")


# --- every interleaving

class Clocks:
    def __init__(self, count):
        self.threads = [[0] * count for _ in range(count)]
        for i in range(count):
            self.threads[i][i] = 1
        self.objects = {}

    def acquire(self, thread, thing):
        if thing in self.objects:
            self.threads[thread] = list(map(max, self.threads[thread], self.objects[thing]))

    def release(self, thread, thing, replace=False):
        old = self.objects.get(thing)
        new = list(self.threads[thread])
        self.objects[thing] = new if replace or old is None else list(map(max, old, new))
        self.threads[thread][thread] += 1


class Run:
    """One interleaving, replayed from the start: programs are tiny."""

    def __init__(self, program):
        self.program = [[("join", i + 1) for i in range(len(program))]] + program
        self.at = [0] * len(self.program)
        self.values = {}
        self.owner = {}
        self.clocks = Clocks(len(self.program))
        self.sequences = {}  # of each variable, what each thread's release sequences that go on tell
        self.accesses = []  # (variable, thread, time, writes, atomic)
        self.steps = []  # (thread, place, touched object, writes)
        self.raced = set()
        for thread in range(1, len(self.program)):
            self.clocks.threads[thread] = list(map(max, self.clocks.threads[thread], self.clocks.threads[0]))
            self.clocks.threads[0][0] += 1
            self.run_invisible(thread)

    def note(self, thread, variable, writes, atomic):
        knows = self.clocks.threads[thread]
        for other, who, time, wrote, was_atomic in self.accesses:
            if other != variable or who == thread or not (writes or wrote) or (atomic and was_atomic):
                continue
            if time > knows[who]:
                self.raced.add(variable)
        self.accesses.append((variable, thread, knows[thread], writes, atomic))

    def run_invisible(self, thread):
        operations = self.program[thread]
        while self.at[thread] < len(operations) and not is_visible(operations[self.at[thread]]):
            kind, variable = operations[self.at[thread]]
            self.note(thread, variable, kind == "write", False)
            if kind == "write":
                self.values[variable] = 1
            self.at[thread] += 1

    def enabled(self):
        able = []
        for thread, operations in enumerate(self.program):
            if self.at[thread] == len(operations):
                continue
            operation = operations[self.at[thread]]
            if operation[0] == "lock" and self.owner.get(operation[1]) is not None:
                continue
            if operation[0] == "join" and self.at[operation[1]] < len(self.program[operation[1]]):
                continue
            able.append(thread)
        return able

    def step(self, thread):
        operation = self.program[thread][self.at[thread]]
        kind = operation[0]
        touched, writes = None, True
        if kind == "join":
            other = operation[1]
            knows = self.clocks.threads
            knows[thread] = list(map(max, knows[thread], knows[other]))
        elif kind == "lock":
            touched = ("m", operation[1])
            self.owner[operation[1]] = thread
            self.clocks.acquire(thread, touched)
        elif kind == "unlock":
            touched = ("m", operation[1])
            self.owner[operation[1]] = None
            self.clocks.release(thread, touched)
        else:
            touched = ("v", operation[1])
            writes = self.atomic(thread, operation, touched)
        self.steps.append((thread, self.at[thread], touched, writes))
        self.at[thread] += 1
        self.run_invisible(thread)

    def atomic(self, thread, operation, thing):
        kind, variable = operation[0], operation[1]
        value = self.values.get(variable, 0)
        writes, order = kind != "load", operation[-1]
        if kind == "store":
            self.values[variable] = operation[2]
        elif kind == "add":
            self.values[variable] = value + operation[2]
        elif kind == "cas":
            writes = value == operation[2]
            order = operation[4] if writes else operation[5]
            if writes:
                self.values[variable] = operation[3]
        if kind != "store" and order in ACQUIRES:
            self.clocks.acquire(thread, thing)
        # The access belongs to the time before its own release.
        self.note(thread, variable, writes, True)
        if writes:
            self.write_clock(thread, thing, order, goes_on=kind != "store")
        return writes

    def write_clock(self, thread, thing, order, goes_on):
        """By C17: a store ends the release sequences of others; what its own thread has released before is still told."""
        own = self.sequences.setdefault(thing, {})
        if not goes_on:
            for other in [other for other in own if other != thread]:
                del own[other]
        if order in RELEASES:
            own[thread] = list(self.clocks.threads[thread])
            self.clocks.release(thread, thing, replace=not goes_on)
        elif not goes_on and thread in own:
            self.clocks.objects[thing] = own[thread]
        elif not goes_on:
            self.clocks.objects.pop(thing, None)

    def trace(self):
        """The order of dependent steps: the same for equivalent interleavings."""
        order = set()
        for i, (thread, place, touched, writes) in enumerate(self.steps):
            for other, where, same, wrote in self.steps[:i]:
                if other != thread and same == touched and touched is not None and (writes or wrote):
                    order.add((other, where, thread, place))
        return frozenset(order), tuple(self.at)


def interleavings(program):
    """(number of interleavings, number of traces, raced variables, whether it deadlocks); None if there are too many."""
    traces, raced, count, deadlocks = set(), set(), 0, False
    todo = [[]]
    while todo:
        schedule = todo.pop()
        run = Run(program)
        for thread in schedule:
            run.step(thread)
        while True:
            able = run.enabled()
            if not able:
                break
            todo += [schedule + [other] for other in able[1:]]
            schedule = schedule + able[:1]
            run.step(able[0])
        count += 1
        if count > MOST_INTERLEAVINGS:
            return None
        traces.add(run.trace())
        raced |= run.raced
        deadlocks |= any(at < len(ops) for at, ops in zip(run.at, run.program))
    return count, len(traces), raced, deadlocks


# --- as C

def c_operation(operation):
    kind = operation[0]
    if kind == "lock":
        return f"pthread_mutex_lock(&m{operation[1]});"
    if kind == "unlock":
        return f"pthread_mutex_unlock(&m{operation[1]});"
    name = f"v{operation[1]}"
    if kind == "read":
        return f"sink = *(volatile int*)&{name};"  # no optimiser takes it away
    if kind == "write":
        return f"*(volatile int*)&{name} = 1;"
    if kind == "load":
        return f"sink = __atomic_load_n(&{name}, {operation[2]});"
    if kind == "store":
        return f"__atomic_store_n(&{name}, {operation[2]}, {operation[3]});"
    if kind == "add":
        return f"sink = __atomic_fetch_add(&{name}, {operation[2]}, {operation[3]});"
    return (f"{{ int e = {operation[2]}; sink = __atomic_compare_exchange_n(&{name}, &e, {operation[3]}, 0, "
            f"{operation[4]}, {operation[5]}); }}")


def c_file(programs):
    lines = ["#include <pthread.h>", "#include <stdlib.h>", "static __thread volatile int sink;"]
    lines += [f"int v{i};" for i in range(2 * VARIABLES)]
    lines += [f"pthread_mutex_t m{i} = PTHREAD_MUTEX_INITIALIZER;" for i in range(LOCKS)]
    for number, program in enumerate(programs):
        for i, operations in enumerate(program):
            body = " ".join(map(c_operation, operations))
            lines.append(f"static void* p{number}_{i}(void* unused) {{ {body} return unused; }}")
        pointers = ", ".join(f"p{number}_{i}" for i in range(len(program)))
        lines.append(f"static void* (*const program{number}[])(void*) = {{ {pointers}, 0 }};")
    table = ", ".join(f"program{number}" for number in range(len(programs)))
    lines += [f"static void* (*const* const all[])(void*) = {{ {table} }};",
              "int main(int argc, char** argv) {",
              "  void* (*const* threads)(void*) = all[argc > 1 ? atoi(argv[1]) : 0];",
              "  pthread_t handles[8]; int count = 0;",
              "  for (; threads[count]; ++count) pthread_create(&handles[count], 0, threads[count], 0);",
              "  for (int i = 0; i < count; ++i) pthread_join(handles[i], 0);",
              "}"]
    return "\n".join(lines) + "\n"


# --- comparing

def check(mazurka, program, number, search, folder, more=()):
    report = folder / "report.json"
    command = [mazurka, "check", "--quiet", "--keep-going", "--no-minimize", f"--search={search}", f"--json={report}",
               f"--schedules={folder}", *more, program, str(number)]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) and not (done.returncode == 3 and "--max-executions" in done.stdout):
        sys.exit(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(report.read_text())


def raced_in(report):
    return {int(finding["memory"].lstrip("v").split("+")[0]) for finding in report["findings"] if finding["kind"] == "race"}


def check_tentative(mazurka, binary, number, folder, program, context):
    """Which memory is shared may be learned: the same traces and findings as if all of it were."""
    (folder / "annotations").write_text("tentatively-unshared file:programs.c\n")
    options = ["--memory=visible", "--max-executions=500"]
    all_of_it = check(mazurka, binary, number, "optimal", folder, options)
    if not all_of_it["complete"]:
        return
    learned = check(mazurka, binary, number, "optimal", folder, [*options, f"--annotations={folder / 'annotations'}"])
    for what in ("complete", "executions"):
        expect(f"tentatively unshared: {what}", learned[what], all_of_it[what], program, context)
    kinds = [sorted(finding["kind"] for finding in report["findings"]) for report in (learned, all_of_it)]
    expect("tentatively unshared: findings", *kinds, program, context)


def torn_in(report):
    torn = [finding for finding in report["findings"] if "is in a call that is annotated as one operation" in finding["message"]]
    return {int(finding["memory"].lstrip("v").split("+")[0]) for finding in torn}


def check_atomic(mazurka, binary, number, folder, known, program, context):
    """Threads that are single operations, as far as memory goes: torn where the interpreter knows of a race, otherwise as many traces
    as it counts. If only one of them is, what is torn is raced, and without that each search comes to the same end states."""
    _, traces, raced, _ = known
    annotations = folder / "annotations"
    options = ["--memory=visible", f"--annotations={annotations}"]
    annotations.write_text(f"atomic function:p{number}_*\n")
    report = check(mazurka, binary, number, "optimal", folder, options)
    expect("torn variables", torn_in(report), raced, program, context)
    if not raced:
        expect("atomic: executions", (report["executions"], report["complete"]), (traces, True), program, context)
    annotations.write_text(f"atomic function:p{number}_0\n")
    search = ("optimal", "sleep", "persistent", "dpor")[number // 3 % 4]
    report = check(mazurka, binary, number, search, folder, [*options, "--compare=none", "--max-executions=2000"])
    expect("one is atomic: torn variables that are not raced", torn_in(report) - raced, set(), program, context)
    if not torn_in(report):
        expect("one is atomic: differences", report["compared"]["differences"], [], program, context)


def expect(what, got, wanted, program, context):
    if got != wanted:
        text = "\n".join(" ".join(map(c_operation, thread)) for thread in program)
        sys.exit(f"{context}: {what}: {got}, not {wanted}\n{text}")


def main():
    mazurka, folder = pathlib.Path(os.environ["MAZURKA"]), pathlib.Path(sys.argv[1])
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else int(os.environ.get("MAZURKA_RANDOM_PROGRAMS", "48"))
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else int(os.environ.get("MAZURKA_RANDOM_SEED", "1"))
    dice = random.Random(seed)
    programs, known = [], []
    while len(programs) < wanted:
        program = random_program(dice)
        answer = interleavings(program)
        if answer is not None:
            programs.append(program)
            known.append(answer)
    folder.mkdir(parents=True, exist_ok=True)
    totals = [0, 0, 0]
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "programs.c").write_text(c_file(programs))
        built = []
        for compiler in ("gcc", "clang"):
            for level in ("-O0", "-O2"):
                built.append(scratch / f"programs{compiler}{level}")
                # Functions with the same code stay functions: they are annotated by name.
                apart = ["-fno-ipa-icf"] if compiler == "gcc" else []
                subprocess.run([str(mazurka.parent / "mazurka-cc"), f"--cc={compiler}", level, *apart, "-w", "-pthread", "-o",
                                str(built[-1]), str(scratch / "programs.c")], check=True)
        for number, (program, (count, traces, raced, deadlocks)) in enumerate(zip(programs, known)):
            binary = built[number % len(built)]
            for search in ("none", "optimal", ("sleep", "persistent", "dpor", "wakeup")[number % 4]):
                more = ["--reset=fork"] if (number + len(search)) % 5 == 0 else []
                context = f"seed {seed}, program {number}, {binary.name}, {search} {more}"
                report = check(mazurka, binary, number, search, scratch, more)
                if not raced:
                    expect("complete", report["complete"], True, program, context)
                expect("raced variables", raced_in(report), raced, program, context)
                found = any(finding["kind"] == "deadlock" for finding in report["findings"])
                expect("deadlock", found, deadlocks, program, context)
                # Plain accesses that race are not interleaved, so a trace may have more than one result then.
                executions = {"none": count, "optimal": None if raced else traces}.get(search)
                if executions is not None:
                    expect("executions", report["executions"], executions, program, context)
            if number % 3 == 0:
                check_tentative(mazurka, binary, number, scratch, program, context)
                check_atomic(mazurka, binary, number, scratch, known[number], program, context)
            totals = [totals[0] + count, totals[1] + traces, totals[2] + (len(raced) > 0)]
    print(f"seed {seed}: {len(programs)} programs, {totals[0]} interleavings, {totals[1]} traces, {totals[2]} with races")


if __name__ == "__main__":
    main()
