#!/usr/bin/env python3
"""How fast programs with atomic variables are explored: queues, locks, and what others have measured. One table, one run.

    memory_bench.py MAZURKA [--json=FILE] [--quick]

Columns: executions; operations of an execution; microseconds of an execution with one worker, reset in place (the best of three) and by
the fork server; how many times faster the first is; where the same program was measured with GenMC, that tool's time for one
execution against ours, as it was on another day.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

MEMORY = pathlib.Path(__file__).parent.parent / "tests" / "e2e" / "memory"
# Name, source, arguments, microseconds of GenMC.
ROWS = [
    ("Treiber stack", "treiber_stack.c", [], None),
    ("Michael-Scott queue", "michael_scott_queue.c", [], None),
    ("Chase-Lev queue", "chase_lev.c", [], None),
    ("ticket lock", "ticket_lock.c", [], None),
    ("MCS lock", "mcs_lock.c", [], None),
    ("seqlock", "seqlock.c", [], None),
    ("Peterson, two rounds", "peterson.c", [2], None),
    ("adders 3x3", "counts/adders.c", [3, 3], None),
    ("readers 14", "counts/readers.c", [14], 0.40e6 / 2**14),
    ("lastzero 12", "counts/last_zero.c", [12], 1.55e6 / 15360),
    ("lastzero 15", "counts/last_zero.c", [15], 19.5e6 / (18 * 2**13)),
    ("indexer 15", "counts/indexer.c", [15], 2.08e6 / 4096),
]
QUICK = {"Treiber stack", "MCS lock"}
FORK_EXECUTIONS = 1000
TRIES = 3


def search(mazurka, program, arguments, options, folder):
    report = pathlib.Path(folder, "report.json")
    command = [mazurka, "check", "--keep-going", "--jobs=1", f"--json={report}", f"--schedules={folder}", *options, "--",
               program, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        raise SystemExit(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(report.read_text())


def measured(mazurka, row, folder):
    name, source, arguments, genmc = row
    program = pathlib.Path(folder, "program")
    subprocess.run([mazurka.parent / "mazurka-cc", "-O2", "-o", program, MEMORY / source], check=True)
    found = min((search(mazurka, program, arguments, [], folder) for _ in range(TRIES)), key=lambda report: report["seconds"])
    forked = search(mazurka, program, arguments, ["--reset=fork", f"--max-executions={FORK_EXECUTIONS}"], folder)
    cost = [1e6 * r["seconds"] / r["executions"] for r in (found, forked)]
    result = {"name": name, "executions": found["executions"], "complete": found["complete"],
              "operations": found["transitions"] / found["executions"], "in_place_us": cost[0], "fork_us": cost[1]}
    if genmc is not None:
        result["genmc_us"] = genmc
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mazurka", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    results = []
    print(f"{'program':22}{'executions':>11}{'operations':>12}{'in place':>11}{'fork':>10}{'ratio':>8}{'GenMC':>9}")
    for row in ROWS:
        if options.quick and row[0] not in QUICK:
            continue
        with tempfile.TemporaryDirectory() as folder:
            r = measured(options.mazurka, row, folder)
        results.append(r)
        genmc = f"{r['genmc_us'] / r['in_place_us']:6.2f} x" if "genmc_us" in r else ""
        print(f"{r['name']:22}{r['executions']:11}{r['operations']:12.1f}{r['in_place_us']:8.1f} us{r['fork_us']:7.0f} us"
              f"{r['fork_us'] / r['in_place_us']:6.1f} x{genmc:>9}")
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
