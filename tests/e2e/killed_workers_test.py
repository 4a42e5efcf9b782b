#!/usr/bin/env python3
"""Servers that somebody kills from outside: their work is done again, and the verdict is the same.

    killed_workers_test.py
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

MAZURKA = os.environ["MAZURKA"]
EXAMPLES = pathlib.Path(os.environ["MAZURKA_EXAMPLES"])
KILLS = 10
LAUNCH_TICKS = 6
# jobs, reset, search, philosophers. With optimal, plans are handed over in batches; with sleep, one by one.
RUNS = ((1, "auto", "optimal", 13), (2, "auto", "optimal", 13), (2, "fork", "optimal", 10), (2, "auto", "sleep", 7))


def children(pid):
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*"):
        try:
            found += [int(child) for child in (task / "children").read_text().split()]
        except OSError:
            pass
    return found


def has_worked(pid):
    """Whether it has long been launched, by its processor time: a kill before main is rightly an error."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12]) >= LAUNCH_TICKS


def run(jobs, reset, search, philosophers, folder):
    """The report, the exit code, and how many servers were killed."""
    report = pathlib.Path(folder, "report.json")
    command = [MAZURKA, "check", "--keep-going", f"--jobs={jobs}", f"--reset={reset}", f"--search={search}",
               f"--json={report}", f"--schedules={folder}", EXAMPLES / "philosophers_threads", str(philosophers)]
    done = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    killed = 0
    while done.poll() is None:
        time.sleep(0.03)
        for server in children(done.pid):
            try:
                if killed < KILLS and has_worked(server):
                    os.kill(server, signal.SIGKILL)
                    killed += 1
            except OSError:
                pass
    return json.loads(report.read_text()), done.returncode, killed


def main():
    wrong = all_killed = 0
    for jobs, reset, search, philosophers in RUNS:
        with tempfile.TemporaryDirectory() as folder:
            report, code, killed = run(jobs, reset, search, philosophers, folder)
        kinds = [finding["kind"] for finding in report["findings"]]
        print(f"{jobs} jobs, {reset}, {search}: {killed} killed, {report['executions']} executions, {kinds}, exit code {code}")
        all_killed += killed
        if report["executions"] != 2**philosophers - 1 or kinds != ["deadlock"] or code != 1:
            wrong += 1
    if all_killed == 0:
        print("nobody was killed: this showed nothing")
        wrong += 1
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
