#!/usr/bin/env python3
"""What it costs that a system has several processes: each is explored as threads and as processes, in one run.

    processes_bench.py MAZURKA EXAMPLES PROGRAMS [--json=FILE] [--quick]

Both are run by the fork server with one worker and the plain search, and cut after the same number of executions: so the ratio is that
of processes to threads, and not of two resets. Columns: executions and operations in a second as processes; how many times less that
is than as threads; hand-overs for each operation. The baton goes from process to process by a futex, on which the one that gives it
away then waits: so these are counted as voluntary context switches, beyond those of the same system as threads. Making and
ending the processes has a few of them, too.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

# Name, (program, arguments) as threads, and as processes; {examples} and {programs} are folders.
ROWS = [
    ("philosophers 3", ["{examples}/philosophers_threads", "3"], ["{examples}/philosophers_processes", "3"]),
    ("philosophers 6", ["{examples}/philosophers_threads", "6"], ["{examples}/philosophers_processes", "6"]),
    ("relay over pipes, 2 bytes", ["{programs}/talk", "threads", "relay", "2"], ["{programs}/talk", "processes", "relay", "2"]),
    ("alternating bit, 3 messages", ["{programs}/talk", "threads", "alternating", "3"],
     ["{programs}/talk", "processes", "alternating", "3"]),
]
EXECUTIONS = 1000
ROUNDS = 3


def search(options, program, executions, folder):
    report = pathlib.Path(folder, "report.json")
    command = [options.mazurka, "check", "--search=none", "--keep-going", "--jobs=1", "--reset=fork",
               f"--max-executions={executions}", f"--json={report}", f"--schedules={folder}", "--",
               *(part.format(examples=options.examples, programs=options.programs) for part in program)]
    tool = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(tool.pid, 0)
    tool.returncode = os.waitstatus_to_exitcode(status)
    if tool.returncode not in (0, 1, 3):
        raise SystemExit(f"{command}: exit code {tool.returncode}")
    found = json.loads(report.read_text())
    return {"executions": found["executions"], "steps": found["steps"], "seconds": found["seconds"],
            "switches": usage.ru_nvcsw}


def best(runs):
    return min(runs, key=lambda run: run["seconds"] / run["executions"])


def measured(options, row, folder):
    name, threads, processes = row
    rounds, executions = (1, 100) if options.quick else (ROUNDS, EXECUTIONS)
    runs = [(search(options, threads, executions, folder), search(options, processes, executions, folder))
            for _ in range(rounds)]  # in turn: the machine's moods concern both
    one, several = best(run[0] for run in runs), best(run[1] for run in runs)

    def per_second(run, what):
        return run[what] / run["seconds"]

    switches = [run["switches"] / run["executions"] for run in (one, several)]
    return {
        "name": name,
        "executions_per_second": per_second(several, "executions"),
        "steps_per_second": per_second(several, "steps"),
        "threads_executions_per_second": per_second(one, "executions"),
        "executions_ratio": per_second(one, "executions") / per_second(several, "executions"),
        "steps_ratio": per_second(one, "steps") / per_second(several, "steps"),
        "hand_overs_per_step": max(0.0, switches[1] - switches[0]) / (several["steps"] / several["executions"]),
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mazurka", type=pathlib.Path)
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    results = []
    print(f"{'system, as processes':30}{'executions/s':>13}{'ratio':>8}{'operations/s':>14}{'ratio':>8}{'hand-overs':>12}")
    for row in ROWS:
        with tempfile.TemporaryDirectory() as folder:
            r = measured(options, row, folder)
        results.append(r)
        print(f"{r['name']:30}{r['executions_per_second']:13.0f}{r['executions_ratio']:6.2f} x{r['steps_per_second']:14.0f}"
              f"{r['steps_ratio']:6.2f} x{r['hand_overs_per_step']:12.2f}")
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
