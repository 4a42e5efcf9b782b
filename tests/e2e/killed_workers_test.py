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
PHILOSOPHERS = 13
KILLS = 5


def children(pid):
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*"):
        try:
            found += [int(child) for child in (task / "children").read_text().split()]
        except OSError:
            pass
    return found


def run(jobs, reset, philosophers, folder):
    """The report, and how many servers were killed."""
    report = pathlib.Path(folder, "report.json")
    command = [MAZURKA, "check", "--keep-going", f"--jobs={jobs}", f"--reset={reset}", f"--json={report}",
               f"--schedules={folder}", EXAMPLES / "philosophers_threads", str(philosophers)]
    done = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    killed = 0
    while done.poll() is None:
        time.sleep(0.03)
        servers = children(done.pid)
        if servers and killed < KILLS:
            try:
                os.kill(servers[killed % len(servers)], signal.SIGKILL)
                killed += 1
            except ProcessLookupError:
                pass
    return json.loads(report.read_text()), done.returncode, killed


def main():
    wrong = 0
    for jobs, reset, philosophers in ((1, "auto", PHILOSOPHERS), (2, "auto", PHILOSOPHERS), (2, "fork", 10)):
        with tempfile.TemporaryDirectory() as folder:
            report, code, killed = run(jobs, reset, philosophers, folder)
        kinds = [finding["kind"] for finding in report["findings"]]
        print(f"{jobs} jobs, {reset}: {killed} killed, {report['executions']} executions, {kinds}, exit code {code}")
        if killed == 0:
            print("nobody was killed: this showed nothing")
            wrong += 1
        if report["executions"] != 2**philosophers - 1 or kinds != ["deadlock"] or code != 1:
            wrong += 1
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
