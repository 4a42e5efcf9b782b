#!/usr/bin/env python3
"""Makes each mistake of the tables of operations and kinds in turn (mutations.h), and says which test notices.

    tests/mutation/run_mutation.py                       all of them; goes on where it was stopped
    tests/mutation/run_mutation.py SignalCancel '*.order'   those that begin so, or that match the pattern
    tests/mutation/run_mutation.py --quick               without the tests that take long
    tests/mutation/run_mutation.py --report              what is known so far, and nothing is run

The preset "mutation" is built first: there row_of() asks a table that MUTATE_MAZURKA changes when a process starts. Each mutation is
held against the tests of STAGES, the quickest first, until one fails. What was caught is kept in build/mutation/mutation.tsv, and not
tried again without --again. equivalent.txt lists what no test can catch, with the reason. Exit code 1: something else survived.
"""
import argparse
import fnmatch
import os
import pathlib
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "mutation"
RESULTS = BUILD / "mutation.tsv"
SHORT_CUTS = "Frequent*"  # they are switched off in this build
TIMEOUT_S = 600

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
    Stage("rows_test", columns=SEARCHES, worlds=ANY_STATES, long=True),
    Stage("random_search_test", MAZURKA_RANDOM_SCRIPTS="1000", long=True),
    Stage("reductions_random_test", MAZURKA_RANDOM_PROGRAMS="1000", long=True),
    Stage("testing_searches_test", long=True),
    Stage("explore_test", long=True),
    Stage("kinds_test", f"--gtest_filter=*InEveryState:-{SHORT_CUTS}", long=True, columns=MODEL),
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


def fails(stage, mutation, worlds):
    """Whether the stage notices."""
    environment = {**os.environ, **stage.settings, "MUTATE_MAZURKA": mutation}
    more = []
    if stage.worlds is not None:
        chosen = [world for states, world in worlds if states <= stage.worlds]
        if not chosen:
            return False
        environment["MAZURKA_SMALL_WORLDS"] = ";".join(chosen)
        more = chosen if stage.program == "mutants" else []
    try:
        done = subprocess.run(stage.command() + more, env=environment, capture_output=True, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return True
    if done.returncode == 3:
        sys.exit(done.stderr.decode())
    return done.returncode != 0


def run(mutation, worlds, quick):
    """The name of the test that fails, or None."""
    column = mutation.split(".", 1)[1]
    for stage in STAGES:
        if stage.is_for(column) and not (quick and stage.long) and fails(stage, mutation, worlds):
            return stage.name()
    return None


def check_that_all_pass(todo):
    """Without a mutation nothing may fail, or all would be caught."""
    columns = {mutation.split(".", 1)[1] for _, mutation in todo}
    for stage in STAGES:
        if not stage.long and any(stage.is_for(column) for column in columns) and fails(stage, "", []):
            sys.exit(f"fails without any mutation: {stage.name()}")


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


def try_all(todo, mutations, quick, jobs, caught):
    """Tries them, some at a time, and writes down what was caught."""
    todo, lock = list(reversed(todo)), threading.Lock()

    def work():
        while True:
            with lock:
                if not todo:
                    return
                what, mutation = todo.pop()
            began = time.monotonic()
            test = run(mutation, mutations.worlds_of(what, mutation), quick)
            with lock:
                print(f"{mutation}: {test or 'SURVIVED'} ({time.monotonic() - began:.1f} s, {len(todo)} left)", flush=True)
                if test:
                    caught[mutation] = test
                    with RESULTS.open("a") as results:
                        results.write(f"{mutation}\t{test}\n")

    threads = [threading.Thread(target=work) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def report(names, caught, reasons):
    survivors = []
    for _, mutation in names:
        reason = reason_for(mutation, reasons)
        if mutation in caught:
            print(f"{mutation}\tcaught\t{caught[mutation]}")
        elif reason:
            print(f"{mutation}\tequivalent\t{reason}")
        else:
            survivors.append(mutation)
            print(f"{mutation}\tSURVIVED\t")
    print(f"{len(names)} mutations: {sum(m in caught for _, m in names)} caught, {len(survivors)} survived")
    return survivors


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
    caught = dict(read_lines(RESULTS))
    wanted = [(what, mutation) for what, mutation in mutations.names if is_wanted(mutation, arguments.patterns)]
    reasons = equivalents()
    if not arguments.report:
        todo = [(what, m) for what, m in wanted
                if arguments.again or (m not in caught and reason_for(m, reasons) is None)]
        check_that_all_pass(todo)
        try_all(todo, mutations, arguments.quick, arguments.jobs, caught)
    return 1 if report(wanted, caught, reasons) else 0


if __name__ == "__main__":
    sys.exit(main())
