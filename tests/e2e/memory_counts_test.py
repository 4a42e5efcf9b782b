#!/usr/bin/env python3
"""Programs with atomic variables whose traces others have counted: `optimal` executes each once.

    memory_counts_test.py FOLDER

FOLDER has the sources. Those marked PLAIN run a second time with plain variables, whose accesses are operations then
(--memory=visible). Those that take long run where MAZURKA_NIGHTLY is set.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

MAZURKA = pathlib.Path(os.environ["MAZURKA"])

# Program and arguments: executions.
COUNTS = {
    **{("readers", n): 2**n for n in range(2, 14)},
    **{("last_zero", n): (n + 3) * 2 ** (n - 2) for n in (5, 10, 12)},
    **{("indexer", n): 8 ** (n - 11) for n in (11, 12, 15)},
    ("own_stack", 3): 8,
    ("adders", 2, 3): 20,
    ("adders", 3, 2): 90,
    ("adders", 3, 3): 1680,
}
PLAIN = {("own_stack", 3), ("readers", 2), ("readers", 8), ("readers", 13), ("last_zero", 5), ("last_zero", 10)}
if os.environ.get("MAZURKA_NIGHTLY"):
    COUNTS[("adders", 4, 2)] = 2520
    PLAIN.add(("last_zero", 12))


def build(source, compiler, flags, folder):
    program = pathlib.Path(folder, "-".join([source.stem, compiler, *flags]))
    if not program.exists():
        subprocess.run([MAZURKA.parent / "mazurka-cc", f"--cc={compiler}", "-O2", *flags, source, "-o", program], check=True)
    return program


def run(program, arguments, options, folder):
    report = pathlib.Path(folder, "report.json")
    report.unlink(missing_ok=True)
    command = [MAZURKA, "check", f"--json={report}", f"--schedules={folder}", *options, "--", program, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    result = json.loads(report.read_text()) if report.exists() else {}
    return " ".join(map(str, command)), (result.get("executions"), result.get("complete"), done.returncode)


def main(sources):
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        runs = [(case, [], []) for case in COUNTS] + [(case, ["-DPLAIN"], ["--memory=visible"]) for case in sorted(PLAIN)]
        for number, (case, flags, options) in enumerate(runs):
            program, *arguments = case
            compiler = ("gcc", "clang")[number % 2]
            binary = build(sources / f"{program}.c", compiler, flags, folder)
            command, result = run(binary, arguments, options, folder)
            if result != (COUNTS[case], True, 0):
                print(f"{command}: executions, complete, exit code {result}, expected {COUNTS[case]} executions")
                wrong += 1
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
