#!/usr/bin/env python3
"""How good the estimates of `mazurka estimate` are: the truth by a search to its end, and beside it what was said after 1 and 10
seconds, with different seeds. As a table for docs/hunting.md.

    estimate_bench.py MAZURKA MAZURKA_CXX SOURCE_FOLDER [--seeds=10] [--seconds=1,10] [PROGRAM ...]

PROGRAM is a source file's name without its ending, or name:argument. A cell says in how many of the runs the truth was in the
interval, and by which factors the mean run's interval goes from its lower to its upper end.
"""

import argparse
import json
import math
import pathlib
import subprocess
import tempfile

PROGRAMS = [
    ("examples/philosophers_threads/philosophers_threads.c", "10"), ("examples/philosophers_threads/philosophers_threads.c", "13"),
    ("examples/philosophers_threads/philosophers_threads.c", "16"), ("examples/philosophers_threads/philosophers_threads.c", "20"),
    ("bench/lock_counter.c", "3 3"), ("bench/lock_counter.c", "3 4"), ("bench/lock_counter.c", "3 5"),
    ("tests/e2e/hunting/twostage.cpp", "3"), ("tests/e2e/hunting/twostage.cpp", "4"),
    ("tests/e2e/hunting/reorder.cpp", "4"), ("tests/e2e/hunting/reorder.cpp", "5"),
    ("tests/e2e/hunting/bounded_buffer.cpp", "2"),
]


def truth(arguments, folder, command):
    report = pathlib.Path(folder, "check.json")
    subprocess.run([arguments.mazurka, "check", "--search=optimal", "--keep-going", "--no-minimize", f"--json={report}",
                    f"--schedules={folder}", f"--timeout={arguments.limit}", *command], capture_output=True)
    found = json.loads(report.read_text())
    return found["executions"] if found["complete"] else None


def estimates(arguments, folder, command, seconds):
    report = pathlib.Path(folder, "estimate.json")
    for seed in range(1, arguments.seeds + 1):
        # Seven tenths of the time are for the search itself.
        subprocess.run([arguments.mazurka, "estimate", f"--timeout={seconds / 0.7:.2f}", f"--seed={seed}", f"--json={report}", *command],
                       capture_output=True, check=True)
        yield json.loads(report.read_text())


def cell(size, all_of_them):
    good = sum(its["low"] * 0.999999 <= size and (its["high"] is None or size <= its["high"] * 1.000001) for its in all_of_them)
    widths = [math.log10(its["high"] / its["low"]) if its["high"] else math.inf for its in all_of_them]
    factor = 10 ** (sum(widths) / len(widths)) if math.inf not in widths else math.inf
    errors = sorted(its["executions"] / size for its in all_of_them)
    exact = " exact" if all(its["exact"] for its in all_of_them) else f", {errors[0]:.2f} to {errors[-1]:.2f}, x {factor:.2f}"
    return f"{good} of {len(all_of_them)}{exact}", good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mazurka")
    parser.add_argument("compiler")
    parser.add_argument("sources", type=pathlib.Path)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--seconds", default="1,10")
    parser.add_argument("--limit", type=int, default=300)
    arguments = parser.parse_intermixed_args()
    times = [float(text) for text in arguments.seconds.split(",")]
    print(f"| program | executions | {' | '.join(f'{time:g} s' for time in times)} |\n|---|---|{'---|' * len(times)}")
    total = [0, 0]
    with tempfile.TemporaryDirectory() as folder:
        for source, words in PROGRAMS:
            name = pathlib.Path(source).stem
            if arguments.programs and not {name, f"{name}:{words}"} & set(arguments.programs):
                continue
            binary = pathlib.Path(folder, name)
            if not binary.exists():
                compiler = [arguments.compiler, "-std=c++17"] if source.endswith(".cpp") else ["cc"]
                subprocess.run([*compiler, "-g", "-O1", "-pthread", arguments.sources / source, "-o", binary], check=True)
            command = [str(binary), *words.split()]
            size = truth(arguments, folder, command)
            if size is None:
                print(f"| {name} {words} | more than can be searched |", flush=True)
                continue
            cells = []
            for seconds in times:
                text, good = cell(size, list(estimates(arguments, folder, command, seconds)))
                cells.append(text)
                total = [total[0] + good, total[1] + arguments.seeds]
            print(f"| {name} {words} | {size:,} | {' | '.join(cells)} |", flush=True)
    print(f"\nThe truth was in the interval {total[0]} times of {total[1]}.")


if __name__ == "__main__":
    main()
