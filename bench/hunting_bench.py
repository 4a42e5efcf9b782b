#!/usr/bin/env python3
"""How many executions each sampler needs for the bugs of tests/e2e/hunting: the mean over 20 seeds, as a table for
docs/hunting.md, with the mean that PCT's bound allows (n k^(d-1)) beside what was seen.

    hunting_bench.py MAZURKA MAZURKA_CXX SOURCES [--seeds=20] [--most=20000] [PROGRAM ...]

PROGRAM is a name, or name:argument. A seed that finds nothing counts with all its executions: then the mean is given as
"> mean (found of seeds)". With --default, the time that `mazurka check` takes without options is measured instead.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile
import time

# Program, argument, depth of the bug.
PROGRAMS = [
    ("reorder", 3, 2), ("reorder", 10, 2), ("reorder", 20, 2), ("reorder", 100, 2), ("twostage", 3, 2), ("twostage", 10, 2),
    ("twostage", 20, 2), ("twostage", 100, 2), ("work_stealing", 0, 3), ("bounded_buffer", 2, 3), ("bounded_buffer", 10, 3),
    ("philosophers", 5, 5), ("philosophers", 30, 30), ("safe_stack", 0, 6),
]
SAMPLERS = ("random", "pct", "pos", "surw", "lag")


def check(arguments, folder, program, argument, *options):
    report = pathlib.Path(folder, "out.json")
    command = [arguments.mazurka, "check", "--quiet", f"--json={report}", f"--schedules={folder}", *options, f"{folder}/{program}",
               *([str(argument)] if argument else [])]
    begin = time.monotonic()
    subprocess.run(command, capture_output=True)
    return json.loads(report.read_text()), time.monotonic() - begin


def cell(arguments, folder, program, argument, sampler, depth):
    counts, found, bound = [], 0, 0
    for seed in range(1, arguments.seeds + 1):
        report, _ = check(arguments, folder, program, argument, f"--search={sampler}", f"--seed={seed}", f"--bug-depth={min(depth, 32)}",
                          f"--max-executions={arguments.most}", "--jobs=1", "--no-minimize")
        counts.append(report["sampled_executions"])
        found += bool(report["findings"])
        its = report["samples"]["samplers"][0]
        bound = max(bound, its["most_threads"] * its["most_steps"] ** (depth - 1))
    mean = f"{sum(counts) / len(counts):,.0f}"
    return (mean if found == arguments.seeds else f"> {mean} ({found} of {arguments.seeds})"), bound


def row(arguments, folder, program, argument, depth):
    name = f"{program} {argument}" if argument else program
    if arguments.default:
        report, seconds = check(arguments, folder, program, argument, "--jobs=2", "--timeout=120", "--no-minimize")
        found = ", ".join(finding["kind"] for finding in report["findings"]) or "nothing"
        return f"| {name} | {found} | {report['executions'] + report.get('sampled_executions', 0):,} | {seconds:.1f} |"
    cells = [cell(arguments, folder, program, argument, sampler, depth) for sampler in SAMPLERS]
    bound = cells[SAMPLERS.index("pct")][1]
    bound_text = f"{bound:,}" if bound < 10**7 else f"{bound:.0e}"
    return f"| {name} | {' | '.join(mean for mean, _ in cells)} | {depth} | {bound_text} |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mazurka")
    parser.add_argument("compiler")
    parser.add_argument("sources", type=pathlib.Path)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--most", type=int, default=20000)
    parser.add_argument("--default", action="store_true")
    arguments = parser.parse_intermixed_args()
    if arguments.default:
        print("| program | found | executions | seconds |\n|---|---|---|---|")
    else:
        print(f"| program | {' | '.join(SAMPLERS)} | depth | PCT's bound |\n|---|{'---|' * (len(SAMPLERS) + 2)}")
    with tempfile.TemporaryDirectory() as folder:
        for program, argument, depth in PROGRAMS:
            if arguments.programs and not {program, f"{program}:{argument}"} & set(arguments.programs):
                continue
            binary = pathlib.Path(folder, program)
            if not binary.exists():
                subprocess.run([arguments.compiler, "-std=c++17", "-g", "-O1", arguments.sources / f"{program}.cpp", "-o", binary], check=True)
            print(row(arguments, folder, program, argument, depth), flush=True)


if __name__ == "__main__":
    main()
