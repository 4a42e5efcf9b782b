#!/usr/bin/env python3
"""mazurka check --transitions on programs whose counts are known: Stoller's own examples, and what makes releases visible.

transitions_test.py SOURCES; MAZURKA in the environment is the command.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

# (source, flags of the compiler, options, executions or None, kinds of findings, whether it is complete, a part of its output)
CASES = [
    # Section 6: one order for the common lock, or the other. Composed, two sections that read commute.
    ("two_locks", [], ["--transitions=first", "--search=sleep"], 2, set(), True, ""),
    ("two_locks", [], ["--transitions=first", "--search=persistent"], 2, set(), True, ""),
    ("two_locks", [], ["--transitions=first"], 2, set(), True, ""),
    ("two_locks", [], ["--transitions=composed"], 1, set(), True, "transitions were composed"),
    ("two_locks", [], ["--transitions=composed", "--search=persistent"], 1, set(), True, ""),
    ("two_locks", ["-DWRITES"], ["--transitions=composed"], 2, set(), True, ""),
    # Every interleaving of 2 x 2 transitions and two joins: of the 6 of these transitions, one has the first join in 3 places,
    # two in 2, three in 1.
    ("two_locks", [], ["--transitions=first", "--search=none"], 10, set(), True, ""),
    # His condition (4) needs both sides to take the lock and to give it back.
    ("keeps_lock", [], ["--transitions=composed"], 2, {"deadlock"}, True, ""),
    # Locking once more what is owned is invisible: one of two threads comes first; and the first join may come between them.
    ("recursive", [], ["--transitions=first", "--search=none"], 3, set(), True, ""),
    ("recursive", [], ["--transitions=composed"], 1, set(), True, ""),
    # Which words a transition accesses follows from the lock that it takes, not from its number.
    ("two_ways", [], ["--transitions=composed", "--search=persistent"], 12, set(), True, ""),
    # Bytes count, not words: but a word that is read as a whole depends on both of its halves.
    ("neighbours", [], ["--transitions=composed", "--compare=none"], 1, set(), True, ""),
    ("neighbours", ["-DBYTES"], ["--transitions=composed", "--search=persistent"], 1, set(), True, ""),
    ("neighbours", ["-DWHOLE"], ["--transitions=composed"], 3, set(), True, ""),
    ("neighbours", ["-DWHOLE"], ["--transitions=composed", "--search=persistent"], 3, set(), True, ""),
    # A lock that somebody tries.
    ("two_locks", ["-DTRIES"], ["--transitions=first", "--search=sleep", "--compare=none"], None, set(), True,
     "the releases of 1 lock were visible, because the program tries, times or destroys it"),
    ("two_locks", ["-DTRIES"], ["--transitions=composed", "--compare=none"], None, set(), True, "the releases of 1 lock were"),
    # Section 9: MLD' reports it in the only order that is run; and then nothing is promised.
    ("late_initialisation", [], ["--transitions=first", "--search=sleep", "--discipline"], None,
     {"locking-discipline", "race"}, True, ""),
    ("late_initialisation", [], ["--transitions=composed"], None, {"locking-discipline", "race"}, False,
     "without it composed transitions may hide behaviour"),
]

# Options that do not go together, and what is said.
WRONG = [
    (["--transitions=late"], "'late' is none of visible, first, composed"),
    (["--transitions=composed", "--search=optimal"], "asks what a transition accesses before it was run"),
    (["--transitions=composed", "--search=sleep", "--conditional"], "--conditional has nothing to add"),
    (["--transitions=composed", "--memory=visible"], "does not go with --memory=visible"),
    (["--transitions=first", "--checkpoint=x"], "cannot be saved"),
]


def build(mazurka, source, flags, folder, compiler="mazurka-cc"):
    program = folder / "-".join([source.stem, compiler, *flags])
    command = [mazurka.parent / compiler if compiler.startswith("mazurka") else compiler]
    subprocess.run([*map(str, command), "-O1", "-g", "-pthread", *flags, "-o", str(program), str(source)], check=True)
    return program


def run(mazurka, program, options, folder):
    report = folder / "report.json"
    report.unlink(missing_ok=True)
    command = [mazurka, "check", "--keep-going", f"--json={report}", f"--schedules={folder}", *options, "--", program]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    text = report.read_text() if report.exists() else ""
    result = json.loads(text) if text else {}
    return " ".join(map(str, command)), done, result


def check_case(mazurka, sources, folder, case):
    name, flags, options, executions, kinds, complete, text = case
    command, done, result = run(mazurka, build(mazurka, sources / f"{name}.c", flags, folder), options, folder)
    got = {finding["kind"] for finding in result.get("findings", [])}
    right = (got == kinds and result.get("complete") == complete and executions in (None, result.get("executions")) and
             text in done.stdout and not result.get("compared", {}).get("differences"))
    if not right:
        print(f"{command}: expected {case[3:]}\n{done.stdout}{done.stderr}")
    return right


def check_persistent(mazurka, sources, folder):
    """With the words of both ways for one transition, 19 executions would come to nothing."""
    command, done, result = run(mazurka, build(mazurka, sources / "two_ways.c", [], folder),
                                ["--transitions=composed", "--search=persistent"], folder)
    right = result.get("blocked_executions") == 0
    if not right:
        print(f"{command}: expected no blocked executions\n{done.stdout}{done.stderr}")
    return right


def check_wrong(mazurka, program, folder, options, text):
    command, done, _ = run(mazurka, program, options, folder)
    right = done.returncode == 2 and text in done.stderr
    if not right:
        print(f"{command}: expected exit code 2 and '{text}'\n{done.stdout}{done.stderr}")
    return right


def main(sources):
    mazurka = pathlib.Path(os.environ["MAZURKA"]).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        results = [check_case(mazurka, sources, folder, case) for case in CASES]
        results.append(check_persistent(mazurka, sources, folder))
        program = build(mazurka, sources / "two_locks.c", [], folder)
        results += [check_wrong(mazurka, program, folder, *wrong) for wrong in WRONG]
        blind = build(mazurka, sources / "two_locks.c", [], folder, "gcc")
        results.append(check_wrong(mazurka, blind, folder, ["--transitions=composed"], "must see memory accesses"))
    return not all(results)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
