#!/usr/bin/env python3
"""Programs that do what no program should: Mazurka reports it, lives, and leaves nothing behind.

    misbehaving_test.py FOLDER
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

# program: (exit code, kind of its finding, words that must be said)
EXPECTED = {
    "overwrites_the_segment": (1, "memory", "overwrote Mazurka's shared segment"),
    "forks_without_end": (4, None, "256 processes"),
    "kills_its_parent": (3, None, "a signal to a process outside the program (refused)"),
    "leaves_without_a_word": (1, "crash", "without a word"),
    "draws_by_chance": (1, "nondeterminism", "something else"),
    "blocks_past_libc": (1, "divergence", "no model covers"),
    "overflows_its_stack": (1, "crash", "SIGSEGV"),
    "frees_twice": (1, "memory", "double free"),
    "closes_everything": (0, None, "nothing found"),
}


def processes_of(program):
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.readlink(entry / "exe") == program:
                found.append(entry.name)
        except OSError:
            pass
    return found


def lingering(program):
    """The kernel takes its time to bury a process."""
    deadline = time.monotonic() + 10
    while processes_of(program) and time.monotonic() < deadline:
        time.sleep(0.05)
    return processes_of(program)


def complaints(program, reset, expected):
    exit_code, kind, words = expected
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        command = [os.environ["MAZURKA"], "check", "--search=none", "--divergence=1", "--keep-going",
                   "--max-executions=2000", f"--reset={reset}", f"--json={report}",
                   f"--schedules={folder}", "--", program]
        print(" ".join(command))
        done = subprocess.run(command, capture_output=True, text=True)
        said = done.stdout + done.stderr
        print(said)
        if done.returncode != exit_code:
            yield f"exit code {done.returncode}, expected {exit_code}"
        if words not in said:
            yield f"does not say '{words}'"
        findings = json.loads(report.read_text())["findings"] if report.exists() else []
        if kind is not None and kind not in [f["kind"] for f in findings]:
            yield f"no {kind}; found {[f['kind'] for f in findings]}"
        if kind is None and findings:
            yield f"found {[f['kind'] for f in findings]}, expected nothing"
    left = lingering(program)
    if left:
        yield f"left processes behind: {left}"


def main():
    wrong = 0
    for name, expected in EXPECTED.items():
        program = os.path.realpath(os.path.join(sys.argv[1], name))
        for reset in ("fork", "auto"):
            for sentence in complaints(program, reset, expected):
                print(f"{name}, {reset}: {sentence}")
                wrong += 1
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
