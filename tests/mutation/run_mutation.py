#!/usr/bin/env python3
"""Makes each mistake of the tables of operations and kinds in turn (mutations.h), and says which test notices.

    tests/mutation/run_mutation.py                       all of them; goes on where it was stopped
    tests/mutation/run_mutation.py SignalCancel '*.order'   those that begin so, or that match the pattern
    tests/mutation/run_mutation.py --quick               without the tests that take long
    tests/mutation/run_mutation.py --report              what is known so far, and nothing is run

The preset "mutation" is built first: there row_of() asks a table that MUTATE_MAZURKA changes when a process starts. Each mutation is
held against the tests of STAGES, the quickest first, until one fails. A test that does not end is no failure by itself: its CPU time is
limited, to many times what it takes without the mutation, and the report says so where nothing else notices. What came out is kept in
build/mutation/mutation.tsv; what was caught is not tried again without --again. equivalent.txt lists what no test can catch, with the
reason. Exit code 1: something else survived, or was not tried.
"""
import argparse
import fnmatch
import math
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "mutation"
RESULTS = BUILD / "mutation.tsv"
SHORT_CUTS = "Frequent*"  # they are switched off in this build
CPU_S = 20  # at first; then this many times what the test takes without the mutation
TIMES_UNMUTATED = 10
HANGS_S = 3600  # a test that uses no CPU time either: never counted, it may be the machine

MODEL = ("accesses.", "enabled.", "misuse", "may_be_removed", "interrupted", "takes_signals", "commute", "shows_time")
SEARCHES = ("blocks", "several", "destroys", "ends_threads", "brings_signals", "awaits", "releases", "mentioned", "sure",
            "disabled_by", "is_unseen")
RUNTIME_ONLY = ("order",)


class Stage:
    """A test program: its arguments, its settings, whether only a full run has it, and how many states its small worlds have at most."""

    def __init__(self, program, *arguments, long=False, columns=None, worlds=None, **settings):
        self.program, self.arguments, self.long, self.columns, self.settings = program, arguments, long, columns, settings
        self.worlds = worlds

    def name(self):
        settings = [f"{key}={value}" for key, value in self.settings.items() if key != "MAZURKA"]
        return " ".join(settings + [self.program, *(a for a in self.arguments if not a.startswith("/"))])

    def is_for(self, column):
        if self.columns is not None:
            return column.startswith(self.columns)
        return not column.startswith(RUNTIME_ONLY)

    def target(self):
        return "mazurka" if self.program.endswith(".py") else self.program

    def command(self):
        if self.program.endswith(".py"):
            return [sys.executable, str(ROOT / self.program), *self.arguments]
        brief = ["--gtest_brief=1", "--gtest_fail_fast"] if self.program.endswith("_test") else []
        return [str(BUILD / "tests" / self.program), *brief, *self.arguments]


FEW_STATES, ANY_STATES = 2000, 1 << 30

STAGES = [
    Stage("kinds_test", "--gtest_filter=OpTable*", columns=MODEL),
    Stage("testing_worlds_test", "--gtest_filter=Dependency*", columns=MODEL),
    Stage("kinds_test", f"--gtest_filter=-*InEveryState:{SHORT_CUTS}", columns=MODEL),
    Stage("rows_test", columns=SEARCHES, worlds=FEW_STATES),
    Stage("mutants", "check", columns=MODEL, worlds=FEW_STATES),
    Stage("schedule_test", columns=("looks_at_lock",)),
    Stage("explore_test", columns=("fails",)),
    Stage("rows_test", columns=("enabled.",)),
    Stage("tests/e2e/orders_test.py", str(ROOT / "tests" / "e2e" / "orders" / "orders.c"), columns=("order",),
          MAZURKA=str(BUILD / "bin" / "mazurka")),
    Stage("schedule_test", long=True),
    Stage("testing_scripts_test", long=True),
    Stage("mutants", "check", columns=MODEL, worlds=ANY_STATES, long=True),
    Stage("kinds_test", f"--gtest_filter=*InEveryState:-{SHORT_CUTS}", long=True, columns=MODEL),
    Stage("rows_test", columns=SEARCHES, worlds=ANY_STATES, long=True),
    Stage("random_search_test", MAZURKA_RANDOM_SCRIPTS="1000", long=True),
    Stage("reductions_random_test", MAZURKA_RANDOM_PROGRAMS="1000", long=True),
    Stage("testing_searches_test", long=True),
    Stage("explore_test", long=True),
    Stage("random_search_test", long=True),
    Stage("reductions_random_test", long=True),
]


class Mutations:
    """What `mutants list` says: the mutations, and which small worlds an operation or object is in."""

    def __init__(self):
        self.names, self.worlds = [], {}
        text = subprocess.run([BUILD / "tests" / "mutants", "list"], check=True, capture_output=True, text=True).stdout
        worlds = []
        for line in text.splitlines():
            what, *fields = line.split("\t")
            if what == "world":
                worlds.append((int(fields[0]), fields[1], fields[2].split()))
            else:
                self.names.append((what, fields[0]))
        for states, world, kinds in sorted(worlds):
            for kind in kinds:
                self.worlds.setdefault(kind, []).append((states, world))

    def worlds_of(self, what, mutation):
        kind = mutation.split(".")[0]
        return self.worlds.get(("OpKind." if what == "op" else "ObjectKind.") + kind, [])


class Tests:
    """Runs stages, and knows how much CPU time each takes without a mutation."""

    def __init__(self):
        self.unmutated, self.lock = {}, threading.Lock()

    @staticmethod
    def run(stage, mutation, chosen, cpu_s):
        """Whether it fails ("fails"), does not end in that CPU time ("loops"), or passes (""); and the CPU time."""
        environment = {**os.environ, **stage.settings, "MUTATE_MAZURKA": mutation}
        if chosen:
            environment["MAZURKA_SMALL_WORLDS"] = ";".join(chosen)
        command = stage.command() + (chosen if stage.program == "mutants" else [])

        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 5))

        with tempfile.TemporaryFile() as errors:
            child = subprocess.Popen(command, env=environment, preexec_fn=limit, start_new_session=True,
                                     stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
            alarm = threading.Timer(HANGS_S, os.killpg, (child.pid, signal.SIGKILL))
            alarm.start()
            _, status, usage = os.wait4(child.pid, 0)
            is_hung = not alarm.is_alive()
            alarm.cancel()
            child.returncode = code = os.waitstatus_to_exitcode(status)
            if code == 3 or is_hung:
                errors.seek(0)
                sys.stdout.flush()
                print(f"{stage.name()}, {mutation}: {'hangs' if is_hung else errors.read().decode()}", file=sys.stderr)
                os._exit(4)
        used = usage.ru_utime + usage.ru_stime
        # What the test starts has the limit for itself, and makes it fail when it is over. The kernel counts ticks for the
        # limit, and more exactly for what was used.
        is_over = code in (-signal.SIGXCPU, -signal.SIGKILL) or used > 0.7 * cpu_s
        if code != 0 and is_over:
            return "loops", used
        return ("fails" if code != 0 else ""), used

    def unmutated_s(self, stage, chosen):
        """How much CPU time it takes without a mutation; and then it must pass, or all would be caught."""
        key = (stage.name(), tuple(chosen))
        with self.lock:
            known = self.unmutated.get(key)
        if known is None:
            says, known = self.run(stage, "", chosen, HANGS_S)
            if says:
                sys.stdout.flush()
                print(f"fails without any mutation: {stage.name()}", file=sys.stderr)
                os._exit(4)
            with self.lock:
                self.unmutated[key] = known
        return known

    def hold(self, stage, mutation, worlds):
        """What run() says, with time enough."""
        chosen = []
        if stage.worlds is not None:
            chosen = [world for states, world in worlds if states <= stage.worlds]
            if not chosen:
                return "", 0
        says, used = self.run(stage, mutation, chosen, CPU_S)
        if says != "loops":
            return says, used
        enough = math.ceil(TIMES_UNMUTATED * self.unmutated_s(stage, chosen))
        return self.run(stage, mutation, chosen, enough) if enough > CPU_S else (says, used)

    def verdict(self, mutation, worlds, quick):
        """Caught, and by which test; or what survived what."""
        column = mutation.split(".", 1)[1]
        loops = None
        for stage in STAGES:
            if not stage.is_for(column) or (quick and stage.long):
                continue
            says, used = self.hold(stage, mutation, worlds)
            if says == "fails":
                if stage.worlds is None:
                    self.unmutated_s(stage, [])
                return "caught", stage.name()
            if says == "loops" and loops is None:
                loops = f"{stage.name()}, which does not end: stopped after {used:.0f} s of CPU time"
        if loops:
            return "caught", loops
        return "SURVIVED", "the quick tests" if quick else "all tests"


def read_lines(path):
    if not path.exists():
        return []
    lines = [line.split("\t") for line in path.read_text().splitlines()]
    return [line for line in lines if line[0] and not line[0].startswith("#")]


def equivalents():
    return [(pattern, reason) for pattern, reason in read_lines(pathlib.Path(__file__).with_name("equivalent.txt"))]


def reason_for(mutation, reasons):
    return next((reason for pattern, reason in reasons if fnmatch.fnmatchcase(mutation, pattern)), None)


def is_wanted(mutation, patterns):
    return not patterns or any(mutation == p or mutation.startswith(p + ".") or fnmatch.fnmatchcase(mutation, p)
                               for p in patterns)


def try_all(todo, mutations, quick, jobs, results):
    """Tries them, some at a time, and writes down what came out."""
    todo, lock, tests = list(reversed(todo)), threading.Lock(), Tests()

    def work():
        while True:
            with lock:
                if not todo:
                    return
                what, mutation = todo.pop()
            began = time.monotonic()
            verdict, by = tests.verdict(mutation, mutations.worlds_of(what, mutation), quick)
            with lock:
                print(f"{mutation}: {verdict}: {by} ({time.monotonic() - began:.1f} s, {len(todo)} left)", flush=True)
                results[mutation] = (verdict, by)
                with RESULTS.open("a") as file:
                    file.write(f"{mutation}\t{verdict}\t{by}\n")

    threads = [threading.Thread(target=work) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def report(names, results, reasons):
    """Prints what is known of each. Returns those that are neither caught nor equivalent."""
    counts, left = {}, []
    for _, mutation in names:
        reason = reason_for(mutation, reasons)
        verdict, by = results.get(mutation, ("NOT TRIED", ""))
        if verdict != "caught" and reason:
            verdict, by = "equivalent", reason
        elif verdict != "caught":
            left.append(mutation)
        counts[verdict] = counts.get(verdict, 0) + 1
        print(f"{mutation}\t{verdict}\t{by}")
    print(f"{len(names)} mutations: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    return left


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("patterns", nargs="*")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--no-build", action="store_true", help="what is needed has been built")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    if not arguments.report and not arguments.no_build:
        subprocess.run(["cmake", "--preset", "mutation"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        targets = {stage.target() for stage in STAGES if not (arguments.quick and stage.long)}
        subprocess.run(["cmake", "--build", BUILD, "--parallel", str(arguments.jobs), "--target", *targets], check=True)
    mutations = Mutations()
    results = {mutation: (verdict, by) for mutation, verdict, by in read_lines(RESULTS)}
    wanted = [(what, mutation) for what, mutation in mutations.names if is_wanted(mutation, arguments.patterns)]
    reasons = equivalents()
    if not arguments.report:
        todo = [(what, m) for what, m in wanted
                if arguments.again or (results.get(m, ("",))[0] != "caught" and reason_for(m, reasons) is None)]
        try_all(todo, mutations, arguments.quick, arguments.jobs, results)
    return 1 if report(wanted, results, reasons) else 0


if __name__ == "__main__":
    sys.exit(main())
