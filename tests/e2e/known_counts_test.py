#!/usr/bin/env python3
"""Programs whose traces others have counted, or a calculation gives: `optimal` executes each once.

    known_counts_test.py FOLDER

FOLDER has the programs of counts/. Those that take long run where MAZURKA_NIGHTLY is set.
"""

import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile


def orders(threads, rounds):
    """Of so many critical sections of each thread."""
    return math.factorial(threads * rounds) // math.factorial(rounds) ** threads


# Program and arguments: executions.
COUNTS = {
    # Of the blocks' locks, NUMBER - 13 are wanted by two threads.
    ("filesystem", 13): 1,
    ("filesystem", 14): 2,
    ("filesystem", 16): 8,
    ("filesystem", 18): 32,
    ("filesystem", 19): 64,
    ("counter", 3, 1): orders(3, 1),
    ("counter", 4, 1): orders(4, 1),
    ("counter", 3, 2): orders(3, 2),
    ("counter", 2, 5): orders(2, 5),
    ("counter", 3, 3): orders(3, 3),
    # Each reader comes before the writer or after it.
    ("readers_and_writer", 2): 4,
    ("readers_and_writer", 3): 8,
    ("readers_and_writer", 5): 32,
    # Arrivals of a round are ordered, rounds are in any case, and leaves are ordered with their own round alone.
    ("rounds", 2, 1): 2,
    ("rounds", 2, 4): 2**4,
    ("rounds", 3, 2): 6**2,
    ("rounds", 4, 1): 24,
    ("producer_consumer", 1, 1): 2,
    ("producer_consumer", 1, 2): 8,
    ("producer_consumer", 1, 3): 32,
    ("producer_consumer", 2, 1): 64,
}
if os.environ.get("MAZURKA_NIGHTLY"):
    COUNTS[("filesystem", 22)] = 512
    COUNTS[("counter", 4, 2)] = orders(4, 2)
    COUNTS[("counter", 5, 2)] = orders(5, 2)


def run(folder, program, arguments):
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch, "report.json")
        command = [os.environ["MAZURKA"], "check", "--search=optimal", f"--json={report}", f"--schedules={scratch}",
                   "--", os.path.join(folder, program), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True)
        result = json.loads(report.read_text())
    result["exit_code"] = done.returncode
    return " ".join(command), result


def main(folder):
    wrong = 0
    for (program, *arguments), executions in COUNTS.items():
        command, result = run(folder, program, arguments)
        counts = (result["executions"], result["exit_code"], result["complete"])
        if counts != (executions, 0, True):
            print(f"{command}: executions, exit code, complete {counts}, expected {executions} executions")
            wrong += 1
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
