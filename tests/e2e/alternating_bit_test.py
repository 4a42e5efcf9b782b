#!/usr/bin/env python3
"""The alternating bit protocol as two processes: the right one is clean, and each classical fault is found.

    alternating_bit_test.py PROGRAM
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

# What is found first in each variant.
EXPECTED = {
    "right": None,
    "forgets-to-compare": "assertion",  # a message that was sent again is taken for a new one
    "takes-any-answer": "assertion",  # the answer to an earlier sending is taken for that to a lost message
    "answers-once": "deadlock",  # the answer was lost, and nobody answers again
}


def first_finding(program, variant, folder):
    report = pathlib.Path(folder, "report.json")
    command = [os.environ["MAZURKA"], "check", f"--json={report}", f"--schedules={folder}", "--", program, variant]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    print(" ".join(command), "\n", done.stdout, done.stderr)
    found = json.loads(report.read_text())
    if not found["findings"] and (done.returncode != 0 or not found["complete"]):
        return f"exit code {done.returncode}, not complete"
    return found["findings"][0]["kind"] if found["findings"] else None


def main():
    wrong = 0
    for variant, expected in EXPECTED.items():
        with tempfile.TemporaryDirectory() as folder:
            found = first_finding(sys.argv[1], variant, folder)
        if found != expected:
            print(f"{variant}: found {found}, expected {expected}")
            wrong += 1
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
