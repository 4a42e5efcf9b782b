#!/usr/bin/env python3
"""The numbers of the dining philosophers: what a calculation gives for each search, on real programs.

    philosophers_test.py

What takes minutes runs where MAZURKA_NIGHTLY is set: four processes without reduction, the largest numbers.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

# (example, N, ...): (executions, transitions), every interleaving.
PLAIN = {
    ("philosophers_processes", 2): (4, 18),
    ("philosophers_processes", 3): (396, 1680),
    ("philosophers_threads", 2): (8, 40),
    ("philosophers_threads", 3): (2184, 11075),
    ("philosophers_threads", 2, "heap"): (8, 40),
    ("philosophers_threads", 3, "heap"): (2184, 11075),
    ("philosophers_std", 2): (8, 40),
    ("philosophers_std", 3): (2184, 11075),
}
# One execution for each trace: 2^N - 1, and 2^N - 2 where an order of the forks is kept.
LARGEST = {"philosophers_processes": 7, "philosophers_threads": 12, "philosophers_std": 6}
if os.environ.get("MAZURKA_NIGHTLY"):
    PLAIN[("philosophers_processes", 4)] = (104704, 386816)
    LARGEST = {"philosophers_processes": 10, "philosophers_threads": 14, "philosophers_std": 14}
# Transitions of the global state space of the processes.
STATE_SPACE = {2: 18, 3: 123, 4: 708, 5: 3765}


def run(example, *arguments, search):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        program = os.path.join(os.environ["MAZURKA_EXAMPLES"], example)
        command = [os.environ["MAZURKA"], "check", f"--search={search}", "--keep-going", f"--json={report}",
                   f"--schedules={folder}", "--", program, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True)
        result = json.loads(report.read_text())
    result["exit_code"] = done.returncode
    result["command"] = " ".join(command)
    return result


def complaints(result, executions, transitions, deadlock):
    if executions is not None and result["executions"] != executions:
        yield f"{result['executions']} executions, expected {executions}"
    if transitions is not None and result["transitions"] != transitions:
        yield f"{result['transitions']} transitions, expected {transitions}"
    if result["exit_code"] != (1 if deadlock else 0) or not result["complete"]:
        yield f"exit code {result['exit_code']}, complete: {result['complete']}"
    kinds = [finding["kind"] for finding in result["findings"]]
    if kinds != (["deadlock"] if deadlock else []):
        yield f"findings {kinds}"


def cases():
    for program, (executions, transitions) in PLAIN.items():
        yield run(*program, search="none"), executions, transitions, True
    for example, largest in LARGEST.items():
        for number in range(2, largest + 1):
            yield run(example, number, search="optimal"), 2**number - 1, None, True
            yield run(f"{example}_fixed", number, search="optimal"), 2**number - 2, None, False


def below_the_state_space():
    for number, transitions in STATE_SPACE.items():
        for search in ("persistent", "dpor"):
            result = run("philosophers_processes", number, search=search)
            if result["transitions"] >= transitions:
                yield f"{result['command']}: {result['transitions']} transitions, not below {transitions}"


def main():
    wrong = list(below_the_state_space())
    for result, executions, transitions, deadlock in cases():
        for sentence in complaints(result, executions, transitions, deadlock):
            wrong.append(f"{result['command']}: {sentence}")
    print("\n".join(wrong))
    return len(wrong) != 0


if __name__ == "__main__":
    sys.exit(main())
